//! All throws of dice, counted by hand, and how near to them odds have to be.

/// What was counted in two ways is the same but for rounding.
pub fn assert_near(found: f64, expected: f64, what: &str) {
    let near = (found - expected).abs() < 1e-9;
    assert!(near, "{what}: {found}, not {expected}");
}

/// Five standard errors: a drawn share is further off in less than one of a million seeds, and the
/// seed is fixed.
pub fn assert_drawn(found: f64, share: f64, matches: u32) {
    let error = (share * (1.0 - share) / f64::from(matches)).sqrt();
    assert!((found - share).abs() < 5.0 * error, "{found}, not {share}");
}

/// All throws of so many dice, one die after the other.
pub fn throws(dice: u32) -> impl Iterator<Item = Vec<usize>> {
    let throw = move |number: usize| (0..dice).map(move |die| number / 6_usize.pow(die) % 6 + 1);
    (0..6_usize.pow(dice)).map(move |number| throw(number).collect())
}

/// The mean over all throws.
pub fn mean(dice: u32, worth: impl Fn(&[usize]) -> f64) -> f64 {
    let sum: f64 = throws(dice).map(|throw| worth(&throw)).sum();
    sum / 6_f64.powi(dice as i32)
}

pub fn share(dice: u32, is_so: impl Fn(&[usize]) -> bool) -> f64 {
    mean(dice, |throw| f64::from(u8::from(is_so(throw))))
}

/// How many dice show each face.
pub fn counts(throw: &[usize]) -> [usize; 7] {
    let mut counts = [0; 7];
    throw.iter().for_each(|&face| counts[face] += 1);
    counts
}
