//! Roles that choose at once: mixed strategies where two share a constant sum, else a choice
//! from which nobody wants to depart alone.

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

/// The mixed strategy that brings the one who chooses rows most, whatever the column, and what
/// it brings. `pay` is what a row brings against a column.
fn best_mix(rows: usize, columns: usize, pay: impl Fn(usize, usize) -> f64) -> (f64, Vec<f64>) {
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
    let solved = problem.solve().ok();
    let solved = solved.and_then(|outcome| outcome.into_solution().ok());
    let solved = solved.expect("a mixed strategy always exists, and no limit was set");
    let mix = weights.iter().map(|&it| solved[it].max(0.0)).collect();
    (solved[value], mix)
}

/// Mixed strategies of two whose payments have a constant sum: what the first gets, and both.
pub(super) fn mixed(pay: &[Vec<f64>], sum: f64) -> (f64, [Vec<f64>; 2]) {
    let (rows, columns) = (pay.len(), pay[0].len());
    let (value, first) = best_mix(rows, columns, |row, column| pay[row][column]);
    let (_, second) = best_mix(columns, rows, |column, row| sum - pay[row][column]);
    (value, [first, second])
}

/// The place of a joint choice from which no role gains by choosing otherwise alone; of several
/// the one that brings most to all together. Choices are numbered as digits of a number, the
/// last role fastest; `counts` says how many each role has, `pay` what each gets.
pub(super) fn equilibrium(counts: &[usize], pay: &[Vec<f64>]) -> Option<usize> {
    const NEAR: f64 = 1e-9;
    let stride = |role: usize| counts[role + 1..].iter().product::<usize>();
    let stable = |&place: &usize| {
        (0..counts.len()).all(|role| {
            let stride = stride(role);
            let digit = place / stride % counts[role];
            let base = place - digit * stride;
            (0..counts[role]).all(|it| pay[base + it * stride][role] <= pay[place][role] + NEAR)
        })
    };
    let sum = |place: usize| pay[place].iter().sum::<f64>();
    let places = (0..pay.len()).filter(stable);
    // The first of those that are as good.
    places.fold(None, |best: Option<usize>, place| match best {
        Some(best) if sum(best) >= sum(place) - NEAR => Some(best),
        _ => Some(place),
    })
}

#[cfg(test)]
mod tests {
    use super::{equilibrium, mixed};

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
        let pay: Vec<Vec<f64>> = pay.iter().map(|it| it.to_vec()).collect();
        assert_eq!(equilibrium(&[2, 2], &pay), Some(3));
        // To meet: the better of two.
        let pay = [[0.5, 0.5], [0.0, 0.0], [0.0, 0.0], [1.0, 1.0]];
        let pay: Vec<Vec<f64>> = pay.iter().map(|it| it.to_vec()).collect();
        assert_eq!(equilibrium(&[2, 2], &pay), Some(3));
        let pennies = [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [1.0, 0.0]];
        let pennies: Vec<Vec<f64>> = pennies.iter().map(|it| it.to_vec()).collect();
        assert_eq!(equilibrium(&[2, 2], &pennies), None);
    }
}
