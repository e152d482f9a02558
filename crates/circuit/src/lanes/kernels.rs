//! Everything lanes of one width run, compiled when first needed.

use crate::circuit::Circuit;
use crate::kernel::{Code, Kernel};
use crate::lanes::ends::Worth;
use crate::lanes::request::Decisive;
use crate::lanes::samples::samples;
use crate::steps::cycle::Cycle;
use crate::steps::{
    self, Funds, Goals, Pick, Record, Sample, Stand, Threat, Threats, TurnInputs, TurnOptions,
    TurnPlan,
};
use logic::{Bits, FluentId};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Weights have at most so many binary digits.
pub(crate) const MOST_DIGITS: usize = 8;
/// Moves that win at once may be found by so many gates, in per cent of those of a plain turn.
const DECISIVE_GATES: usize = 150;

/// The kernels of a circuit; shared by all threads.
#[derive(Debug)]
pub(crate) struct Kernels<const P: usize> {
    pub(crate) circuit: Arc<Circuit>,
    code: Code,
    pub(crate) cycle: Cycle,
    /// Turns of playouts, by the number of their variant.
    turns: [TurnKernels<P>; Variant::COUNT],
    /// The ways to win at once that are looked for, at each point of the cycle.
    picks: OnceLock<Vec<Vec<Pick>>>,
    /// The threats that are answered, at each point of the cycle.
    threats: OnceLock<Vec<Vec<Threat>>>,
    /// The record of moves, by how many digits weights have.
    records: [OnceLock<RecordKernel<P>>; 1 + MOST_DIGITS],
    goals: OnceLock<Kernel<P>>,
    /// What each output of goals is worth to whom.
    pub(crate) worth: Vec<Worth>,
    /// Whether goals are part of every step: where they cost little.
    pub(crate) goals_in_step: bool,
    view: OnceLock<Kernel<P>>,
    turn: OnceLock<Kernel<P>>,
}

/// What playouts need beyond the plain turn. Kernels of a variant are compiled when it is first
/// asked for.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Variant {
    /// How many digits weights of moves have, which are inputs.
    pub(crate) digits: usize,
    /// Moves done are outputs.
    pub(crate) counted: bool,
    /// What is done about moves that win at once, as far as they are found.
    pub(crate) decisive: Decisive,
}

impl Variant {
    const COUNT: usize = 6 * (1 + MOST_DIGITS);

    fn number(self) -> usize {
        6 * self.digits + 3 * usize::from(self.counted) + self.decisive as usize
    }
}

/// The turns of one variant.
#[derive(Debug)]
struct TurnKernels<const P: usize> {
    /// At each point of the cycle.
    points: Vec<OnceLock<TurnKernel<P>>>,
    /// Of lanes that stand anywhere.
    anywhere: OnceLock<TurnKernel<P>>,
}

/// A turn of a playout; its inputs and outputs are those of [`TurnPlan`].
#[derive(Debug)]
pub(crate) struct TurnKernel<const P: usize> {
    pub(crate) kernel: Kernel<P>,
    pub(crate) random: usize,
    /// The slots of the digits of weights.
    pub(crate) weights: Range<usize>,
}

/// The record of moves of turns of one variant, and how it is held.
#[derive(Debug)]
pub(crate) struct RecordKernel<const P: usize> {
    pub(crate) record: Record,
    pub(crate) hold: Kernel<P>,
}

impl<const P: usize> Kernels<P> {
    pub(crate) fn new(circuit: Arc<Circuit>, code: Code) -> Kernels<P> {
        let cycle = Cycle::new(&circuit);
        let goals = Goals::new(&circuit);
        let goals_in_step = goals_are_cheap(&circuit, &goals, &cycle);
        Kernels {
            turns: std::array::from_fn(|_| TurnKernels {
                points: (0..cycle.len()).map(|_| OnceLock::new()).collect(),
                anywhere: OnceLock::new(),
            }),
            picks: OnceLock::new(),
            threats: OnceLock::new(),
            records: Default::default(),
            goals: OnceLock::new(),
            worth: goals.worth,
            goals_in_step,
            view: OnceLock::new(),
            turn: OnceLock::new(),
            circuit,
            code,
            cycle,
        }
    }

    /// The point of the cycle at which a state stands, if at one.
    pub(crate) fn point(&self, state: &Bits) -> Option<usize> {
        let holds = |fluent| state.holds(FluentId::new(fluent));
        self.cycle.point(holds)
    }

    /// The turns from a point of the cycle on, once round; or the one that serves anywhere.
    pub(crate) fn turns_from(&self, variant: Variant, point: Option<usize>) -> Vec<&TurnKernel<P>> {
        let Some(first) = point else {
            return vec![self.turn_at(variant, None)];
        };
        let points = (first..self.cycle.len()).chain(0..first);
        let turn = |point| self.turn_at(variant, Some(point));
        points.map(turn).collect()
    }

    /// The turn at a point of the cycle, or anywhere.
    pub(crate) fn turn_at(&self, mut variant: Variant, point: Option<usize>) -> &TurnKernel<P> {
        variant.decisive = self.decisive(variant.decisive, point);
        let turns = &self.turns[variant.number()];
        let cell = point.map_or(&turns.anywhere, |point| &turns.points[point]);
        cell.get_or_init(|| self.compile(variant, point))
    }

    /// What is done about wins at once where that makes a difference.
    fn decisive(&self, asked: Decisive, point: Option<usize>) -> Decisive {
        match asked {
            Decisive::Both if !self.threats(point).is_empty() => Decisive::Both,
            Decisive::Wins | Decisive::Both if !self.picks(point).is_empty() => Decisive::Wins,
            _ => Decisive::No,
        }
    }

    /// The threats that are answered at a point of the cycle. None are in lanes that stand anywhere.
    pub(crate) fn threats(&self, point: Option<usize>) -> &[Threat] {
        let find = || {
            let points = 0..self.cycle.len();
            if points.clone().all(|it| self.picks(Some(it)).is_empty()) {
                return vec![Vec::new(); points.len()];
            }
            let samples = samples(self);
            points
                .zip(&samples)
                .map(|it| self.find_threats(it))
                .collect()
        };
        point.map_or(&[], |point| &self.threats.get_or_init(find)[point])
    }

    fn find_threats(&self, (point, samples): (usize, &Vec<Sample<P>>)) -> Vec<Threat> {
        let points = [point, self.after(point)];
        let known = points.map(|point| self.known(Some(point)));
        let stands = [0, 1].map(|it| Stand {
            known: &known[it],
            picks: self.picks(Some(points[it])),
        });
        steps::threats(&self.circuit, stands, &self.funds(samples))
    }

    /// The next point of the cycle.
    fn after(&self, point: usize) -> usize {
        (point + 1) % self.cycle.len()
    }

    /// The ways to win at once that are looked for at a point of the cycle. None are in lanes that
    /// stand anywhere.
    pub(crate) fn picks(&self, point: Option<usize>) -> &[Pick] {
        let find = || {
            let mut points = (0..self.cycle.len()).map(Some);
            if !points.any(|point| steps::may_decide(&self.circuit, &self.known(point))) {
                return vec![Vec::new(); self.cycle.len()];
            }
            let samples = samples(self);
            let points = samples.iter().enumerate();
            points.map(|it| self.find_picks(it)).collect()
        };
        point.map_or(&[], |point| &self.picks.get_or_init(find)[point])
    }

    fn find_picks(&self, (point, samples): (usize, &Vec<Sample<P>>)) -> Vec<Pick> {
        steps::picks(
            &self.circuit,
            &self.known(Some(point)),
            &self.funds(samples),
        )
    }

    /// What may be spent at a point of the cycle.
    fn funds<'s>(&self, samples: &'s [Sample<P>]) -> Funds<'s, P> {
        let turns = self.turns_from(Variant::default(), Some(0));
        let gates = turns.iter().map(|turn| turn.kernel.gates());
        let plain = gates.sum::<usize>() / turns.len();
        Funds {
            plain,
            more: plain * DECISIVE_GATES / 100,
            samples,
        }
    }

    /// What is known of each fluent at a point of the cycle, or anywhere.
    fn known(&self, point: Option<usize>) -> Vec<Option<bool>> {
        let fluents = self.circuit.fluents.len();
        match point {
            Some(point) => self.cycle.known(point, fluents),
            None => vec![None; fluents],
        }
    }

    fn compile(&self, variant: Variant, point: Option<usize>) -> TurnKernel<P> {
        let (decisive, list): (&[Pick], &[Threat]) = match variant.decisive {
            Decisive::No => (&[], &[]),
            Decisive::Wins => (self.picks(point), &[]),
            Decisive::Both => (self.picks(point), self.threats(point)),
        };
        let next = self.known(point.map(|it| self.after(it)));
        let threats = Some(Threats { known: &next, list });
        let options = TurnOptions {
            digits: variant.digits,
            goals: self.goals_in_step,
            moves: variant.counted,
            decisive,
            threats: threats.filter(|it| !it.list.is_empty()),
        };
        let turn = TurnPlan::new(&self.circuit, &self.known(point), options);
        let first = Kernel::<P>::INPUTS;
        TurnKernel {
            kernel: Kernel::stepping(&turn.plan, self.code, self.circuit.fluents.len(), 2),
            random: turn.random,
            weights: first + turn.inputs.weights.start..first + turn.inputs.weights.end,
        }
    }

    /// The record of turns that count moves, by weights of so many digits.
    pub(crate) fn record(&self, digits: usize) -> &RecordKernel<P> {
        self.records[digits].get_or_init(|| {
            let options = TurnOptions {
                digits,
                moves: true,
                ..TurnOptions::default()
            };
            let record = TurnInputs::new(&self.circuit, options).record;
            let record = record.expect("moves are recorded");
            let outputs = 2 + self.circuit.fluents.len() + self.worth.len();
            RecordKernel {
                hold: Kernel::new(&record.hold(outputs), self.code),
                record,
            }
        })
    }

    pub(crate) fn goals(&self) -> &Kernel<P> {
        let compile = || Kernel::new(&Goals::new(&self.circuit).plan, self.code);
        self.goals.get_or_init(compile)
    }

    pub(crate) fn view(&self) -> &Kernel<P> {
        let compile = || Kernel::new(&steps::view(&self.circuit), self.code);
        self.view.get_or_init(compile)
    }

    pub(crate) fn turn(&self) -> &Kernel<P> {
        let compile = || Kernel::new(&steps::turn(&self.circuit), self.code);
        self.turn.get_or_init(compile)
    }
}

/// Whether goals cost less as part of every step than to set last states aside and evaluate
/// goals for many at once. They may share most of their gates with the rest of the step.
fn goals_are_cheap(circuit: &Circuit, goals: &Goals, cycle: &Cycle) -> bool {
    let fluents = circuit.fluents.len();
    let limit = 2 * fluents;
    if goals.plan.gates.len() <= limit {
        return true;
    }
    if goals.plan.gates.len() > 10 * limit {
        return false;
    }
    let known = cycle.known(0, fluents);
    let gates = |goals| {
        let options = TurnOptions {
            goals,
            ..TurnOptions::default()
        };
        let turn = TurnPlan::new(circuit, &known, options);
        turn.plan.gates.len()
    };
    gates(true) - gates(false) <= limit
}
