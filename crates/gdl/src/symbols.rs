//! Names, interned per tree; and the words of the language among them.

use string_interner::backend::StringBackend;
use string_interner::symbol::SymbolU32;
use string_interner::{StringInterner, Symbol as _};

/// A name of one tree: a constant, a function, a relation or a variable.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u32);

impl Symbol {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn from_index(index: usize) -> Symbol {
        Symbol(index as u32)
    }
}

/// What kind of word a symbol is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// A name the author chose.
    Name,
    /// A variable: in prefix it starts with `?`.
    Variable,
    /// A word of the language.
    Keyword(Keyword),
}

macro_rules! keywords {
    ($($variant:ident $text:literal $arity:expr, $doc:literal;)*) => {
        /// The words of GDL and GDL-II. All but `<=` are read in any case.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Keyword { $(#[doc = $doc] $variant,)* }

        impl Keyword {
            /// Every keyword.
            pub const ALL: &[Keyword] = &[$(Keyword::$variant,)*];

            /// As it is written.
            pub fn text(self) -> &'static str {
                match self { $(Keyword::$variant => $text,)* }
            }

            /// How many arguments it takes, if that is fixed.
            pub fn arity(self) -> Option<usize> {
                match self { $(Keyword::$variant => $arity,)* }
            }
        }
    };
}

keywords! {
    Role "role" Some(1), "a seat in the game";
    Init "init" Some(1), "a fluent of the first state";
    True "true" Some(1), "a fluent of this state";
    Does "does" Some(2), "a role's move in this turn";
    Next "next" Some(1), "a fluent of the state that follows";
    Legal "legal" Some(2), "a move that a role may make";
    Goal "goal" Some(2), "what a role gets, 0 to 100";
    Terminal "terminal" Some(0), "the match is over";
    Base "base" Some(1), "a fluent that may come to hold";
    Input "input" Some(2), "a move that may come to be legal";
    Sees "sees" Some(2), "a percept of a role (GDL-II)";
    Distinct "distinct" Some(2), "two terms differ";
    Or "or" None, "one of several conditions holds";
    Not "not" Some(1), "a condition does not hold";
    And "and" None, "all conditions hold; not in the specification, but in use";
    Arrow "<=" None, "a rule: head, then conditions";
}

impl Keyword {
    /// Whether it is a connective, not a relation.
    pub fn is_connective(self) -> bool {
        use Keyword::{And, Arrow, Distinct, Not, Or};
        matches!(self, Distinct | Or | Not | And | Arrow)
    }

    fn find(text: &str) -> Option<Keyword> {
        const LONGEST: usize = "distinct".len();
        if text.len() > LONGEST {
            return None;
        }
        let known = |keyword: &&Keyword| text.eq_ignore_ascii_case(keyword.text());
        Keyword::ALL.iter().find(known).copied()
    }
}

/// The interner of one tree.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    interner: StringInterner<StringBackend<SymbolU32>>,
    words: Vec<Word>,
}

impl Symbols {
    pub(crate) fn intern(&mut self, text: &str) -> Symbol {
        let id = self.interner.get_or_intern(text).to_usize();
        if id == self.words.len() {
            self.words.push(Symbols::classify(text));
        }
        Symbol(id as u32)
    }

    pub(crate) fn find(&self, text: &str) -> Option<Symbol> {
        self.interner
            .get(text)
            .map(|id| Symbol(id.to_usize() as u32))
    }

    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        let id = SymbolU32::try_from_usize(symbol.index());
        id.and_then(|id| self.interner.resolve(id))
            .expect("a symbol belongs to the tree that made it")
    }

    pub(crate) fn word(&self, symbol: Symbol) -> Word {
        self.words[symbol.index()]
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    fn classify(text: &str) -> Word {
        match Keyword::find(text) {
            Some(keyword) => Word::Keyword(keyword),
            None if text.starts_with('?') => Word::Variable,
            None => Word::Name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_known_in_any_case() {
        let mut symbols = Symbols::default();
        let upper = symbols.intern("TRUE");
        assert_ne!(upper, symbols.intern("true"));
        assert_eq!(symbols.word(upper), Word::Keyword(Keyword::True));
        let variable = symbols.intern("?n++");
        assert_eq!(symbols.word(variable), Word::Variable);
        assert_eq!(symbols.intern("?n++"), variable);
    }
}
