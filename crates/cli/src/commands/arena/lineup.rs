//! The games and players of an experiment, from arguments.

use super::super::matches::listed;
use super::super::{program, remote};
use super::bar::Bar;
use crate::args::{Arena, Reading};
use crate::input;
use crate::memory::Shelf;
use crate::processes;
use crate::progress::Spinner;
use anstream::eprintln;
use anyhow::{Result, bail};
use arena::{Clocks, Lineup, LoadGame, Makers, Occasion};
use game::{Engine, Game, Limits};
use gdl::Program;
use players::{BadMemory, BadOption, Player, Seat};
use server::remote::{Address, Dialect, Form, Match, Remote, Wording};
use std::sync::Arc;

/// Rules that were read, and who plays them. Games are loaded when they are needed.
pub(crate) struct Entries {
    names: Vec<String>,
    programs: Vec<Program>,
    /// What loading a game may cost.
    reading: Reading,
    pub(crate) lineup: Lineup,
    /// Where games are remembered, if they are.
    pub(crate) shelf: Option<Arc<Shelf>>,
}

impl Entries {
    /// Reads all rules; none if some were refused, which was reported.
    pub(crate) fn read(arguments: &Arena) -> Result<Option<Entries>> {
        let players = listed(&arguments.players);
        let mut entries = Entries {
            names: Vec::new(),
            programs: Vec::new(),
            reading: arguments.reading.clone(),
            lineup: Lineup::new(players),
            shelf: shelf(arguments)?,
        };
        let mut refused = false;
        for path in &arguments.files {
            let title = input::title(path);
            let spinner = Spinner::new(&title, arguments.quiet);
            match program(path, &arguments.reading, &spinner)? {
                Some(program) => entries.add(title, program)?,
                None => refused = true,
            }
        }
        Ok((!refused).then_some(entries))
    }

    fn add(&mut self, name: String, program: Program) -> Result<()> {
        let game = Game::new(&program, Engine::Interpreter, &Limits::default())?;
        let text = program.tree().source().text();
        self.lineup.add(&name, text, game);
        self.names.push(name);
        self.programs.push(program);
        Ok(())
    }

    /// Asks every player whether it plays every game, before anything is played.
    pub(crate) fn admit(&self) -> Result<()> {
        Ok(self.lineup.admit(&self.makers())?)
    }

    /// Asks players elsewhere whether they are there.
    pub(crate) fn call(&self, clocks: Clocks) -> Result<()> {
        match clocks {
            Clocks::Times { start, play } if self.lineup.has_addresses() => {
                remote::warn_of_clocks([start, play]);
            }
            Clocks::Iterations { .. } if self.lineup.has_addresses() => {
                bail!("players at addresses need clocks: give --clock instead of --iterations");
            }
            _ => {}
        }
        let mut addresses = self.lineup.addresses();
        addresses.try_for_each(|it| remote::who(it).map(drop))
    }

    /// Makes players, also those elsewhere, with what is remembered of their game.
    pub(crate) fn makers(&self) -> Makers {
        let makers = self.makers_without_memory();
        let makers = makers.with_helpers(processes::helpers());
        match self.shelf.clone() {
            Some(shelf) => makers.with_memory(move |number| shelf.find(number)),
            None => makers,
        }
    }

    fn makers_without_memory(&self) -> Makers {
        if !self.lineup.has_addresses() {
            return Makers::roster();
        }
        let programs = self.programs.iter();
        let wordings = programs.map(|program| Arc::new(Wording::plain(program.tree())));
        let wordings = Wordings(wordings.collect());
        Makers::with_remote(move |address, seat, occasion| wordings.player(address, seat, occasion))
    }

    /// Loads games when they are needed.
    pub(crate) fn loader(self, bar: &Bar) -> Arc<LoadGame> {
        let (names, programs, bar) = (self.names, self.programs, bar.bar.clone());
        let (reading, shelf) = (self.reading, self.shelf);
        Arc::new(move |number| {
            let name = &names[number];
            bar.set_message(format!("loading {name}"));
            let game = Game::of(&programs[number], &reading.limits());
            if let Some(reason) = game.fallback() {
                let text = format!("ludex: {name}: only the interpreter plays it: {reason}");
                bar.suspend(|| eprintln!("{text}"));
            }
            let taken = shelf.as_ref().map(|it| it.take(number, &game));
            if !taken
                .transpose()
                .map_err(|it| it.to_string())?
                .unwrap_or(true)
            {
                bar.suspend(|| eprintln!("ludex: {name}: {}", BadMemory::NoIds));
            }
            Ok(Arc::new(game))
        })
    }
}

/// Where games are remembered, if they are.
fn shelf(arguments: &Arena) -> Result<Option<Arc<Shelf>>> {
    let Arena { files, reading, .. } = arguments;
    let shelf = |folder| Shelf::new(folder, files, reading.max_bytes).map(Arc::new);
    arguments.memory.as_deref().map(shelf).transpose()
}

/// The rules as they are sent to players elsewhere, game by game.
struct Wordings(Vec<Arc<Wording>>);

impl Wordings {
    /// The player at an address.
    fn player(
        &self,
        address: &str,
        seat: Seat,
        occasion: &Occasion,
    ) -> Result<Box<dyn Player>, BadOption> {
        let (Ok(address), Clocks::Times { start, play }) =
            (address.parse::<Address>(), occasion.clocks)
        else {
            let (name, advice) = (address.to_string(), String::new());
            return Err(BadOption::Name { name, advice });
        };
        let common = Match {
            id: occasion.id.clone(),
            wording: Arc::clone(&self.0[occasion.game]),
            start_clock: start,
            play_clock: play,
            grace: occasion.grace,
            form: Form::default(),
            dialect: Dialect::default(),
        };
        Ok(Box::new(Remote::new(address, common, seat)))
    }
}
