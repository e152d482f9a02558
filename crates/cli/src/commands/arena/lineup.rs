//! Who plays what: arguments → rules that were read, and players that agree to play them.

use super::super::{program, remote};
use super::bar::Bar;
use crate::args::Arena;
use crate::input;
use crate::progress::Spinner;
use anstream::eprintln;
use anyhow::{Result, anyhow, bail};
use arena::{Clocks, GameEntry, Occasion, admit, fingerprint};
use game::{Engine, Game, Limits};
use gdl::Program;
use players::{BadOption, Player, Seat, roster};
use server::remote::{Address, Dialect, Form, Match, Remote, Wording};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// Games and players. Games are read, not loaded.
pub(crate) struct Lineup {
    programs: Vec<Program>,
    pub(crate) entries: Vec<GameEntry>,
    pub(crate) players: Vec<String>,
}

impl Lineup {
    /// Reads all rules; none if some were refused, which was reported.
    pub(crate) fn read(arguments: &Arena) -> Result<Option<Lineup>> {
        let mut lineup = Lineup {
            programs: Vec::new(),
            entries: Vec::new(),
            players: players(arguments.players.as_deref().unwrap_or("")),
        };
        let mut refused = false;
        for path in &arguments.files {
            let title = input::title(path);
            let spinner = Spinner::new(&title, arguments.quiet);
            match program(path, &arguments.reading, &spinner)? {
                Some(program) => lineup.add(title, program),
                None => refused = true,
            }
        }
        Ok((!refused).then_some(lineup))
    }

    fn add(&mut self, name: String, program: Program) {
        let text = program.tree().source().text();
        let roles = program.roles().iter();
        let seats = roles.filter(|&&role| !program.text(role).eq_ignore_ascii_case("random"));
        self.entries.push(GameEntry {
            name,
            rules: format!("{:016x}", fingerprint(text.as_bytes())),
            seats: seats.count(),
        });
        self.programs.push(program);
    }

    /// Asks every player whether it plays every game, before anything is played.
    pub(crate) fn admit(&self) -> Result<()> {
        for (program, entry) in self.programs.iter().zip(&self.entries) {
            let game = Game::new(program, Engine::Interpreter, &Limits::default());
            let game = Arc::new(game?);
            for player in self.players.iter().filter(|it| !remote::is_address(it)) {
                admit(player, &game).map_err(|reason| match reason {
                    arena::NotAdmitted::Option(_) => {
                        anyhow!(reason).context("`ludex players` lists all players")
                    }
                    arena::NotAdmitted::Refusal(_) => anyhow!(reason).context(entry.name.clone()),
                })?;
            }
        }
        Ok(())
    }

    /// Whether players somewhere else take part.
    pub(crate) fn is_remote(&self) -> bool {
        self.players.iter().any(|it| remote::is_address(it))
    }

    /// Asks players somewhere else whether they are there.
    pub(crate) fn call(&self, clocks: Clocks) -> Result<()> {
        let mut addresses = self.players.iter().filter(|it| remote::is_address(it));
        match clocks {
            Clocks::Times { start, play } if self.is_remote() => {
                remote::warn_of_clocks([start, play]);
            }
            Clocks::Iterations { .. } if self.is_remote() => {
                bail!("players elsewhere have clocks, and do not count iterations");
            }
            _ => {}
        }
        addresses.try_for_each(|it| remote::who(it).map(drop))
    }

    /// What makes players when they are needed.
    pub(crate) fn maker(
        &self,
    ) -> impl Fn(&str, Seat, &Occasion) -> Result<Box<dyn Player>, BadOption> + Send + Sync + use<>
    {
        let programs = self.programs.iter().filter(|_| self.is_remote());
        let wordings = programs.map(|program| Arc::new(Wording::plain(program.tree())));
        let wordings: Vec<Arc<Wording>> = wordings.collect();
        move |name, seat, occasion| {
            let (Ok(address), Clocks::Times { start, play }) =
                (name.parse::<Address>(), occasion.clocks)
            else {
                return roster::player(name, seat);
            };
            let common = Match {
                id: occasion.id.clone(),
                wording: Arc::clone(&wordings[occasion.game]),
                start_clock: start,
                play_clock: play,
                grace: occasion.grace,
                form: Form::default(),
                dialect: Dialect::default(),
            };
            Ok(Box::new(Remote::new(address, common, seat)))
        }
    }

    /// What loads games when they are needed.
    pub(crate) fn loader(
        self,
        bar: &Bar,
    ) -> impl Fn(usize) -> Result<Arc<Game>, String> + Send + Sync + use<> {
        let bar = bar.bar.clone();
        move |number| {
            let name = &self.entries[number].name;
            bar.set_message(format!("loading {name}"));
            let (game, reason) = Game::for_play(&self.programs[number], &Limits::default());
            if let Some(reason) = reason {
                let text = format!("ludex: {name}: only the interpreter plays it: {reason}");
                bar.suspend(|| eprintln!("{text}"));
            }
            Ok(Arc::new(game))
        }
    }
}

/// Players as they are written, with commas between them and between their options: what
/// has `=` but no name before it belongs to the player before.
fn players(text: &str) -> Vec<String> {
    let mut players: Vec<String> = Vec::new();
    for piece in text.split(',').map(str::trim).filter(|it| !it.is_empty()) {
        let is_option = piece.contains('=') && !piece.contains(':');
        match players.last_mut().filter(|_| is_option) {
            Some(player) => *player += &format!(",{piece}"),
            None => players.push(piece.to_string()),
        }
    }
    players
}

/// What this program was built from: players of another build may play in another way.
pub(crate) fn build() -> String {
    let version = env!("CARGO_PKG_VERSION");
    match std::env::current_exe().and_then(|it| file_fingerprint(&it)) {
        Ok(fingerprint) => format!("{version} {fingerprint:016x}"),
        Err(_) => version.to_string(),
    }
}

/// The fingerprint of a large file, read piece by piece.
fn file_fingerprint(path: &Path) -> io::Result<u64> {
    let (mut file, mut piece, mut prints) = (File::open(path)?, Vec::new(), Vec::new());
    while (&mut file).take(1 << 20).read_to_end(&mut piece)? > 0 {
        prints.extend(fingerprint(&piece).to_le_bytes());
        piece.clear();
    }
    Ok(fingerprint(&prints))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_stay_with_their_player() {
        let text = "uct:c=0.6,batch=32,random, uct:lanes=no";
        assert_eq!(
            players(text),
            ["uct:c=0.6,batch=32", "random", "uct:lanes=no"]
        );
        assert_eq!(players("uct,"), ["uct"]);
        let text = "http://localhost:9147,uct:c=1";
        assert_eq!(players(text), ["http://localhost:9147", "uct:c=1"]);
        assert!(players("").is_empty());
    }
}
