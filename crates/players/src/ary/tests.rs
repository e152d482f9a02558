//! Merges against a slow reference, which looks at every move and every report again.

use super::{Merge, Report, RootMove};
use game::MoveId;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const MOVES: usize = 14;
const MERGES: [Merge; 4] = [Merge::Sum, Merge::Sum10, Merge::Raw, Merge::Best];

/// A search of a root whose moves it tried some times each, and closed some of.
fn report(random: &mut Xoshiro256PlusPlus) -> Report {
    let mut below = |most: u64| random.next_u64() % most;
    let moves = MoveId::all(MOVES).map(|action| {
        let visits = below(40);
        RootMove {
            action,
            visits,
            sum: visits as f64 * below(9) as f64 / 8.0,
            closed: below(8) == 0,
        }
    });
    let moves: Vec<RootMove> = moves.collect();
    let closed = moves.iter().find(|it| it.closed).map(|it| it.action);
    let known = closed.filter(|_| below(2) == 0);
    Report {
        known: known.map(|it| (it, below(9) as f64 / 8.0)),
        proven: known.is_some() && below(10) == 0,
        moves,
        ..Report::default()
    }
}

/// What a search reports of its open moves: the best so many, found one by one.
fn told(report: &Report, most: usize) -> Vec<RootMove> {
    let mut left: Vec<RootMove> = report.moves.clone();
    left.retain(|it| !it.closed && it.visits > 0);
    let mut told = Vec::new();
    while told.len() < most && !left.is_empty() {
        let visits = left.iter().map(|it| it.visits).max();
        let place = left.iter().position(|it| Some(it.visits) == visits);
        told.extend(place.map(|it| left.remove(it)));
    }
    told
}

/// How good a move is by a merge, and what it is worth; none if it is no candidate.
fn score(merge: Merge, reports: &[Report], action: MoveId) -> Option<(f64, f64)> {
    let is_closed = |it: &&RootMove| it.action == action && it.closed;
    if reports
        .iter()
        .any(|it| it.moves.iter().any(|it| is_closed(&it)))
    {
        return None;
    }
    let most = match merge {
        Merge::Sum | Merge::Raw => MOVES,
        Merge::Sum10 => 10,
        Merge::Best => 1,
    };
    let all = reports.iter().flat_map(|it| told(it, most));
    let all: Vec<RootMove> = all.filter(|it| it.action == action).collect();
    let first = all.first()?;
    let visits: u64 = all.iter().map(|it| it.visits).sum();
    let sum: f64 = all.iter().map(|it| it.sum).sum();
    let means = all.iter().map(|it| it.sum / it.visits as f64);
    Some(match merge {
        Merge::Sum | Merge::Sum10 => (visits as f64, sum / visits as f64),
        Merge::Raw => {
            let mean = means.sum::<f64>() / all.len() as f64;
            (mean, mean)
        }
        Merge::Best => {
            let mean = means.fold(first.sum / first.visits as f64, f64::max);
            (mean, mean)
        }
    })
}

/// The value of the move to play, and all moves that may be played for it.
fn reference(merge: Merge, reports: &[Report]) -> Option<(f64, Vec<MoveId>)> {
    if let Some(proven) = reports.iter().find(|it| it.proven) {
        return proven.known.map(|it| (it.1, vec![it.0]));
    }
    let scored = MoveId::all(MOVES).filter_map(|it| Some((it, score(merge, reports, it)?)));
    let scored: Vec<(MoveId, (f64, f64))> = scored.collect();
    let known: Vec<(MoveId, f64)> = reports.iter().filter_map(|it| it.known).collect();
    let best_known = known.iter().map(|it| it.1).fold(f64::MIN, f64::max);
    let best = scored.iter().map(|it| it.1.0).fold(f64::MIN, f64::max);
    let tried = scored.iter().find(|it| it.1.0 == best).map(|it| it.1.1);
    match tried {
        Some(value) if best_known <= value => {
            let best = scored.iter().filter(|it| it.1.0 == best && it.1.1 == value);
            Some((value, best.map(|it| it.0).collect()))
        }
        _ if known.is_empty() => None,
        _ => {
            let best = known.iter().filter(|it| it.1 == best_known);
            Some((best_known, best.map(|it| it.0).collect()))
        }
    }
}

#[test]
fn merges_agree_with_a_slow_reference() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut proven, mut known) = (0, 0);
    for round in 0..4000 {
        let count = random.next_u64() % 6;
        let reports: Vec<Report> = (0..count).map(|_| report(&mut random)).collect();
        for merge in MERGES {
            let mut sent = reports.clone();
            sent.iter_mut().for_each(|it| it.leave(merge.most()));
            let found = merge.decide(&sent);
            let wanted = reference(merge, &reports);
            assert_eq!(found.is_some(), wanted.is_some(), "{round} {merge:?}");
            if let (Some(found), Some((value, moves))) = (found, wanted) {
                assert!((found.value - value).abs() < 1e-9, "{round} {merge:?}");
                assert!(moves.contains(&found.action), "{round} {merge:?}");
                proven += usize::from(found.proven);
                known += usize::from(reports.iter().any(|it| it.known.is_some()));
            }
        }
    }
    assert!(proven > 100 && known > 1000, "{proven} {known}: too few");
}

#[test]
fn ten_and_one_of_many_moves_are_told() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    for _ in 0..100 {
        let whole = report(&mut random);
        for (merge, most) in [(Merge::Sum10, 10), (Merge::Best, 1)] {
            let mut left = whole.clone();
            left.leave(merge.most());
            let closed = |it: &Report| it.moves.iter().filter(|it| it.closed).count();
            assert_eq!(closed(&left), closed(&whole), "closed moves are all told");
            assert!(left.moves.len() - closed(&left) <= most);
        }
    }
}
