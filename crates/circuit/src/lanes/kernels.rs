//! Everything lanes of one width run, compiled when first needed.

use crate::circuit::Circuit;
use crate::kernel::{Code, Kernel};
use crate::steps::cycle::Cycle;
use crate::steps::{self, Extras, Goals, Step};
use std::sync::{Arc, OnceLock};

/// The kernels of a circuit; shared by all threads.
#[derive(Debug)]
pub(crate) struct Kernels<const P: usize> {
    pub(crate) circuit: Arc<Circuit>,
    code: Code,
    /// For each role the weights of its moves.
    weights: Vec<Vec<u32>>,
    pub(crate) cycle: Cycle,
    /// A step at each point of the cycle.
    steps: Vec<OnceLock<StepKernel<P>>>,
    /// A step of lanes that stand anywhere.
    general: OnceLock<StepKernel<P>>,
    goals: OnceLock<Kernel<P>>,
    /// What each output of goals is worth to whom.
    pub(crate) worth: Vec<Vec<(usize, u32)>>,
    /// Whether goals are part of every step: where they cost little.
    pub(crate) goals_in_step: bool,
    view: OnceLock<Kernel<P>>,
    turn: OnceLock<Kernel<P>>,
}

/// A step of a playout. Inputs are fluents, then random words. Outputs are the end, lanes
/// without a legal move, the next fluents, and goals if they are part of it.
#[derive(Debug)]
pub(crate) struct StepKernel<const P: usize> {
    pub(crate) kernel: Kernel<P>,
    pub(crate) random: usize,
}

impl<const P: usize> Kernels<P> {
    pub(crate) fn new(circuit: Arc<Circuit>, code: Code, weights: Vec<Vec<u32>>) -> Kernels<P> {
        let cycle = Cycle::new(&circuit);
        let goals = Goals::new(&circuit);
        let goals_in_step = goals_are_cheap(&circuit, &goals, &cycle, &weights);
        Kernels {
            steps: (0..cycle.len()).map(|_| OnceLock::new()).collect(),
            general: OnceLock::new(),
            goals: OnceLock::new(),
            worth: goals.worth,
            goals_in_step,
            view: OnceLock::new(),
            turn: OnceLock::new(),
            circuit,
            code,
            weights,
            cycle,
        }
    }

    /// The steps from a point of the cycle on, once round; or the one that serves anywhere.
    pub(crate) fn steps_from(&self, point: Option<usize>) -> Vec<&StepKernel<P>> {
        let Some(first) = point else {
            return vec![self.step(None)];
        };
        let points = (first..self.cycle.len()).chain(0..first);
        points.map(|point| self.step(Some(point))).collect()
    }

    /// The step at a point of the cycle, or anywhere.
    pub(crate) fn step(&self, point: Option<usize>) -> &StepKernel<P> {
        let cell = point.map_or(&self.general, |point| &self.steps[point]);
        cell.get_or_init(|| {
            let fluents = self.circuit.fluents.len();
            let known = match point {
                Some(point) => self.cycle.known(point, fluents),
                None => vec![None; fluents],
            };
            let extras = match self.goals_in_step {
                true => Extras::Goals,
                false => Extras::None,
            };
            let step = Step::new(&self.circuit, &known, &self.weights, extras);
            StepKernel {
                kernel: Kernel::stepping(&step.plan, self.code, fluents, 2),
                random: step.random,
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
fn goals_are_cheap(circuit: &Circuit, goals: &Goals, cycle: &Cycle, weights: &[Vec<u32>]) -> bool {
    let fluents = circuit.fluents.len();
    let limit = 2 * fluents;
    if goals.plan.gates.len() <= limit {
        return true;
    }
    if goals.plan.gates.len() > 10 * limit {
        return false;
    }
    let known = cycle.known(0, fluents);
    let gates = |extras| Step::new(circuit, &known, weights, extras).plan.gates.len();
    gates(Extras::Goals) - gates(Extras::None) <= limit
}
