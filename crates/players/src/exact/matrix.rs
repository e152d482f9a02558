//! Roles that choose at once: mixed strategies where two share a constant sum, else a choice
//! from which nobody wants to depart alone.

use super::joint::Pay;
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

/// A mixed strategy, and what it brings.
type Mix = (f64, Vec<f64>);

/// The mixed strategy that brings the one who chooses rows most, whatever the column, and what
/// it brings. `pay` is what a row brings against a column. None if the numbers defeat the simplex.
fn best_mix(rows: usize, columns: usize, pay: impl Fn(usize, usize) -> f64) -> Option<Mix> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let value = problem.add_var(1.0, (f64::NEG_INFINITY, f64::INFINITY));
    let weights: Vec<Variable> = (0..rows)
        .map(|_| problem.add_var(0.0, (0.0, 1.0)))
        .collect();
    let all: Vec<(Variable, f64)> = weights.iter().map(|&it| (it, 1.0)).collect();
    problem.add_constraint(&all[..], ComparisonOp::Eq, 1.0);
    for column in 0..columns {
        let mut terms: Vec<(Variable, f64)> = (weights.iter().enumerate())
            .map(|(row, &it)| (it, pay(row, column)))
            .collect();
        terms.push((value, -1.0));
        problem.add_constraint(&terms[..], ComparisonOp::Ge, 0.0);
    }
    let solved = problem.solve().ok()?.into_solution().ok()?;
    let mix: Vec<f64> = weights.iter().map(|&it| solved[it].max(0.0)).collect();
    let sound = (mix.iter().sum::<f64>() - 1.0).abs() < 1e-6 && solved[value].is_finite();
    sound.then(|| (solved[value], mix))
}

/// Mixed strategies of two whose payments have a constant sum: what the first gets, and both.
/// `pay` is what the first gets by row and column.
pub(super) fn mixed(
    [rows, columns]: [usize; 2],
    pay: impl Fn(usize, usize) -> f64,
    sum: f64,
) -> Option<(f64, [Vec<f64>; 2])> {
    let (value, first) = best_mix(rows, columns, &pay)?;
    let (_, second) = best_mix(columns, rows, |column, row| sum - pay(row, column))?;
    Some((value, [first, second]))
}

/// The place of a joint choice from which no role gains by choosing otherwise alone; of several
/// the one that brings most to all together. Choices are numbered as digits of a number, the
/// last role fastest; `counts` says how many each role has. A role with one has no say.
pub(super) fn equilibrium(counts: &[usize], pay: &Pay) -> Option<usize> {
    const NEAR: f64 = 1e-9;
    let mut stable = vec![true; counts.iter().product()];
    let mut stride = 1;
    for (role, &count) in counts.iter().enumerate().rev() {
        for first in (0..stable.len()).filter(|place| count > 1 && place / stride % count == 0) {
            let choices = (first..).step_by(stride).take(count);
            let all = choices.clone().map(|place| pay.of(place, role));
            let best = all.fold(f64::NEG_INFINITY, f64::max);
            for place in choices {
                stable[place] &= pay.of(place, role) >= best - NEAR;
            }
        }
        stride *= count;
    }
    let choosing = |role: &usize| counts[*role] > 1;
    let of_role = |place: usize| move |role: usize| pay.of(place, role);
    let sum = |place| -> f64 {
        let roles = (0..counts.len()).filter(choosing);
        roles.map(of_role(place)).sum()
    };
    let places = (0..stable.len()).filter(|&place| stable[place]);
    // The first of those that are as good.
    places.fold(None, |best: Option<usize>, place| match best {
        Some(best) if sum(best) >= sum(place) - NEAR => Some(best),
        _ => Some(place),
    })
}

#[cfg(test)]
mod tests {
    use super::super::joint::Pay;
    use super::equilibrium;

    fn mixed(pay: &[Vec<f64>], sum: f64) -> (f64, [Vec<f64>; 2]) {
        let sides = [pay.len(), pay[0].len()];
        super::mixed(sides, |row, column| pay[row][column], sum).unwrap()
    }

    fn stable(counts: &[usize], pay: &[[f64; 2]]) -> Option<usize> {
        let pay = Pay::new(2, pay.iter().flatten().copied().collect());
        equilibrium(counts, &pay)
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn rock_paper_scissors_is_mixed() {
        let pay = [[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]];
        let pay: Vec<Vec<f64>> = pay.iter().map(|row| row.to_vec()).collect();
        let (value, strategies) = mixed(&pay, 1.0);
        assert!(near(value, 0.5));
        for weight in strategies.iter().flatten() {
            assert!(near(*weight, 1.0 / 3.0), "{strategies:?}");
        }
    }

    /// The value of a 2×2 game without a saddle is (ad − bc) / (a + d − b − c).
    #[test]
    fn two_by_two_games_have_the_value_of_the_formula() {
        let pay = vec![vec![0.9, 0.2], vec![0.3, 0.6]];
        let (value, [first, _]) = mixed(&pay, 1.0);
        assert!(near(
            value,
            (0.9 * 0.6 - 0.2 * 0.3) / (0.9 + 0.6 - 0.2 - 0.3)
        ));
        assert!(near(first[0], 0.3));
    }

    #[test]
    fn a_dominated_row_is_not_played() {
        let pay = vec![vec![0.5, 0.6], vec![0.4, 0.1]];
        let (value, [first, second]) = mixed(&pay, 1.0);
        assert!(near(value, 0.5) && near(first[0], 1.0) && near(second[0], 1.0));
    }

    #[test]
    fn nobody_departs_alone_from_an_equilibrium() {
        // The prisoners: to confess is the only equilibrium.
        let pay = [[0.6, 0.6], [0.0, 1.0], [1.0, 0.0], [0.2, 0.2]];
        assert_eq!(stable(&[2, 2], &pay), Some(3));
        // To meet: the better of two.
        let pay = [[0.5, 0.5], [0.0, 0.0], [0.0, 0.0], [1.0, 1.0]];
        assert_eq!(stable(&[2, 2], &pay), Some(3));
        let pennies = [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [1.0, 0.0]];
        assert_eq!(stable(&[2, 2], &pennies), None);
    }
}
