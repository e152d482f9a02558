//! What lanes compute, as plans: the answers of a state, a turn, and a step of a playout.

mod choice;
pub(crate) mod cycle;

use crate::circuit::Circuit;
use crate::kernel::plan::Plan;
use crate::net::{Copies, Net, Wire};
use crate::steps::choice::{choose, most_random};

/// What a step computes besides.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Extras {
    None,
    /// Goals, as [`Goals`] has them.
    Goals,
    /// The moves that were done.
    #[cfg(test)]
    Moves,
}

/// One turn of a playout: from fluents and random bits, whether the match is over, where a
/// role has no legal move, the next fluents, and extras.
pub(crate) struct Step {
    pub(crate) plan: Plan,
    /// How many random words it needs: inputs after the fluents.
    pub(crate) random: usize,
}

impl Step {
    /// The step where some fluents are known, choosing by the weights of each role's moves.
    pub(crate) fn new(
        circuit: &Circuit,
        known: &[Option<bool>],
        weights: &[Vec<u32>],
        extras: Extras,
    ) -> Step {
        let mut net = Net::default();
        let mut copies = Copies::default();
        let outputs = &circuit.outputs;
        let fluent = |net: &mut Net, number: usize| match known[number] {
            Some(value) => Wire::FALSE.negated_if(value),
            None => net.input(number),
        };
        let of_state = outputs.legal.iter().flatten().copied();
        let needed = circuit.net.cone(of_state.chain([circuit.terminal()]));
        net.copy(&circuit.net, &needed, fluent, &mut copies);

        let fluents = circuit.fluents.len();
        let mut random = fluents;
        let mut done = Vec::new();
        let mut stuck = Vec::new();
        for (legal, weights) in outputs.legal.iter().zip(weights) {
            let legal: Vec<Wire> = legal.iter().map(|&wire| copies.of(wire)).collect();
            let choice = choose(&mut net, &legal, weights, &mut random);
            done.extend(choice.done);
            stuck.push(choice.none);
        }
        let stuck = net.any(stuck);
        let input = |net: &mut Net, number: usize| match number.checked_sub(fluents) {
            Some(number) => done[number],
            None => fluent(net, number),
        };
        let needed = circuit.net.cone(outputs.next.iter().copied());
        net.copy(&circuit.net, &needed, input, &mut copies);
        let next = outputs.next.iter().map(|&wire| copies.of(wire));
        let mut wanted: Vec<Wire> = [copies.of(circuit.terminal()), stuck]
            .into_iter()
            .chain(next)
            .collect();
        match extras {
            Extras::None => {}
            Extras::Goals => {
                let (goals, _) = goal_wires(circuit);
                let needed = circuit.net.cone(goals.iter().copied());
                net.copy(&circuit.net, &needed, fluent, &mut copies);
                wanted.extend(goals.into_iter().map(|wire| copies.of(wire)));
            }
            #[cfg(test)]
            Extras::Moves => wanted.extend(&done),
        }
        // All steps of a game have their outputs at the same place.
        let inputs = fluents + weights.iter().map(|it| most_random(it)).sum::<usize>();
        debug_assert!(random <= inputs);
        Step {
            plan: Plan::new(&net, inputs, &wanted),
            random: random - fluents,
        }
    }
}

/// From fluents: the end, every move's legality, every goal.
pub(crate) fn view(circuit: &Circuit) -> Plan {
    let outputs = &circuit.outputs;
    let goals = outputs.goals.iter().flatten().map(|&(_, wire)| wire);
    let legal = outputs.legal.iter().flatten().copied();
    let wanted: Vec<Wire> = [circuit.terminal()]
        .into_iter()
        .chain(legal)
        .chain(goals)
        .collect();
    Plan::new(&circuit.net, circuit.fluents.len(), &wanted)
}

/// From fluents and moves: the next fluents, every percept.
pub(crate) fn turn(circuit: &Circuit) -> Plan {
    let outputs = &circuit.outputs;
    let percepts = outputs.percepts.iter().flatten().map(|&(_, wire)| wire);
    let wanted: Vec<Wire> = outputs.next.iter().copied().chain(percepts).collect();
    let moves: usize = circuit.moves.iter().map(Vec::len).sum();
    Plan::new(&circuit.net, circuit.fluents.len() + moves, &wanted)
}

/// What decides goals that count for anything, each once, and what it is worth to whom.
pub(crate) struct Goals {
    pub(crate) plan: Plan,
    /// For each output, roles and values.
    pub(crate) worth: Vec<Vec<(usize, u32)>>,
}

impl Goals {
    pub(crate) fn new(circuit: &Circuit) -> Goals {
        let (wires, worth) = goal_wires(circuit);
        let plan = Plan::new(&circuit.net, circuit.fluents.len(), &wires);
        Goals { plan, worth }
    }
}

fn goal_wires(circuit: &Circuit) -> (Vec<Wire>, Vec<Vec<(usize, u32)>>) {
    let mut wires: Vec<Wire> = Vec::new();
    let mut worth: Vec<Vec<(usize, u32)>> = Vec::new();
    for (role, goals) in circuit.outputs.goals.iter().enumerate() {
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
