//! GDL → the input language of clingo, rule by rule.
//!
//! Many states are asked about at once: whatever depends on the state gets its number as a
//! first argument. Constants are strings and functions tuples, so that every name of GDL can
//! be written; relations and variables are names with unusual characters in hexadecimal.

use gdl::{Atom, Clause, Formula, Keyword, Leaf, Predicate, Program, Relation, Term};
use std::collections::HashSet;

/// The variable for the number of the state: no translated one has this name.
const STATE: &str = "State";

/// All that follows from the facts of the states is to be shown, and nothing else. What
/// follows from a joint move is shown where there was one.
const SHOWN: &str = "
#show init_/1.
#show terminal_/1.
#show legal_(S,R,M) : legal_(S,R,M), role_(R).
#show goal_(S,R,G) : goal_(S,R,G), role_(R).
#show next_(S,F) : next_(S,F), does_(S,_,_).
#show sees_(S,R,P) : sees_(S,R,P), role_(R), does_(S,_,_).
";

/// A program for clingo; the facts `state`, `true_` and `does_` have to be added.
pub fn translate(program: &Program) -> String {
    let translator = Translator {
        program,
        of_state: of_state(program),
    };
    let rules = program.clauses().map(|clause| translator.rules(clause));
    format!("{}{SHOWN}", rules.collect::<String>())
}

/// A sentence whose relation is a keyword.
pub fn sentence(keyword: Keyword, arguments: &[String]) -> String {
    application(&keyword_name(keyword), arguments)
}

/// A term, from its name and its arguments.
pub fn term(name: &str, arguments: &[String]) -> String {
    let name = format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
    match arguments {
        [] => name,
        _ => format!("({name},{})", arguments.join(",")),
    }
}

/// The predicates that depend on the state or the joint move, and all that is asked of one.
fn of_state(program: &Program) -> HashSet<Predicate> {
    let always = [
        (Keyword::True, 1),
        (Keyword::Does, 2),
        (Keyword::Next, 1),
        (Keyword::Legal, 2),
        (Keyword::Goal, 2),
        (Keyword::Sees, 2),
        (Keyword::Terminal, 0),
    ];
    let always = always.map(|(keyword, arity)| Predicate {
        relation: Relation::Keyword(keyword),
        arity,
    });
    let mut found = HashSet::from(always);
    loop {
        let before = found.len();
        for clause in program.clauses() {
            let conditions = clause.conditions();
            if (conditions.iter()).any(|(_, atom)| found.contains(&atom.predicate())) {
                found.insert(clause.head().predicate());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

struct Translator<'p> {
    program: &'p Program,
    of_state: HashSet<Predicate>,
}

impl Translator<'_> {
    /// A rule for each way to meet the conditions.
    fn rules(&self, clause: Clause<'_>) -> String {
        let head = self.atom(clause.head());
        let state = match self.of_state.contains(&clause.head().predicate()) {
            true => vec![format!("state({STATE})")],
            false => Vec::new(),
        };
        let ways = self.ways(&clause.body());
        let rules = ways.into_iter().map(|way| {
            let body: Vec<String> = state.iter().cloned().chain(way).collect();
            match body.is_empty() {
                true => format!("{head}.\n"),
                false => format!("{head} :- {}.\n", body.join(", ")),
            }
        });
        rules.collect()
    }

    /// The disjunctive normal form.
    fn ways(&self, formula: &Formula<'_>) -> Vec<Vec<String>> {
        match formula {
            Formula::Leaf(leaf) => vec![vec![self.leaf(*leaf)]],
            Formula::Any(parts) => parts.iter().flat_map(|part| self.ways(part)).collect(),
            Formula::All(parts) => parts.iter().fold(vec![Vec::new()], |ways, part| {
                let more = self.ways(part);
                let joined = |way: &Vec<String>| {
                    let joined = more.iter().map(|more| [&way[..], &more[..]].concat());
                    joined.collect::<Vec<_>>()
                };
                ways.iter().flat_map(joined).collect()
            }),
        }
    }

    fn leaf(&self, leaf: Leaf<'_>) -> String {
        match leaf {
            Leaf::Atom { positive, atom } => {
                let sign = if positive { "" } else { "not " };
                format!("{sign}{}", self.atom(atom))
            }
            Leaf::Distinct {
                positive,
                left,
                right,
            } => {
                let sign = if positive { "!=" } else { "=" };
                format!("{} {sign} {}", self.term(left), self.term(right))
            }
        }
    }

    fn atom(&self, atom: Atom<'_>) -> String {
        let name = match atom.relation() {
            Relation::Keyword(keyword) => keyword_name(keyword),
            Relation::Named(name) => format!("r_{}", plain(self.program.text(name))),
        };
        let state = self.of_state.contains(&atom.predicate());
        let state = state.then(|| STATE.to_string());
        let arguments = atom.arguments().map(|argument| self.term(argument));
        let arguments: Vec<String> = state.into_iter().chain(arguments).collect();
        application(&name, &arguments)
    }

    fn term(&self, it: Term<'_>) -> String {
        let name = self.program.text(it.name());
        if it.is_variable() {
            return format!("V_{}", plain(name));
        }
        let arguments: Vec<String> = it.arguments().map(|it| self.term(it)).collect();
        term(name, &arguments)
    }
}

fn keyword_name(keyword: Keyword) -> String {
    // Some keywords of GDL are clingo's too.
    format!("{keyword:?}_").to_lowercase()
}

fn application(name: &str, arguments: &[String]) -> String {
    match arguments {
        [] => name.to_string(),
        _ => format!("{name}({})", arguments.join(",")),
    }
}

/// A name in letters, digits and underscores; different names stay different.
fn plain(name: &str) -> String {
    let plain = name.bytes().map(|byte| match byte.is_ascii_alphanumeric() {
        true => char::from(byte).to_string(),
        false => format!("_{byte:02x}"),
    });
    plain.collect()
}
