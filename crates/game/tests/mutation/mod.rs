//! Sheets that are a little wrong: a sheet is changed at the level of its tree, and all engines
//! have to say the same of what comes of it. Run by a seeded test, and by a fuzz target.
//!
//! What is chosen comes from a [`Draw`]: random numbers, or the bytes of a fuzzer.

#![allow(
    dead_code,
    unused_imports,
    reason = "not everyone who runs mutants runs all of it"
)]

mod agreement;
mod form;

pub use agreement::{Outcome, engines_agree};
use form::Form;

/// Chooses one of so many, which are at least one.
pub type Draw<'d> = dyn FnMut(usize) -> usize + 'd;

/// So many changes are made to a sheet at most.
const MOST_CHANGES: usize = 3;

/// A sheet with one to three changes; the sheet itself if it cannot be read.
pub fn mutant(sheet: &str, draw: &mut Draw<'_>) -> String {
    let mut forms = form::read(sheet);
    for _ in 0..=draw(MOST_CHANGES) {
        if !forms.is_empty() {
            change(&mut forms, draw);
        }
    }
    forms.iter().map(|form| format!("{form}\n")).collect()
}

/// Changes one thing.
fn change(forms: &mut Vec<Form>, draw: &mut Draw<'_>) {
    let place = draw(forms.len());
    match draw(11) {
        0 => drop(forms.remove(place)),
        1 => forms.insert(draw(forms.len()), forms[place].clone()),
        2 => {
            let other = draw(forms.len());
            forms.swap(place, other);
        }
        3 => exchange_words(forms, draw),
        4 => borrow_condition(forms, place, draw),
        5 => with_condition(&mut forms[place], draw, |conditions, at, _| {
            conditions.remove(at);
        }),
        6 => with_condition(&mut forms[place], draw, |conditions, at, _| {
            conditions[at].negate();
        }),
        7 => with_condition(&mut forms[place], draw, |conditions, at, draw| {
            let other = draw(conditions.len());
            conditions.swap(at, other);
        }),
        8 => swap_arguments(&mut forms[place], draw),
        9 => copy_part(forms, place, draw),
        _ => other_word(forms, place, draw),
    }
}

/// Changes the conditions of a rule, if it has any.
fn with_condition(
    form: &mut Form,
    draw: &mut Draw<'_>,
    change: impl Fn(&mut Vec<Form>, usize, &mut Draw<'_>),
) {
    if let Some(mut conditions) = form.take_conditions() {
        let at = draw(conditions.len());
        change(&mut conditions, at, draw);
        form.put_conditions(conditions);
    }
}

/// Exchanges two words everywhere, such as two roles.
fn exchange_words(forms: &mut [Form], draw: &mut Draw<'_>) {
    let words = words(forms);
    let (one, other) = (&words[draw(words.len())], &words[draw(words.len())]);
    let exchange = |word: &mut String| match &*word {
        it if it == one => word.clone_from(other),
        it if it == other => word.clone_from(one),
        _ => {}
    };
    forms.iter_mut().for_each(|it| it.each_word(&exchange));
}

/// A rule gets a condition of another.
fn borrow_condition(forms: &mut [Form], place: usize, draw: &mut Draw<'_>) {
    let lender = draw(forms.len());
    let Some(lent) = forms[lender].clone().take_conditions() else {
        return;
    };
    let lent = lent[draw(lent.len())].clone();
    if let Some(mut conditions) = forms[place].take_conditions() {
        conditions.push(lent);
        forms[place].put_conditions(conditions);
    }
}

/// Two arguments of a list change places.
fn swap_arguments(form: &mut Form, draw: &mut Draw<'_>) {
    let at = draw(form.len());
    if let Some(Form::List(parts)) = form.part(at)
        && parts.len() > 2
    {
        let (one, other) = (1 + draw(parts.len() - 1), 1 + draw(parts.len() - 1));
        parts.swap(one, other);
    }
}

/// A part of a form is put in the place of another part of any form.
fn copy_part(forms: &mut [Form], place: usize, draw: &mut Draw<'_>) {
    let from = draw(forms[place].len());
    let part = forms[place].part(from).cloned();
    let other = draw(forms.len());
    let to = draw(forms[other].len());
    if let (Some(part), Some(target)) = (part, forms[other].part(to)) {
        *target = part;
    }
}

/// A word becomes another: one of the same form, or of the sheet.
fn other_word(forms: &mut [Form], place: usize, draw: &mut Draw<'_>) {
    let scope = match draw(2) {
        0 => &forms[place..=place],
        _ => &forms[..],
    };
    let words = words(scope);
    let word = words[draw(words.len())].clone();
    let at = draw(forms[place].len());
    if let Some(target @ Form::Word(_)) = forms[place].part(at) {
        *target = Form::Word(word);
    }
}

/// All words, as often as they occur; one at least.
fn words(forms: &[Form]) -> Vec<String> {
    let mut words = Vec::new();
    forms.iter().for_each(|it| it.words(&mut words));
    words.push("nil".to_string());
    words
}
