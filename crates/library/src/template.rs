//! A rule sheet to begin with: small, complete, and commented for someone who writes their first.
//!
//! The game is three in a row for any number of players on a board of any size. Invariant: every
//! match ends, as each turn fills a square; each role has a move in every state, and one goal at
//! each end.

use std::fmt::Write;

/// What the players are called, in their order.
const ROLES: [&str; 6] = ["x", "o", "a", "b", "c", "d"];
/// What roles a game may have.
const COUNTS: [&str; 6] = [
    "one player",
    "two players",
    "three players",
    "four players",
    "five players",
    "six players",
];
/// Sides of a board: a line has three squares, and larger boards do not fit a screen.
const SIDES: std::ops::RangeInclusive<usize> = 3..=30;

/// What a sheet is to be like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// What the game is called.
    pub title: String,
    /// How many roles it has.
    pub roles: usize,
    /// How many columns and rows the board has.
    pub board: (usize, usize),
}

/// A sheet that cannot be made.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTemplate {
    /// Too few or too many roles.
    #[error("a new game has 1 to {} roles, not {}", ROLES.len(), .0)]
    Roles(usize),
    /// A side of the board is too short or too long.
    #[error("a new board has sides of {} to {} squares, not {} by {}",
            SIDES.start(), SIDES.end(), .0, .1)]
    Board(usize, usize),
}

impl Template {
    /// The sheet, in the prefix syntax.
    pub fn sheet(&self) -> Result<String, BadTemplate> {
        let (columns, rows) = self.board;
        if !(1..=ROLES.len()).contains(&self.roles) {
            return Err(BadTemplate::Roles(self.roles));
        }
        if !SIDES.contains(&columns) || !SIDES.contains(&rows) {
            return Err(BadTemplate::Board(columns, rows));
        }
        let mut text = self.header();
        self.write_facts(&mut text);
        text += STATE;
        let _ = writeln!(text, "(init (control {}))\n", ROLES[0]);
        text += MOVES;
        text += LINES;
        text += self.goals().as_str();
        Ok(text)
    }

    fn header(&self) -> String {
        let (columns, rows) = self.board;
        let who = COUNTS[self.roles - 1];
        let title = &self.title;
        let does = match self.roles {
            1 => "marks",
            _ => "in turn mark",
        };
        format!(
            "; {title}: {who} {does} the squares of a board of {columns} by {rows}; three in a row,\n\
             ; across, down or aslant, win.\n\
             ;\n\
             ; A sheet tells who plays, how a match begins, which moves are legal, what they change,\n\
             ; and when it ends with which goals. Change one thing at a time, and ask what is wrong:\n\
             ;\n\
             ;   ludex check --play FILE       every problem, as it is written and as it is played\n\
             ;   ludex show playthrough FILE   a match of random moves, to read\n\
             ;   ludex play FILE               play it\n\
             ;\n\
             ; What begins with a question mark is a variable. A rule (<= head condition ...) holds\n\
             ; for all values of its variables that make its conditions true.\n\n"
        )
    }

    /// Roles, their order, and the squares.
    fn write_facts(&self, text: &mut String) {
        let (columns, rows) = self.board;
        *text += "; Who plays. A role called random would be chance: it draws its moves.\n";
        let roles = &ROLES[..self.roles];
        for role in roles {
            let _ = writeln!(text, "(role {role})");
        }
        *text += "\n; Whose turn follows whose.\n";
        for (place, role) in roles.iter().enumerate() {
            let after = roles[(place + 1) % roles.len()];
            let _ = writeln!(text, "(after {role} {after})");
        }
        *text += "\n; The board, and which number follows which: GDL cannot count by itself.\n";
        for column in 1..=columns {
            let _ = writeln!(text, "(column {column})");
        }
        for row in 1..=rows {
            let _ = writeln!(text, "(row {row})");
        }
        for number in 1..columns.max(rows) {
            let _ = writeln!(text, "(follows {number} {})", number + 1);
        }
        text.push('\n');
    }

    /// When a match ends, and what each role gets.
    fn goals(&self) -> String {
        let shared = 100 / self.roles;
        let lost = match self.roles {
            1 => String::new(),
            _ => "(<= (goal ?player 0)\n    (role ?player)\n    (won ?other)\n    \
                  (distinct ?player ?other))\n"
                .to_string(),
        };
        let shared = if self.roles == 1 { 0 } else { shared };
        format!(
            "; A match ends when this holds; it has to hold some day, whatever is played.\n\
             (<= terminal\n    (won ?player))\n\
             (<= terminal (not open))\n\n\
             ; What each role gets then, from 0 to 100. Each role needs exactly one goal in each end.\n\
             (<= (goal ?player 100)\n    (won ?player))\n\
             {lost}\
             (<= (goal ?player {shared})\n    (role ?player)\n    (not decided))\n\
             (<= decided\n    (won ?player))\n"
        )
    }
}

/// What holds in a state, and at the beginning.
const STATE: &str = "\
; What can hold in a state, and what each role can do at all. Players do well without these,
; but they tell a reader what a state is.
(<= (base (cell ?column ?row ?mark))
    (column ?column)
    (row ?row)
    (mark ?mark))
(<= (base (control ?player)) (role ?player))
(<= (input ?player (put ?column ?row))
    (role ?player)
    (column ?column)
    (row ?row))
(<= (input ?player noop) (role ?player))
(mark blank)
(<= (mark ?player) (role ?player))

; What holds at the beginning.
(<= (init (cell ?column ?row blank))
    (column ?column)
    (row ?row))
";

/// Legal moves, and what they change.
const MOVES: &str = "\
; Legal moves. Each role needs at least one in every state, so whoever waits has noop.
(<= (legal ?player (put ?column ?row))
    (true (control ?player))
    (true (cell ?column ?row blank)))
(<= (legal ?player noop)
    (role ?player)
    (not (true (control ?player))))

; What holds after a move. What is not told to hold on is gone.
(<= (next (cell ?column ?row ?player)) (does ?player (put ?column ?row)))
(<= (next (cell ?column ?row ?mark))
    (true (cell ?column ?row ?mark))
    (not (taken ?column ?row)))
(<= (taken ?column ?row) (does ?player (put ?column ?row)))
(<= (next (control ?other))
    (true (control ?player))
    (after ?player ?other))

";

/// What follows from a state.
const LINES: &str = "\
; Names for what follows from a state: three in a row, and that a square is free.
(<= (won ?player)
    (role ?player)
    (follows ?x1 ?x2)
    (follows ?x2 ?x3)
    (true (cell ?x1 ?y ?player))
    (true (cell ?x2 ?y ?player))
    (true (cell ?x3 ?y ?player)))
(<= (won ?player)
    (role ?player)
    (follows ?y1 ?y2)
    (follows ?y2 ?y3)
    (true (cell ?x ?y1 ?player))
    (true (cell ?x ?y2 ?player))
    (true (cell ?x ?y3 ?player)))
(<= (won ?player)
    (role ?player)
    (follows ?x1 ?x2)
    (follows ?x2 ?x3)
    (follows ?y1 ?y2)
    (follows ?y2 ?y3)
    (true (cell ?x1 ?y1 ?player))
    (true (cell ?x2 ?y2 ?player))
    (true (cell ?x3 ?y3 ?player)))
(<= (won ?player)
    (role ?player)
    (follows ?x1 ?x2)
    (follows ?x2 ?x3)
    (follows ?y1 ?y2)
    (follows ?y2 ?y3)
    (true (cell ?x1 ?y3 ?player))
    (true (cell ?x2 ?y2 ?player))
    (true (cell ?x3 ?y1 ?player)))
(<= open (true (cell ?column ?row blank)))

";
