//! Moves that answer threats: anti-decisive moves (Teytaud and Teytaud 2010).
//!
//! A move of the role that is to move next is a *threat* where it would win at once if it were that
//! role's turn now: its gates are those of a win at the next point of the cycle, over the present
//! state. Which moves answer a threat is not derived from the rules, which would take a copy of the
//! gates for each move, but measured once in states that came up at random: a move answers a threat
//! if mostly the threat does not win any more after it. In lanes where a role is threatened it
//! chooses among the moves that answer, if one is legal. So an answer may be missed, and a move that
//! is taken for an answer may fail: playouts get better, nothing is proven.

use super::purse::{Funds, Purse};
use super::run::Runner;
use super::{Moves, Pick, Sample};
use crate::circuit::Circuit;
use crate::kernel::plan::GatePlan;
use crate::lanes::word::{Lanewise, Word};
use crate::net::Wire;
use crate::steps::{self, Turn};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Answers are measured in so many states with a threat, at most.
const MOST_STATES: usize = 4096;
/// Nothing is measured where there are more pairs of a threat and a move.
const MOST_PAIRS: usize = 1 << 18;

/// A move that wins at once if nothing is done about it, and what can be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Threat {
    /// The way in which the move wins.
    pub(crate) pick: Pick,
    /// The role that is threatened, and its moves that mostly help.
    role: usize,
    answers: Vec<usize>,
}

/// The threats at a point of the cycle.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Threats<'t> {
    /// What is known of each fluent at the next point.
    pub(crate) known: &'t [Option<bool>],
    pub(crate) list: &'t [Threat],
}

/// A point of the cycle: what is known of fluents, and the ways to win at once.
#[derive(Copy, Clone)]
pub(crate) struct Stand<'s> {
    pub(crate) known: &'s [Option<bool>],
    pub(crate) picks: &'s [Pick],
}

/// The threats of the next point of the cycle that are worth their gates at this one.
pub(crate) fn threats<const P: usize>(
    circuit: &Circuit,
    [here, next]: [Stand<'_>; 2],
    funds: &Funds<'_, P>,
) -> Vec<Threat> {
    let mut turn = Turn::new(circuit, here.known);
    let alone = (0..circuit.roles()).find_map(|role| Some((role, turn.alone(role)?)));
    let Some((role, moves)) = alone.filter(|it| next.picks.iter().any(|pick| pick.role != it.0))
    else {
        return Vec::new();
    };
    let others = next.picks.iter().filter(|pick| pick.role != role);
    let threat = |&pick: &Pick| Threat {
        pick,
        role,
        answers: Vec::new(),
    };
    let mut threats: Vec<Threat> = others.map(threat).collect();
    if threats.len() * moves.own.len() > MOST_PAIRS {
        return Vec::new();
    }
    let wires = turn.threat_wires(Threats {
        known: next.known,
        list: &threats,
    });
    let wins = turn.wins(here.picks).concat();
    let own = turn.net.any(wins);
    let probe = Probe::new(&turn, (&wires, own), (role, &moves));
    let states = probe.gather(funds.samples);
    probe.measure(circuit, &states, &mut threats);
    let chosen = buy(&mut turn, (&threats, &wires, own), funds);
    chosen
        .into_iter()
        .map(|place| threats[place].clone())
        .collect()
}

impl Turn<'_> {
    /// Where each threat is there: its move would win if it were its role's turn.
    fn threat_wires(&mut self, threats: Threats<'_>) -> Vec<Wire> {
        let wanted: HashSet<Pick> = threats.list.iter().map(|it| it.pick).collect();
        let net = std::mem::take(&mut self.net);
        let mut next = Turn::with(self.circuit, threats.known, net);
        let settled = next.settled();
        let mut wires = HashMap::new();
        for role in wanted.iter().map(|pick| pick.role).collect::<BTreeSet<_>>() {
            for win in next.search(role, &settled, |pick| wanted.contains(&pick)) {
                wires.insert(win.pick, next.wins_by(&win));
            }
        }
        self.net = next.net;
        let wire = |threat: &Threat| wires.get(&threat.pick).copied().unwrap_or(Wire::FALSE);
        threats.list.iter().map(wire).collect()
    }

    /// For each role and move, where it answers a threat. A role that is not threatened here has
    /// an empty list.
    pub(in crate::steps) fn answers(&mut self, threats: Threats<'_>) -> Vec<Vec<Wire>> {
        let wires = self.threat_wires(threats);
        let mut answers: Vec<Vec<Vec<Wire>>> = vec![Vec::new(); self.circuit.roles()];
        for (threat, &wire) in threats.list.iter().zip(&wires) {
            let of_role = &mut answers[threat.role];
            of_role.resize(self.circuit.outputs.legal[threat.role].len(), Vec::new());
            for &answer in &threat.answers {
                of_role[answer].push(wire);
            }
        }
        let mut all = Vec::with_capacity(answers.len());
        for (role, answers) in answers.into_iter().enumerate() {
            let legal = &self.circuit.outputs.legal[role];
            let answers = answers.into_iter().zip(legal).map(|(threats, &legal)| {
                let any = self.net.any(threats);
                self.net.and(any, self.copies.of(legal))
            });
            all.push(answers.collect());
        }
        all
    }
}

/// Threats and legal moves as code, and what is needed to make moves.
struct Probe<'p> {
    /// Outputs are the threats, where the role wins itself, and its moves that are legal.
    seen: GatePlan,
    threats: usize,
    moves: &'p Moves,
    fluents: usize,
}

/// States with a threat, packed.
struct Packed<const P: usize> {
    state: Vec<Word<P>>,
    lanes: usize,
}

impl<'p> Probe<'p> {
    fn new(
        turn: &Turn<'_>,
        (threats, own): (&[Wire], Wire),
        (role, moves): (usize, &'p Moves),
    ) -> Probe<'p> {
        let legal = &turn.circuit.outputs.legal[role];
        let legal = moves.own.iter().map(|&it| turn.copies.of(legal[it]));
        let wanted: Vec<Wire> = threats.iter().copied().chain([own]).chain(legal).collect();
        let fluents = turn.circuit.fluents.len();
        Probe {
            seen: GatePlan::new(&turn.net, fluents, &wanted),
            threats: threats.len(),
            moves,
            fluents,
        }
    }

    /// States of samples in which there is a threat, and no win of the role that is threatened.
    fn gather<const P: usize>(&self, samples: &[Sample<P>]) -> Vec<Packed<P>> {
        let mut kernel = Runner::<P>::new(&self.seen);
        let mut packed: Vec<Packed<P>> = Vec::new();
        let mut count = 0;
        for Sample { state, playing } in samples {
            let outputs = kernel.run(&[state]);
            let threats = outputs[..self.threats].iter();
            let any = threats.fold([0; P], |any, it| any.or(*it));
            let there = any.and(*playing).without(outputs[self.threats]);
            for lane in (0..64 * P).filter(|&lane| there.lane(lane)) {
                if count == MOST_STATES {
                    return packed;
                }
                if count % (64 * P) == 0 {
                    let state = vec![[0; P]; self.fluents];
                    packed.push(Packed { state, lanes: 0 });
                }
                count += 1;
                packed.last_mut().expect("one was pushed").add(state, lane);
            }
        }
        packed
    }

    /// Finds the moves that mostly end each threat.
    fn measure<const P: usize>(
        &self,
        circuit: &Circuit,
        states: &[Packed<P>],
        threats: &mut [Threat],
    ) {
        let mut seen = Runner::<P>::new(&self.seen);
        let mut next = Runner::<P>::new(&steps::turn(circuit));
        let own = &self.moves.own;
        // For each threat and move, in how many states the move was legal, and ended the threat.
        let mut counts = vec![(0, 0); threats.len() * own.len()];
        let sizes = circuit.outputs.legal.iter().map(Vec::len);
        let mut joint = vec![[0; P]; sizes.sum()];
        for &forced in &self.moves.forced {
            joint[forced - self.fluents] = [u64::MAX; P];
        }
        for packed in states {
            let before = seen.run(&[&packed.state]).to_vec();
            let legal = &before[self.threats + 1..];
            for (place, &number) in own.iter().enumerate() {
                let legal = legal[place].and(packed.filled());
                let input = self.moves.first + number - self.fluents;
                joint[input] = [u64::MAX; P];
                let state = next.run(&[&packed.state, &joint])[..self.fluents].to_vec();
                joint[input] = [0; P];
                let after = seen.run(&[&state]);
                for threat in 0..self.threats {
                    let there = before[threat].and(legal);
                    let count = &mut counts[threat * own.len() + place];
                    count.0 += there.count();
                    count.1 += there.without(after[threat]).count();
                }
            }
        }
        for (threat, counts) in threats.iter_mut().zip(counts.chunks(own.len())) {
            let helps = |&(seen, ended): &(u64, u64)| seen > 0 && 2 * ended >= seen;
            let answers = own.iter().zip(counts).filter(|it| helps(it.1));
            threat.answers = answers.map(|it| *it.0).collect();
        }
    }
}

impl<const P: usize> Packed<P> {
    fn add(&mut self, from: &[Word<P>], lane: usize) {
        let (word, bit) = (self.lanes / 64, self.lanes % 64);
        for (to, from) in self.state.iter_mut().zip(from) {
            to[word] |= u64::from(from.lane(lane)) << bit;
        }
        self.lanes += 1;
    }

    /// The lanes that hold a state.
    fn filled(&self) -> Word<P> {
        std::array::from_fn(|word| match self.lanes.saturating_sub(64 * word) {
            0 => 0,
            lanes if lanes < 64 => (1 << lanes) - 1,
            _ => u64::MAX,
        })
    }
}

/// The places of the threats that are worth their gates, the cheapest for what they change first.
fn buy<const P: usize>(
    turn: &mut Turn<'_>,
    (threats, wires, own): (&[Threat], &[Wire], Wire),
    funds: &Funds<'_, P>,
) -> Vec<usize> {
    let changed: Vec<Wire> = (threats.iter().zip(wires))
        .map(|(threat, &wire)| turn.changed(threat, (wire, own)))
        .collect();
    let mut wanted = changed.clone();
    wanted.push(turn.net.any(changed));
    let counts = funds.count(turn, &wanted);
    let moves = turn.circuit.outputs.legal[threats[0].role].len();
    let mut purse = Purse::new(turn, funds.more.saturating_sub(2 * moves));
    let mut places: Vec<usize> = (0..threats.len()).filter(|&it| counts[it] > 0).collect();
    let cost = |purse: &Purse, turn: &Turn<'_>, place: usize| {
        let gates = purse.cost(&turn.net, wires[place]);
        let all = gates.len() + threats[place].answers.len();
        (gates, all)
    };
    // States for a gate, in thousandths.
    places.sort_by_cached_key(|&place| {
        Reverse(1000 * counts[place] / (cost(&purse, turn, place).1 + 1))
    });
    let before = purse.left;
    places.retain(|&place| {
        let (gates, all) = cost(&purse, turn, place);
        funds.are_worth(counts[place], all + 1) && purse.pay(gates)
    });
    let answers: usize = places.iter().map(|&it| threats[it].answers.len()).sum();
    let spent = 2 * moves + before - purse.left + answers;
    match funds.are_worth(counts[threats.len()], spent) {
        true => places,
        false => Vec::new(),
    }
}

impl Turn<'_> {
    /// Where a threat changes what may be chosen: it has answers, and other moves are legal, too.
    fn changed(&mut self, threat: &Threat, (wire, own): (Wire, Wire)) -> Wire {
        let legal = self.circuit.outputs.legal[threat.role].iter().enumerate();
        let legal = legal.map(|(number, &it)| (number, self.copies.of(it)));
        let (answers, others): (Vec<_>, Vec<_>) =
            legal.partition(|it| threat.answers.contains(&it.0));
        let [answered, other] =
            [answers, others].map(|it| self.net.any(it.into_iter().map(|it| it.1).collect()));
        let wires = vec![wire, own.negated(), answered, other];
        self.net.all(wires)
    }
}
