//! What solving networks and looking ahead in them does in matches of `mac-ucb` or `fc-ucb` against
//! itself: how many states are looked at, what that removes and teaches, and what it costs.

use crate::load::{self, NotLoaded, Unmeasured};
use crate::{Table, Watch, limits, papers, random};
use game::{Game, MoveId, RoleId, Walk};
use library::OurGame;
use players::kit::crew::Work;
use players::{Budget, Observation, Player, Seat, roster};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Games that are measured beside those of Table 2 of P1.
const MORE: [&str; 5] = [
    "breakthrough",
    "connect-four",
    "pentago",
    "quarto",
    "knight-through",
];

const HEAD: [&str; 10] = [
    "game",
    "solved",
    "nodes of a network",
    "looked at",
    "with a removal",
    "removed per state",
    "nogoods",
    "uses of each",
    "µs per look",
    "of the time",
];

/// How matches are played.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The player that sits on every seat.
    pub player: String,
    /// Iterations of each player in each turn.
    pub iterations: u64,
    /// Turns that are played at most.
    pub turns: usize,
    /// The seed of the players and of chance.
    pub seed: u64,
}

/// What the players did in a match, or why they did not play.
#[derive(Clone, Debug)]
pub struct Figures {
    game: &'static str,
    /// What was done, and how long it took.
    work: Result<(Work, Duration), String>,
}

/// The names of the games that are measured if none is given.
pub fn usual() -> Vec<String> {
    let ours = |name: &&str| library::find(name).is_some();
    let names = papers::names().chain(MORE).filter(ours);
    names.map(String::from).collect()
}

/// Plays a match of a game.
pub fn measure(
    game: OurGame,
    settings: &Settings,
    watch: &impl Watch,
) -> Result<Figures, Unmeasured> {
    let unmeasured = |reason: NotLoaded| Unmeasured {
        game: game.name,
        reason,
    };
    let loaded = {
        let task = watch.begin("reading", game.name);
        load::ours_for_play(game, &limits(&task)).map_err(unmeasured)?
    };
    let loaded = Arc::new(loaded);
    let _task = watch.begin("playing", game.name);
    let work = match loaded.ahead() {
        Some(Ok(_)) => play(&loaded, settings),
        Some(Err(reason)) => Err(format!("no network: {reason}")),
        None => Err("no ground program".to_string()),
    };
    Ok(Figures {
        game: game.name,
        work,
    })
}

/// Plays until the match is over, or for so many turns; what all players did, and how long the
/// match took. The time spent by threads would not do: the look from the root is not in it.
fn play(game: &Arc<Game>, settings: &Settings) -> Result<(Work, Duration), String> {
    let began = Instant::now();
    let mut seats: Vec<Option<Box<dyn Player>>> = Vec::new();
    for role in game.role_ids() {
        let plays = game.chance() != Some(role);
        let seat = plays.then(|| seated(game, role, settings)).transpose()?;
        seats.push(seat);
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
    let mut walk = game.walk();
    for turn in 0..settings.turns {
        if walk.terminal() {
            break;
        }
        let budget = Budget::Iterations(settings.iterations);
        let mut joint = Vec::new();
        for (role, seat) in game.role_ids().zip(&mut seats) {
            let action = match seat {
                Some(player) => chosen((&mut **player, role), (&walk, turn), &budget),
                None => random::any(&walk.legal(role), &mut random).copied(),
            };
            joint.push(action.ok_or("a role has no move")?);
        }
        walk.play(&joint);
    }
    let mut work = Work::default();
    for player in seats.iter().flatten() {
        work += player.work();
    }
    Ok((work, began.elapsed()))
}

fn seated(game: &Arc<Game>, role: RoleId, settings: &Settings) -> Result<Box<dyn Player>, String> {
    let seat = Seat {
        game: Arc::clone(game),
        threads: 1,
        role,
        seed: settings.seed,
        memory: None,
        helpers: None,
    };
    let mut player = roster::player(&settings.player, seat).map_err(|reason| reason.to_string())?;
    let refused = player.start(&Budget::Iterations(1));
    refused.map_err(|reason| reason.to_string())?;
    Ok(player)
}

/// What a player does in the state of a walk.
fn chosen(
    (player, role): (&mut dyn Player, RoleId),
    (walk, turn): (&Walk<'_>, usize),
    budget: &Budget,
) -> Option<MoveId> {
    let legal = walk.legal(role);
    if legal.is_empty() {
        return None;
    }
    player.observe(&Observation {
        turn,
        state: Some(walk.state()),
        legal: &legal,
        joint: None,
        percepts: &[],
        own: None,
    });
    player.choose(budget).ok().map(|it| it.action)
}

/// The figures, a row a game.
pub fn table(all: &[Figures], settings: &Settings) -> Table {
    let title = format!(
        "Look-ahead of {} against itself: {} iterations a turn, up to {} turns",
        settings.player, settings.iterations, settings.turns
    );
    let notes = [
        "solved: states whose network was solved; nodes of a network: values tried in those of \
         tables; looked at: those whose moves were tested for \
         what follows; with a removal: those of them in which a move was refuted or won; of the \
         time: the share of the match that looking took",
    ];
    Table {
        title,
        notes: notes.map(String::from).to_vec(),
        ..Table::new(HEAD, all.iter().map(row))
    }
}

fn row(figures: &Figures) -> [String; 10] {
    let game = figures.game.to_string();
    let (work, spent) = match &figures.work {
        Ok(done) => done,
        Err(reason) => {
            let mut row: [String; 10] = Default::default();
            (row[0], row[1]) = (game, reason.clone());
            return row;
        }
    };
    let looked = &work.looked;
    let looks = looked.ends + looked.deep;
    let per = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
    let percent = |part, whole| format!("{:.0} %", 100.0 * per(part, whole));
    [
        game,
        looked.solved.to_string(),
        match looked.tables {
            0 => "–".to_string(),
            tables => format!("{:.1}", per(looked.tried, tables)),
        },
        percent(looked.ends.min(looked.solved), looked.solved),
        percent(looked.fruitful, looks),
        format!("{:.2}", per(looked.removed, looked.solved)),
        looked.learned.to_string(),
        format!("{:.1}", per(looked.reused, looked.learned)),
        format!("{:.0}", per(looked.nanoseconds, looks) / 1000.0),
        percent(looked.nanoseconds, spent.as_nanos() as u64),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    #[test]
    fn a_match_of_tic_tac_toe_has_removals() {
        let settings = Settings {
            player: "mac-ucb".to_string(),
            iterations: 20,
            turns: 20,
            seed: 1,
        };
        let game = library::find("tic-tac-toe").unwrap();
        let figures = measure(game, &settings, &Silent).unwrap();
        let looked = figures.work.as_ref().unwrap().0.looked;
        assert!(looked.ends > 0);
        assert!(looked.removed > 0 && looked.learned > 0);
        let text = table(&[figures], &settings).text();
        assert!(text.contains("\ntic-tac-toe"), "{text}");
    }

    #[test]
    fn all_usual_games_are_ours() {
        assert_eq!(usual().len(), 20);
    }
}
