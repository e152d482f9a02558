//! Properties of every text that may be a record: run by a seeded test, and by a fuzz target.

use game::{Game, Limits};
use gdl::{Policy, ReadLimits};
use record::MatchFile;
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// A small game for two, with a legal move that brings the match on and one that does not.
pub const RULES: &str = "
    (role left) (role right) (init (step 1)) (after 1 2) (after 2 3)
    (<= (legal ?r wait) (role ?r)) (<= (legal ?r (go ?n)) (role ?r) (true (step ?n)))
    (<= (next (step ?n)) (true (step ?m)) (after ?m ?n) (does left (go ?m)))
    (<= (next (step ?m)) (true (step ?m)) (does left wait))
    (<= terminal (true (step 3))) (goal left 100) (goal right 0)";

static GAME: LazyLock<Game> = LazyLock::new(|| {
    let tree = gdl::read(RULES.into(), None, &ReadLimits::default());
    let program = gdl::check(tree, &Policy::lenient()).program;
    Game::of(&program.expect("the rules are right"), &Limits::default())
});

/// The game.
pub fn game() -> &'static Game {
    &GAME
}

/// Reading, replaying and verifying a text neither panics nor contradicts itself.
pub fn records_never_panic(bytes: &[u8]) {
    if let Ok(whole) = serde_json::from_slice::<Map<String, Value>>(bytes) {
        record::signed(whole);
    }
    let Ok(file) = serde_json::from_slice::<MatchFile>(bytes) else {
        return;
    };
    let record = file.record(game(), &mut game().scratch());
    if file.verify(game()).is_ok() {
        let record = record.expect("a file that is right is a record");
        record.replay(game()).expect("and can be replayed");
        let text = file.text(None).expect("and written again");
        let again: MatchFile = serde_json::from_str(&text).expect("and read again");
        assert_eq!(again.verify(game()), Ok(()), "{text}");
    }
}
