//! What lanes compute, as plans: the answers of a state, a turn, and a step of a playout.

mod choice;
pub(crate) mod cycle;
mod decisive;
mod numbers;
mod record;

pub(crate) use decisive::{
    Funds, Pick, Sample, Stand, Threat, Threats, may_decide, picks, threats,
};
pub(crate) use record::Record;

use crate::circuit::Circuit;
use crate::kernel::plan::{GatePlan, Update};
use crate::net::{Copies, Net, Wire};
use crate::steps::choice::{Candidate, choose, most_random};
use logic::RoleId;
use std::ops::Range;

/// How a turn chooses, and what it tells beyond the next state.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TurnOptions<'t> {
    /// How many binary digits the weight of a move has: inputs. All moves weigh the same if none.
    pub(crate) digits: usize,
    /// Goals are outputs, as [`Goals`] has them.
    pub(crate) goals: bool,
    /// Moves are recorded.
    pub(crate) moves: bool,
    /// Ways to win at once that are looked for: where one is found it is taken.
    pub(crate) decisive: &'t [Pick],
    /// Wins at once of the role that is to move next: where one threatens, it is answered.
    pub(crate) threats: Option<Threats<'t>>,
}

/// One turn of a playout. Inputs are fluents, random bits, then weights and the record of moves
/// if wanted. Outputs are the end, lanes where a role has no legal move, the next fluents, then
/// goals if wanted. The record is updated in its place.
pub(crate) struct TurnPlan {
    pub(crate) plan: GatePlan,
    /// How many random words it needs: inputs after the fluents.
    pub(crate) random: usize,
    pub(crate) inputs: TurnInputs,
}

/// The inputs of a turn after those that are random: the same for all turns of a circuit that
/// have the same options.
#[derive(Clone, Debug)]
pub(crate) struct TurnInputs {
    /// Digits of weights: those of each move of each role in turn, the lowest first.
    pub(crate) weights: Range<usize>,
    /// Moves played, if they are recorded.
    pub(crate) record: Option<Record>,
}

impl TurnInputs {
    pub(crate) fn new(circuit: &Circuit, options: TurnOptions<'_>) -> TurnInputs {
        let sizes = circuit.moves.iter().map(Vec::len);
        let random = sizes
            .clone()
            .map(|moves| most_random(moves, options.digits.max(1)));
        let first = circuit.fluents.len() + random.sum::<usize>();
        let moves: usize = sizes.sum();
        let weights = first..first + moves * options.digits;
        TurnInputs {
            record: (options.moves).then(|| Record::new(weights.end, moves)),
            weights,
        }
    }

    /// How many inputs there are.
    fn count(&self) -> usize {
        self.record.as_ref().map_or(self.weights.end, Record::end)
    }
}

impl TurnPlan {
    /// The turn where some fluents are known.
    pub(crate) fn new(
        circuit: &Circuit,
        known: &[Option<bool>],
        options: TurnOptions<'_>,
    ) -> TurnPlan {
        let outputs = &circuit.outputs;
        let mut turn = Turn::new(circuit, known);
        let inputs = TurnInputs::new(circuit, options);
        let legal = turn.eligible(options.decisive, options.threats);
        let choices = turn.choices(&legal, inputs.weights.start, options.digits);
        turn.copy_next(&choices.done);
        let next = outputs.next.iter().map(|&wire| turn.copies.of(wire));
        let end = [turn.copies.of(circuit.terminal()), choices.stuck];
        let mut wanted: Vec<Wire> = end.into_iter().chain(next).collect();
        if options.goals {
            let (goals, _) = goal_wires(circuit);
            turn.copy_state(goals.iter().copied());
            wanted.extend(goals.into_iter().map(|wire| turn.copies.of(wire)));
        }
        debug_assert!(choices.random <= inputs.weights.start);
        let updates = inputs.record.as_ref().map(|it| turn.updates(it, &choices));
        let updates = updates.unwrap_or_default();
        TurnPlan {
            plan: GatePlan::updating(&turn.net, inputs.count(), &wanted, &updates),
            random: choices.random - circuit.fluents.len(),
            inputs,
        }
    }
}

/// The gates of a turn, as far as they are made.
struct Turn<'c> {
    circuit: &'c Circuit,
    /// What is known of each fluent.
    known: &'c [Option<bool>],
    net: Net,
    copies: Copies,
}

/// What all roles choose.
struct Choices {
    /// Where each move of each role is done.
    done: Vec<Wire>,
    /// Where a role has no legal move.
    stuck: Wire,
    /// The first input after the random bits.
    random: usize,
}

impl<'c> Turn<'c> {
    /// A turn where some fluents are known, as far as legal moves and the end.
    fn new(circuit: &'c Circuit, known: &'c [Option<bool>]) -> Turn<'c> {
        Turn::with(circuit, known, Net::default())
    }

    /// The same, with gates added to those of a net.
    fn with(circuit: &'c Circuit, known: &'c [Option<bool>], net: Net) -> Turn<'c> {
        let mut turn = Turn {
            circuit,
            known,
            net,
            copies: Copies::default(),
        };
        let of_state = circuit.outputs.legal.iter().flatten().copied();
        turn.copy_state(of_state.chain([circuit.terminal()]));
        turn
    }

    /// Where each move of each role may be chosen: where it is legal, but if a role is threatened
    /// only where it answers, and if it is found to win at once in one of some ways only where it
    /// wins.
    fn eligible(&mut self, picks: &[Pick], threats: Option<Threats<'_>>) -> Vec<Vec<Wire>> {
        let of_role = |legal: &Vec<Wire>| legal.iter().map(|&it| self.copies.of(it)).collect();
        let mut eligible: Vec<Vec<Wire>> = self.circuit.outputs.legal.iter().map(of_role).collect();
        if let Some(threats) = threats {
            let answers = self.answers(threats);
            self.prefer(&mut eligible, answers);
        }
        if !picks.is_empty() {
            let wins = self.wins(picks);
            self.prefer(&mut eligible, wins);
        }
        eligible
    }

    /// Leaves only preferred moves where there are any.
    fn prefer(&mut self, eligible: &mut [Vec<Wire>], preferred: Vec<Vec<Wire>>) {
        for (eligible, preferred) in eligible.iter_mut().zip(preferred) {
            let any = self.net.any(preferred.clone());
            for (eligible, preferred) in eligible.iter_mut().zip(preferred) {
                let otherwise = self.net.and(*eligible, any.negated());
                *eligible = self.net.or(preferred, otherwise);
            }
        }
    }

    /// Copies what some wires need that depend on the state alone.
    fn copy_state(&mut self, wires: impl IntoIterator<Item = Wire>) {
        let needed = self.circuit.net.cone(wires);
        let known = self.known;
        let fluent = |net: &mut Net, number| fluent(net, known, number);
        (self.net).copy(&self.circuit.net, &needed, fluent, &mut self.copies);
    }

    /// Copies what the next state needs, given the moves that are done.
    fn copy_next(&mut self, done: &[Wire]) {
        let next = self.circuit.outputs.next.iter().copied();
        let needed = self.circuit.net.cone(next);
        let (known, fluents) = (self.known, self.circuit.fluents.len());
        let input = |net: &mut Net, number: usize| match number.checked_sub(fluents) {
            Some(number) => done[number],
            None => fluent(net, known, number),
        };
        (self.net).copy(&self.circuit.net, &needed, input, &mut self.copies);
    }

    /// Lets every role choose where moves are legal, by weights of so many digits from the given
    /// input on.
    fn choices(&mut self, legal: &[Vec<Wire>], mut weights: usize, digits: usize) -> Choices {
        let mut random = self.circuit.fluents.len();
        let mut done = Vec::new();
        let mut stuck = Vec::new();
        for legal in legal {
            let candidates: Vec<Candidate> = (legal.iter())
                .map(|&legal| {
                    weights += digits;
                    self.candidate(legal, weights - digits..weights)
                })
                .collect();
            let choice = choose(&mut self.net, &candidates, &mut random);
            done.extend(choice.done);
            stuck.push(choice.none);
        }
        let stuck = self.net.any(stuck);
        Choices {
            done,
            stuck,
            random,
        }
    }

    /// The updates of the record.
    fn updates(&mut self, record: &Record, choices: &Choices) -> Vec<Update> {
        let active = self.net.input(record.active);
        let terminal = self.copies.of(self.circuit.terminal());
        let going_on = self.net.and(terminal.negated(), choices.stuck.negated());
        let playing = self.net.and(active, going_on);
        record.updates(&mut self.net, &choices.done, playing)
    }

    /// A move, with the inputs that are the digits of its weight, if any.
    fn candidate(&mut self, legal: Wire, weight: Range<usize>) -> Candidate {
        if weight.is_empty() || legal == Wire::FALSE {
            return Candidate::even(legal);
        }
        Candidate {
            legal,
            weight: weight.map(|number| self.net.input(number)).collect(),
        }
    }
}

/// A fluent of the state: a constant if it is known.
fn fluent(net: &mut Net, known: &[Option<bool>], number: usize) -> Wire {
    match known[number] {
        Some(value) => Wire::FALSE.negated_if(value),
        None => net.input(number),
    }
}

/// From fluents: the end, every move's legality, every goal.
pub(crate) fn view(circuit: &Circuit) -> GatePlan {
    let outputs = &circuit.outputs;
    let goals = outputs.goals.iter().flatten().map(|&(_, wire)| wire);
    let legal = outputs.legal.iter().flatten().copied();
    let wanted: Vec<Wire> = [circuit.terminal()]
        .into_iter()
        .chain(legal)
        .chain(goals)
        .collect();
    GatePlan::new(&circuit.net, circuit.fluents.len(), &wanted)
}

/// From fluents and moves: the next fluents, every percept.
pub(crate) fn turn(circuit: &Circuit) -> GatePlan {
    let outputs = &circuit.outputs;
    let percepts = outputs.percepts.iter().flatten().map(|&(_, wire)| wire);
    let wanted: Vec<Wire> = outputs.next.iter().copied().chain(percepts).collect();
    let moves: usize = circuit.moves.iter().map(Vec::len).sum();
    GatePlan::new(&circuit.net, circuit.fluents.len() + moves, &wanted)
}

/// What decides goals that count for anything, each once, and what it is worth to whom.
pub(crate) struct Goals {
    pub(crate) plan: GatePlan,
    /// For each output, roles and values.
    pub(crate) worth: Vec<Vec<(RoleId, u32)>>,
}

impl Goals {
    pub(crate) fn new(circuit: &Circuit) -> Goals {
        let (wires, worth) = goal_wires(circuit);
        let plan = GatePlan::new(&circuit.net, circuit.fluents.len(), &wires);
        Goals { plan, worth }
    }
}

fn goal_wires(circuit: &Circuit) -> (Vec<Wire>, Vec<Vec<(RoleId, u32)>>) {
    let mut wires: Vec<Wire> = Vec::new();
    let mut worth: Vec<Vec<(RoleId, u32)>> = Vec::new();
    for (role, goals) in RoleId::all(circuit.roles()).zip(&circuit.outputs.goals) {
        for &(value, wire) in goals.iter().filter(|&&(value, _)| value > 0) {
            match wires.iter().position(|&known| known == wire) {
                Some(place) => worth[place].push((role, value)),
                None => {
                    wires.push(wire);
                    worth.push(vec![(role, value)]);
                }
            }
        }
    }
    (wires, worth)
}

#[cfg(test)]
mod tests;
