//! Hashes that are the same on every machine and in every build: FNV-1a of 64 bits.

use game::{Game, GroundProgram, Literal};

/// A hash that grows by texts and numbers.
#[derive(Copy, Clone, Debug)]
pub(super) struct Fingerprint(u64);

impl Fingerprint {
    pub(super) fn new() -> Fingerprint {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    /// Adds a text, with its length, so that two texts are not the same as one.
    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    /// The hash.
    pub(super) fn value(self) -> u64 {
        self.0
    }

    /// The hash of a whole text.
    pub(super) fn of_text(text: &str) -> u64 {
        let mut print = Fingerprint::new();
        print.bytes(text.as_bytes());
        print.value()
    }
}

/// The fingerprint of a game: what its ids are called, in their order, and its ground rules. None
/// without a ground program, as ids then differ from run to run.
pub fn of_game(game: &Game) -> Option<u64> {
    let ground = game.ground()?;
    let mut print = Fingerprint::new();
    let mut list = |texts: &mut dyn Iterator<Item = String>| {
        let texts: Vec<String> = texts.collect();
        print.number(texts.len() as u64);
        texts.iter().for_each(|it| print.text(it));
    };
    let text = |&term: &_| ground.terms().text(term);
    list(&mut ground.roles().iter().map(text));
    list(&mut ground.fluents().iter().map(text));
    for role in ground.role_ids() {
        list(&mut ground.moves(role).iter().map(text));
        list(&mut ground.goals(role).iter().map(|goal| text(&goal.0)));
    }
    of_rules(ground, &mut print);
    Some(print.value())
}

/// Adds the rules: two games may have the same words and mean something else by them.
fn of_rules(ground: &GroundProgram, print: &mut Fingerprint) {
    let initial = ground.initial().words();
    initial.iter().for_each(|&word| print.number(word));
    for node in ground.state_nodes().chain(ground.turn_nodes()) {
        print.number(ground.bodies(node).count() as u64);
        ground.bodies(node).for_each(|it| literals(it, print));
    }
    literals(ground.next(), print);
    literals(&[ground.terminal()], print);
    for role in ground.role_ids() {
        literals(ground.legal(role), print);
        let goals: Vec<Literal> = ground.goals(role).iter().map(|goal| goal.1).collect();
        literals(&goals, print);
    }
}

fn literals(literals: &[Literal], print: &mut Fingerprint) {
    print.number(literals.len() as u64);
    for &literal in literals {
        print.number(match literal.node() {
            Some((node, holds)) => (node as u64) << 1 | u64::from(!holds),
            None => u64::MAX - u64::from(literal == Literal::TRUE),
        });
    }
}
