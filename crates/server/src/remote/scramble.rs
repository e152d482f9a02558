//! The rules as they are sent, with other words in the place of theirs if that is wanted.

use crate::message::words;
use gdl::{Node, Tree};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::{HashMap, HashSet};

/// Rules, and which words stand for which.
#[derive(Clone, Debug)]
pub struct Wording {
    rules: String,
    /// For each word of ours the one that is sent, and back, in lower case.
    out: HashMap<String, String>,
    back: HashMap<String, String>,
}

impl Wording {
    /// The rules in their own words.
    pub fn plain(tree: &Tree) -> Wording {
        Wording::new(tree, HashMap::new())
    }

    /// The rules in words that say nothing.
    pub fn scrambled(tree: &Tree, seed: u64) -> Wording {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let names = tree.forms().flat_map(Node::descendants);
        let names = names
            .filter(|it| it.keyword().is_none())
            .filter_map(Node::text);
        let (mut out, mut taken) = (HashMap::new(), HashSet::new());
        for name in names.filter(|it| is_free(it)) {
            if !out.contains_key(name) {
                let word = word(&mut random, &mut taken);
                let mark = if name.starts_with('?') { "?" } else { "" };
                out.insert(name.to_string(), format!("{mark}{word}"));
            }
        }
        Wording::new(tree, out)
    }

    fn new(tree: &Tree, out: HashMap<String, String>) -> Wording {
        let mut rules = String::new();
        for form in tree.forms() {
            write(form, &out, &mut rules);
        }
        let back = out.iter().map(|(own, sent)| (sent.clone(), own.clone()));
        let back = back.collect();
        Wording { rules, out, back }
    }

    /// The text of the rules.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// Whether words stand for others.
    pub fn is_scrambled(&self) -> bool {
        !self.out.is_empty()
    }

    /// A term as it is sent.
    pub fn out(&self, term: &str) -> String {
        replace(term, &self.out)
    }

    /// A term that was received; in lower case, if words stand for others.
    pub fn back(&self, term: &str) -> String {
        match self.is_scrambled() {
            true => replace(&term.to_lowercase(), &self.back),
            false => term.to_string(),
        }
    }
}

/// Whether a word may stand for another: numbers and the name of chance may not.
fn is_free(word: &str) -> bool {
    word.parse::<i64>().is_err() && !word.eq_ignore_ascii_case("random")
}

/// A word that can be spoken, and was not taken.
fn word(random: &mut Xoshiro256PlusPlus, taken: &mut HashSet<String>) -> String {
    const CONSONANTS: &[u8] = b"bdfgklmnprstvz";
    const VOWELS: &[u8] = b"aeiou";
    loop {
        let mut word = String::new();
        for place in 0..7 {
            let letters = if place % 2 == 0 { CONSONANTS } else { VOWELS };
            let letter = letters[random.next_u64() as usize % letters.len()];
            word.push(char::from(letter));
        }
        if taken.insert(word.clone()) {
            return word;
        }
    }
}

/// Writes a form without comments.
fn write(form: Node<'_>, map: &HashMap<String, String>, text: &mut String) {
    let needs_blank = |text: &str| !text.is_empty() && !text.ends_with(['(', ')']);
    if let Some(name) = form.text() {
        if needs_blank(text) || text.ends_with(')') {
            text.push(' ');
        }
        text.push_str(map.get(name).map_or(name, String::as_str));
        return;
    }
    if needs_blank(text) {
        text.push(' ');
    }
    text.push('(');
    for child in form.children() {
        write(child, map, text);
    }
    text.push(')');
}

/// A term with other words in it.
fn replace(term: &str, map: &HashMap<String, String>) -> String {
    if map.is_empty() {
        return term.to_string();
    }
    let mut result = String::new();
    let mut word = String::new();
    let term = words(term);
    for symbol in term.chars().chain([' ']) {
        if !matches!(symbol, ' ' | '(' | ')') {
            word.push(symbol);
            continue;
        }
        result.push_str(map.get(&word).unwrap_or(&word));
        word.clear();
        result.push(symbol);
    }
    result.pop();
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdl::{ReadLimits, Source, Syntax};

    #[test]
    fn words_go_out_and_come_back() {
        let text = "(role white) ; who\n(<= (legal ?p (mark 1 ?x)) (role ?p) (true (cell ?x b)))";
        let tree = gdl::read(
            Source::from(text),
            Some(Syntax::Prefix),
            &ReadLimits::default(),
        );
        let plain = Wording::plain(&tree);
        assert_eq!(
            plain.rules(),
            "(role white)(<= (legal ?p (mark 1 ?x))(role ?p)(true (cell ?x b)))"
        );
        let scrambled = Wording::scrambled(&tree, 1);
        assert!(scrambled.rules().starts_with("(role "));
        assert!(!scrambled.rules().contains("mark") && !scrambled.rules().contains("white"));
        let sent = scrambled.out("(mark 1 b)");
        assert!(sent.contains(" 1 ") && !sent.contains("mark"));
        assert_eq!(scrambled.back(&sent.to_uppercase()), "(mark 1 b)");
        assert_eq!(plain.back("(MARK 1 B)"), "(MARK 1 B)");
    }
}
