//! Policies against slow references: worths by going through all playouts again, choices by
//! chi-square. Seeds are fixed.

use super::knowledge::{Act, Knowledge, Quality};
use super::mast::{Learns, Mast, draw, weigh};
use super::nst::Nst;
use super::past::Past;
use super::{Legal, Policy, PolicySettings, Wanted};
use crate::Budget;
use crate::kit::{Batch, By, Evaluate, Playouts, Thread};
use game::{Bits, BitsBuf, Decisive, Game, Limits, MoveId, RoleId};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::{Arc, Mutex};

/// One role chooses one of four, once; each brings something else.
const FOUR: &str = "(role r) (init start) (num 1) (num 2) (num 3) (num 4)
    (<= (legal r (take ?n)) (num ?n)) (<= (next (took ?n)) (does r (take ?n)))
    (<= terminal (not (true start)))
    (<= (goal r 100) (true (took 1))) (<= (goal r 60) (true (took 2)))
    (<= (goal r 50) (true (took 3))) (<= (goal r 0) (true (took 4)))";
const ROLE: RoleId = RoleId::new(0);

pub(super) fn load(rules: &str) -> Game {
    Game::load(rules, &Limits::default()).expect("rules are right")
}

/// Two roles mark the cells of a row of five in turn; whoever has the third cell wins.
fn row() -> Game {
    load(
        "(role a) (role b) (init (control a)) (cell 1) (cell 2) (cell 3) (cell 4) (cell 5)
        (<= (taken ?c) (true (mark ?r ?c)))
        (<= (legal ?r (put ?c)) (true (control ?r)) (cell ?c) (not (taken ?c)))
        (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
        (<= (next (mark ?r ?c)) (does ?r (put ?c))) (<= (next (mark ?r ?c)) (true (mark ?r ?c)))
        (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
        (<= open (cell ?c) (not (taken ?c))) (<= terminal (not open))
        (<= (goal ?r 100) (true (mark ?r 3))) (<= (goal a 0) (true (mark b 3)))
        (<= (goal b 0) (true (mark a 3)))",
    )
}

/// Below this the chi-square of k - 1 degrees of freedom lies but for a chance below 1e-9
/// (Wilson-Hilferty).
pub(crate) fn threshold(choices: usize) -> f64 {
    let freedom = choices as f64 - 1.0;
    let spread = 2.0 / (9.0 * freedom);
    freedom * (1.0 - spread + 6.1 * f64::sqrt(spread)).powi(3)
}

pub(crate) fn chi_square(counts: &[u64], shares: &[f64]) -> f64 {
    let all = counts.iter().sum::<u64>() as f64;
    let whole: f64 = shares.iter().sum();
    let pairs = counts.iter().zip(shares);
    pairs
        .map(|(&count, share)| {
            let expected = all * share / whole;
            (count as f64 - expected).powi(2) / expected
        })
        .sum()
}

#[test]
fn mast_weighs_moves_as_gibbs_does() {
    let game = load(FOUR);
    let shared = Knowledge::new(&game);
    for (number, value) in [0.8, 0.6, 0.5, 0.3].into_iter().enumerate() {
        shared.lock().moves[(ROLE, MoveId::new(number))] = Quality {
            playouts: 1e6,
            sum: 1e6 * value,
        };
    }
    let weights = weigh(&shared.lock(), 0.2);
    let mean: f64 = 0.55;
    for (number, value) in [0.8f64, 0.6, 0.5, 0.3].into_iter().enumerate() {
        let wanted = (4.0 * ((value - mean) / 0.2).exp())
            .round()
            .clamp(1.0, 15.0);
        assert_eq!(f64::from(weights.of_role(ROLE)[number]), wanted, "{number}");
    }
    let shares: Vec<f64> = weights.values().iter().map(|&it| f64::from(it)).collect();
    let mut counts = [0; 4];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let walk = game.walk();
    for _ in 0..40_000 {
        let drawn = draw(&weights, &Legal::new(&walk, ROLE), &mut random).expect("there are moves");
        counts[drawn.index()] += 1;
    }
    assert!(chi_square(&counts, &shares) < threshold(4), "{counts:?}");
}

/// Lanes tell which of the four was taken by what it brought.
#[test]
fn lanes_choose_by_the_weights_of_mast() {
    let game = load(FOUR);
    let shared = Arc::new(Knowledge::new(&game));
    for (number, value) in [0.3, 0.8, 0.5, 0.6].into_iter().enumerate() {
        shared.lock().moves[(ROLE, MoveId::new(number))] = Quality {
            playouts: 1e9,
            sum: 1e9 * value,
        };
    }
    let settings = PolicySettings::named("mast", Wanted::Is(Decisive::No));
    let weights = weigh(&shared.lock(), settings.tau);
    let policy = Mast::new(&shared, settings, (Learns::All, false));
    let mut playouts = Playouts::new(&game, game.lanes(), policy).sharing(Some(40_000));
    let mut thread = Thread::new(&game, 1, &Budget::Iterations(1));
    let first = thread.walk.state().to_owned();
    let batch = Batch {
        states: &[&first],
        by: By::Lanes,
    };
    let mut out = Vec::new();
    playouts.evaluate(&mut thread, &batch, &mut out);
    let moves = out[0].moves.as_ref().expect("moves are counted");
    let counts: Vec<u64> = moves.values().iter().map(|it| it.playouts).collect();
    let shares: Vec<f64> = weights.values().iter().map(|&it| f64::from(it)).collect();
    assert_eq!(counts.iter().sum::<u64>(), 40_000);
    assert!(chi_square(&counts, &shares) < threshold(4), "{counts:?}");
    // What was learned is what the playouts of each move brought.
    let learned = shared.lock();
    for (number, tally) in moves.values().iter().enumerate() {
        let quality = learned.moves.of_role(ROLE)[number];
        assert!(quality.playouts >= tally.playouts as f32);
    }
}

/// A playout as it was: states, joint moves and values.
#[derive(Clone, Default)]
pub(super) struct Played {
    pub(super) turns: Vec<(BitsBuf, Vec<MoveId>)>,
    pub(super) values: Vec<f32>,
}

/// Notes what a policy is told, so that it can be gone through again.
struct Noting<P> {
    policy: P,
    now: Played,
    all: Arc<Mutex<Vec<Played>>>,
}

impl<P: Policy> Policy for Noting<P> {
    fn runs_in_lanes(&self) -> bool {
        false
    }

    fn pick(&mut self, legal: &Legal<'_, '_>, random: &mut Xoshiro256PlusPlus) -> Option<MoveId> {
        self.policy.pick(legal, random)
    }

    fn decisive(&self) -> Decisive {
        self.policy.decisive()
    }

    fn begin(&mut self) {
        self.now = Played::default();
        self.policy.begin();
    }

    fn played(&mut self, state: &Bits, joint: &[MoveId]) {
        self.now.turns.push((state.to_owned(), joint.to_vec()));
        self.policy.played(state, joint);
    }

    fn ended(&mut self, values: &[f32]) {
        self.now.values = values.to_vec();
        let mut all = self.all.lock().expect("no other thread");
        all.push(self.now.clone());
        self.policy.ended(values);
    }
}

/// Plays out some times, and returns all playouts.
fn play(game: &Game, policy: impl Policy, times: usize) -> Vec<Played> {
    play_from(game, policy, (game.walk().state(), times))
}

/// Plays a state out some times, one by one, and returns all playouts.
pub(super) fn play_from(
    game: &Game,
    policy: impl Policy,
    (first, times): (&Bits, usize),
) -> Vec<Played> {
    let all = Arc::new(Mutex::new(Vec::new()));
    let noting = Noting {
        policy,
        now: Played::default(),
        all: Arc::clone(&all),
    };
    let mut playouts = Playouts::new(game, None, noting);
    let mut thread = Thread::new(game, 1, &Budget::Iterations(1));
    let batch = Batch {
        states: &[first],
        by: By::One,
    };
    let mut out = Vec::new();
    for _ in 0..times {
        playouts.evaluate(&mut thread, &batch, &mut out);
    }
    drop(playouts);
    let all = all.lock().expect("no other thread");
    all.clone()
}

/// The mean of what playouts brought a role in which something held at a turn.
fn mean_of(
    all: &[Played],
    role: RoleId,
    holds: impl Fn(&Played, usize) -> bool,
) -> Option<(f32, f32)> {
    let (mut count, mut sum) = (0.0, 0.0);
    for played in all {
        for turn in 0..played.turns.len() {
            if holds(played, turn) {
                count += 1.0;
                sum += played.values[role.index()];
            }
        }
    }
    (count > 0.0).then(|| (count, sum / count))
}

fn did(played: &Played, turn: Option<usize>, act: Act) -> bool {
    turn.is_some_and(|turn| played.turns[turn].1[act.0.index()] == act.1)
}

#[test]
fn nst_is_what_sequences_brought() {
    let game = row();
    let shared = Arc::new(Knowledge::new(&game));
    let all = play(
        &game,
        Nst::new(&game, &shared, PolicySettings::default()),
        300,
    );
    let learned = shared.lock();
    assert!(learned.sequences.len() > 100);
    for (sequence, quality) in &learned.sequences {
        let [two, one, last] = *sequence;
        let last = last.expect("a sequence ends with a move");
        let one = one.expect("and has one before");
        let found = mean_of(&all, last.0, |it, turn| {
            did(it, Some(turn), last)
                && turn > 0
                && did(it, Some(turn - 1), one)
                && two.is_none_or(|two| turn > 1 && did(it, Some(turn - 2), two))
        });
        // A sequence starts with the move of a role that had a choice; the others are the same.
        let (count, mean) = found.expect("it was played");
        assert_eq!(quality.playouts, count, "{sequence:?}");
        assert!((quality.mean((0.0, 0.0)) - mean).abs() < 1e-4);
    }
    for (role, action, quality) in learned.moves.iter() {
        let found = mean_of(&all, role, |it, turn| did(it, Some(turn), (role, action)));
        assert_eq!(quality.playouts, found.map_or(0.0, |it| it.0));
    }
}

#[test]
fn past_is_what_pairs_of_fluents_and_moves_brought() {
    let game = row();
    let shared = Arc::new(Knowledge::new(&game));
    let all = play(
        &game,
        Past::new(&game, &shared, PolicySettings::default()),
        200,
    );
    let learned = shared.lock();
    assert!(learned.pairs.len() > 100);
    for (&(fluent, act), quality) in &learned.pairs {
        let found = mean_of(&all, act.0, |it, turn| {
            did(it, Some(turn), act) && it.turns[turn].0.holds(fluent)
        });
        let (count, mean) = found.expect("it was played");
        assert_eq!(quality.playouts, count);
        assert!((quality.mean((0.0, 0.0)) - mean).abs() < 1e-4);
    }
}

#[test]
fn the_last_good_reply_is_kept_until_it_loses() {
    let game = row();
    let shared = Arc::new(Knowledge::new(&game));
    let policy = super::lgr::Lgr::new(&game, &shared, (1, PolicySettings::default()));
    let all = play(&game, policy, 300);
    // The last word on each reply, by going through all playouts in order.
    let mut wanted: std::collections::HashMap<(RoleId, Act), MoveId> = Default::default();
    for played in &all {
        for turn in 1..played.turns.len() {
            for role in [0, 1].map(RoleId::new) {
                let other = RoleId::new(1 - role.index());
                let action = played.turns[turn].1[role.index()];
                let last = (other, played.turns[turn - 1].1[other.index()]);
                if played.values[role.index()] > 0.5 {
                    wanted.insert((role, last), action);
                } else if wanted.get(&(role, last)) == Some(&action) {
                    wanted.remove(&(role, last));
                }
            }
        }
    }
    let learned = shared.lock();
    assert!(!wanted.is_empty());
    assert_eq!(learned.replies.len(), wanted.len());
    for (&(role, last, earlier), action) in &learned.replies {
        assert_eq!(earlier, None);
        assert_eq!(wanted.get(&(role, last)), Some(action));
    }
}

/// The third cell is what the game is about.
#[test]
fn policies_learn_which_move_is_good() {
    let game = row();
    let put = |cell: &str| {
        let names = game.moves(ROLE).expect("moves are numbered");
        let mut all = MoveId::all(names.len());
        let text = |it| game.scratch().terms().text(game.move_term(ROLE, it));
        all.find(|&it| text(it) == format!("(put {cell})"))
            .expect("there is such a move")
    };
    for name in ["nst", "past", "mast", "fast"] {
        let shared = Arc::new(Knowledge::new(&game));
        let policy =
            PolicySettings::named(name, Wanted::Is(Decisive::No)).make(&game, &shared, false);
        let mut playouts = Playouts::new(&game, game.lanes(), policy);
        let mut thread = Thread::new(&game, 1, &Budget::Iterations(1));
        let first = thread.walk.state().to_owned();
        let batch = Batch {
            states: &[&first],
            by: By::Lanes,
        };
        let mut out = Vec::new();
        for _ in 0..400 {
            playouts.evaluate(&mut thread, &batch, &mut out);
        }
        let weights = weigh(&shared.lock(), 0.1);
        let (good, other) = (weights[(ROLE, put("3"))], weights[(ROLE, put("1"))]);
        assert!(good > other, "{name}: {good} and {other}");
    }
}

#[test]
fn decisive_moves_are_taken_in_lanes() {
    let game = load(FOUR);
    let Some(lanes) = game.lanes() else { return };
    let shared = Arc::new(Knowledge::new(&game));
    let mut values = Vec::new();
    for decisive in [Decisive::No, Decisive::Wins, Decisive::Both] {
        let policy =
            PolicySettings::named("uniform", Wanted::Is(decisive)).make(&game, &shared, false);
        let mut playouts = Playouts::new(&game, Some(lanes), policy).sharing(Some(4096));
        let mut thread = Thread::new(&game, 1, &Budget::Iterations(1));
        let first = thread.walk.state().to_owned();
        let batch = Batch {
            states: &[&first],
            by: By::Lanes,
        };
        let mut out = Vec::new();
        playouts.evaluate(&mut thread, &batch, &mut out);
        values.push(out[0].values[0]);
    }
    assert!(values[0] < 0.6, "four moves of 52.5 on the average");
    assert_eq!(values[1..], [1.0, 1.0]);
}
