//! What chance does in our games, against what can be reasoned: the odds of dice are counted here
//! by hand, over all throws, and compared with those of the sheets, which are exact. Some are
//! drawn as well, by a fixed seed.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod table;

use std::collections::{BTreeMap, HashMap};
use table::dice::{assert_drawn, assert_near, counts, mean, share, throws};
use table::{Plan, Scene, Table};

fn won(scene: &Scene) -> Option<f64> {
    scene.goal.map(|goal| goal / 100.0)
}

/// The first door has the car in one of three hidings; then staying wins, else switching.
#[test]
fn switching_wins_two_of_three_in_monty_hall() {
    for (choice, expected) in [("switch", 2.0 / 3.0), ("stay", 1.0 / 3.0)] {
        let plan = Plan {
            worth: &won,
            considers: &|_, action| action == "(choose 1)" || action == choice,
        };
        let mut table = Table::new("monty-hall");
        assert_near(table.expects(&plan), expected, choice);
        assert_drawn(table.draws(&plan, 20_000), expected, 20_000);
    }
}

#[test]
fn any_guess_of_a_die_is_right_one_time_in_six() {
    for face in 1..=6 {
        let guess = format!("(guess {face})");
        let plan = Plan {
            worth: &won,
            considers: &|_, action| action == guess,
        };
        let mut table = Table::new("guess-dice");
        assert_near(table.expects(&plan), 1.0 / 6.0, &guess);
        assert_drawn(table.draws(&plan, 5_000), 1.0 / 6.0, 5_000);
    }
}

/// The dice that lie there: the high one, the low one, and how often a double is played again.
fn dice(scene: &Scene) -> [Option<u32>; 3] {
    ["(die high", "(die low", "(repeats"].map(|start| scene.number(start))
}

/// How many moves of chance lead to each pair of dice.
fn pairs(table: &mut Table) -> BTreeMap<[Option<u32>; 3], usize> {
    let state = table.state.clone();
    let legal = table.legal(&state);
    let mut pairs = BTreeMap::new();
    for &drawn in legal.last().unwrap() {
        let next = table.after(&state, legal[0][0], drawn);
        *pairs.entry(dice(&table.scene(&next))).or_default() += 1;
    }
    pairs
}

/// Of two dice each pair of different faces falls twice in 36 times and each double once; who
/// begins is told by different dice, so doubles are thrown again there.
#[test]
fn two_dice_fall_as_they_should_in_backgammon() {
    let mut expected = BTreeMap::new();
    for throw in throws(2) {
        let (high, low) = (throw[0].max(throw[1]) as u32, throw[0].min(throw[1]) as u32);
        let double = high == low;
        let pair = [Some(high), (!double).then_some(low), double.then_some(3)];
        *expected.entry(pair).or_default() += 1;
    }
    let mut table = Table::new("backgammon");
    let white = Plan {
        worth: &|scene| {
            let begins = f64::from(u8::from(scene.has("(control white)")));
            (!scene.has("starting")).then_some(begins)
        },
        considers: &|_, _| true,
    };
    assert_near(table.expects(&white), 0.5, "white begins");
    let first = pairs(&mut table);
    table.play("(roll 3 1)");
    for _ in 0..2 {
        let action = table.scene(&table.state.clone()).legal[0].clone();
        table.play(&action);
    }
    assert_eq!(pairs(&mut table), expected);
    expected.retain(|pair, _| pair[2].is_none());
    assert_eq!(first, expected);
}

/// What a throw brings in a box of Yahtzee.
fn points(name: &str, throw: &[usize]) -> usize {
    let (counts, sum) = (counts(throw), throw.iter().sum());
    let most = *counts.iter().max().unwrap();
    let row = |length| counts.windows(length).any(|faces| !faces.contains(&0));
    match name {
        "three-of-a-kind" if most >= 3 => sum,
        "four-of-a-kind" if most >= 4 => sum,
        "full-house" if counts.contains(&3) && counts.contains(&2) => 25,
        "small-straight" if row(4) => 30,
        "large-straight" if row(5) => 40,
        "yahtzee" if most == 5 => 50,
        "chance" => sum,
        _ => {
            let upper = ["ones", "twos", "threes", "fours", "fives", "sixes"];
            let face = upper.iter().position(|&it| it == name).map(|it| it + 1);
            face.map_or(0, |face| face * counts[face])
        }
    }
}

/// What red has when it is blue's turn.
fn total(scene: &Scene) -> Option<f64> {
    let digit = |place| scene.number(&format!("(total red {place}")).unwrap();
    let total = || f64::from(10 * digit("tens") + digit("units"));
    scene.has("(control blue)").then(total)
}

#[test]
fn the_first_roll_of_yahtzee_brings_what_can_be_counted() {
    let mut table = Table::new("yahtzee");
    let boxes = "ones twos threes fours fives sixes three-of-a-kind four-of-a-kind full-house \
                 small-straight large-straight yahtzee chance";
    let mut found = HashMap::new();
    for name in boxes.split(' ') {
        let fills = format!("(score {name})");
        let plan = Plan {
            worth: &total,
            considers: &|_, action| action == fills,
        };
        let brings = table.expects(&plan);
        assert_near(brings, mean(5, |throw| points(name, throw) as f64), name);
        found.insert(name, brings);
    }
    // As every table of odds has them.
    for (name, points, throws) in [
        ("yahtzee", 50.0, 6.0),
        ("full-house", 25.0, 300.0),
        ("small-straight", 30.0, 1200.0),
        ("large-straight", 40.0, 240.0),
    ] {
        assert_near(found[name], points * throws / 7776.0, name);
    }
}

/// How probable five alike are with so many rolls to go, if so many alike are kept and after each
/// roll the most frequent face.
fn five_alike(rolls: u32, kept: usize) -> f64 {
    if rolls == 0 || kept == 5 {
        return f64::from(u8::from(kept == 5));
    }
    let mut after = [0.0; 6];
    for throw in throws(5 - kept as u32) {
        let mut counts = counts(&throw);
        counts[1] += kept;
        after[*counts.iter().max().unwrap()] += 1.0;
    }
    let sum: f64 = after.iter().sum();
    let worth = after.iter().enumerate();
    let worth = worth.filter(|&(_, &throws)| throws > 0.0);
    worth
        .map(|(kept, throws)| throws / sum * five_alike(rolls - 1, kept))
        .sum()
}

/// Keeps the most frequent face, the highest of equals; dice go back from low faces to high ones.
fn keeps_most(scene: &Scene, action: &str) -> bool {
    let count = |face: &u32| scene.number(&format!("(count {face}")).unwrap();
    let kept = (1..=6).max_by_key(count).unwrap();
    let over = count(&kept) == 5 || scene.has("(rolls-left 0)");
    if over && scene.may("(score yahtzee)") {
        return action == "(score yahtzee)";
    }
    let back = (1..=6).filter(|&face| face != kept);
    let mut back = back.map(|face| format!("(return {face})"));
    let back = back.find(|it| scene.may(it));
    action == back.as_deref().unwrap_or("roll-again")
}

/// No way to choose dice is better than to keep the most frequent face.
#[test]
fn five_alike_come_in_three_rolls_of_yahtzee_as_they_should() {
    let expected = five_alike(3, 0);
    assert_near(expected, 347_897.0 / 7_558_272.0, "the published figure");
    let worth = |scene: &Scene| total(scene).map(|points| points / 50.0);
    let plan = Plan {
        worth: &worth,
        considers: &keeps_most,
    };
    let mut table = Table::new("yahtzee");
    assert_near(table.expects(&plan), expected, "the most frequent face");
    assert_drawn(table.draws(&plan, 2_000), expected, 2_000);
    let best = Plan {
        worth: &worth,
        considers: &|_, action| action == "(score yahtzee)" || !action.starts_with("(score"),
    };
    assert_near(table.expects(&best), expected, "the best");
}

#[test]
fn a_worm_is_among_eight_dice_of_pickomino_as_often_as_it_should() {
    let plan = Plan {
        worth: &|scene| {
            let worm = f64::from(u8::from(scene.may("(set-aside worm)")));
            scene.has("choosing").then_some(worm)
        },
        considers: &|_, _| true,
    };
    let worm = Table::new("pickomino").expects(&plan);
    assert_near(worm, 1.0 - (5.0_f64 / 6.0).powi(8), "a worm");
}

/// What is set aside: the faces, where the sixth is the worm, the dice that are left, and the sum.
type Aside = ([bool; 7], u32, usize);

/// How probable a tile is, if worms are set aside before other faces and those from high to low,
/// and the first tile that can be had is taken.
fn tile(aside: Aside, known: &mut HashMap<Aside, f64>) -> f64 {
    let (used, left, sum) = aside;
    if used[6] && sum >= 21 || left == 0 {
        return f64::from(u8::from(used[6] && sum >= 21));
    }
    if let Some(&worth) = known.get(&aside) {
        return worth;
    }
    let mut after: HashMap<Aside, f64> = HashMap::new();
    for throw in throws(left) {
        let face = throw.iter().copied().filter(|&face| !used[face]).max();
        // A throw without a new face is lost.
        let Some(face) = face else { continue };
        let number = counts(&throw)[face];
        let mut used = used;
        used[face] = true;
        let next = (used, left - number as u32, sum + number * face.min(5));
        *after.entry(next).or_default() += 1.0;
    }
    let worth = after
        .into_iter()
        .map(|(next, throws)| throws * tile(next, known));
    let worth = worth.sum::<f64>() / 6_f64.powi(left as i32);
    known.insert(aside, worth);
    worth
}

#[test]
fn a_turn_of_pickomino_brings_a_tile_as_often_as_it_should() {
    let highest = |scene: &Scene| {
        let faces = ["worm", "5", "4", "3", "2", "1"];
        let mut moves = faces.iter().map(|face| format!("(set-aside {face})"));
        moves.find(|it| scene.may(it))
    };
    let plan = Plan {
        worth: &|scene| {
            let owns = scene.facts.iter().any(|it| it.starts_with("(owns red"));
            scene
                .has("(control blue)")
                .then_some(f64::from(u8::from(owns)))
        },
        considers: &|scene, action| match highest(scene) {
            Some(face) => action == face,
            None => action == "take" || (action == "roll-on" && !scene.may("take")),
        },
    };
    let expected = tile(([false; 7], 8, 0), &mut HashMap::new());
    assert_near(Table::new("pickomino").expects(&plan), expected, "a tile");
}

/// Whether two of four dice make one of these sums.
fn makes(throw: &[usize], sums: &[usize]) -> bool {
    let pairs = (0..4).flat_map(|one| (0..one).map(move |other| (one, other)));
    let mut pairs = pairs.map(|(one, other)| throw[one] + throw[other]);
    pairs.any(|sum| sums.contains(&sum))
}

#[test]
fn a_column_of_cant_stop_can_be_climbed_as_often_as_two_dice_make_it() {
    let mut table = Table::new("cant-stop");
    for column in 3..=11 {
        let runner = format!("(runner {column} ");
        let plan = Plan {
            worth: &|scene| {
                let climbs = scene.facts.iter().any(|it| it.starts_with(&runner));
                let over = scene.has("deciding") || scene.has("(control blue)");
                over.then_some(f64::from(u8::from(climbs)))
            },
            considers: &|_, _| true,
        };
        let expected = share(4, |throw| makes(throw, &[column]));
        assert_near(table.expects(&plan), expected, &runner);
    }
    assert_near(share(4, |throw| makes(throw, &[7])), 834.0 / 1296.0, "7");
}

/// Rolls pairs of these sums, names the column of the first, and rolls on.
fn climb(table: &mut Table, sums: [usize; 2]) {
    for sum in sums {
        let low = sum.saturating_sub(6).max(1);
        table.play(&format!("(roll {low})"));
        table.play(&format!("(roll {})", sum - low));
    }
    table.play(&format!("(choose {})", sums[0]));
    table.play("roll-on");
}

/// With three runners out, all 84 ways to have them.
#[test]
fn a_roll_of_cant_stop_is_lost_as_often_as_no_two_dice_make_a_runner_s_column() {
    let plan = Plan {
        worth: &|scene| {
            let lost = f64::from(u8::from(scene.may("bust")));
            scene.has("choosing").then_some(1.0 - lost)
        },
        considers: &|_, _| true,
    };
    let mut table = Table::new("cant-stop");
    let first = table.state.clone();
    let mut found = HashMap::new();
    for (low, middle) in (3..=9).flat_map(|low| (low + 1..=10).map(move |it| (low, it))) {
        for high in middle + 1..=11 {
            table.state = first.clone();
            climb(&mut table, [low, middle]);
            climb(&mut table, [high, high]);
            let columns = [low, middle, high];
            let odds = table.expects(&plan);
            let expected = share(4, |throw| makes(throw, &columns));
            assert_near(odds, expected, &format!("{columns:?}"));
            found.insert(columns, odds);
        }
    }
    assert_eq!(found.len(), 84);
    // Published: 92 % and 91 %.
    assert_near(found[&[6, 7, 8]], 1192.0 / 1296.0, "6, 7, 8");
    assert_near(found[&[4, 6, 8]], 1181.0 / 1296.0, "4, 6, 8");
}
