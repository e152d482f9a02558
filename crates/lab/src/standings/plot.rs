//! Scores over matches as a picture: SVG, one panel a game, one line with its band a pairing.

use arena::schedule::Pairing;
use arena::{Experiment, Point};
use std::fmt::Write;

/// Sizes, in pixels.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 50.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 30.0;
const LEGEND: f64 = 220.0;
/// More points of a line than this cannot be seen.
const POINTS: usize = 400;
/// Colours that people who see few of them can tell apart (Okabe and Ito).
const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
];

/// A pairing and how its score went.
type Curve<'c> = (&'c Pairing, Vec<Point>);

/// Draws all games, one below the other.
pub fn svg(experiment: &Experiment, curves: &[Curve<'_>]) -> String {
    let games = experiment.games.len();
    let height = HEIGHT * games as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for game in 0..games {
        let curves: Vec<&Curve<'_>> = curves.iter().filter(|it| it.0.game == game).collect();
        let name = escaped(&experiment.games[game].name);
        let down = HEIGHT * game as f64;
        svg += &format!("<g transform=\"translate(0 {down})\">\n<title>{name}</title>\n");
        svg += &panel(experiment, &name, &curves);
        svg += "</g>\n";
    }
    svg + "</svg>\n"
}

fn panel(experiment: &Experiment, title: &str, curves: &[&Curve<'_>]) -> String {
    let lasts = curves.iter().filter_map(|it| it.1.last());
    let most = lasts.map(|it| it.matches).max().unwrap_or(1);
    let axes = Axes {
        matches: f64::from(most),
    };
    let mut text = format!("<text x=\"{LEFT}\" y=\"18\" font-weight=\"bold\">{title}</text>\n");
    text += &axes.draw();
    for (place, (pairing, points)) in curves.iter().enumerate() {
        let colour = COLOURS[place % COLOURS.len()];
        text += &axes.curve(points, colour);
        let y = TOP + 12.0 + 18.0 * place as f64;
        let x = WIDTH - LEGEND + 12.0;
        let name = escaped(&name(experiment, pairing));
        let _ = writeln!(
            text,
            "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\">{name}</text>"
        );
    }
    text
}

fn name(experiment: &Experiment, pairing: &Pairing) -> String {
    let player = |number: usize| &experiment.players[number];
    match pairing.second {
        Some(second) => format!("{} – {}", player(pairing.first), player(second)),
        None => player(pairing.first).clone(),
    }
}

/// Where things are in a panel.
struct Axes {
    /// The largest number of matches.
    matches: f64,
}

impl Axes {
    fn x(&self, matches: f64) -> f64 {
        LEFT + (WIDTH - LEFT - LEGEND) * matches / self.matches
    }

    fn y(score: f64) -> f64 {
        TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - score)
    }

    fn draw(&self) -> String {
        let mut text = String::new();
        let (left, right) = (self.x(0.0), self.x(self.matches));
        for percent in [0, 25, 50, 75, 100] {
            let y = Axes::y(f64::from(percent) / 100.0);
            let colour = if percent == 50 { "#888" } else { "#ddd" };
            text += &format!(
                "<line x1=\"{left}\" x2=\"{right}\" y1=\"{y}\" y2=\"{y}\" stroke=\"{colour}\"/>\n\
                 <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{percent} %</text>\n",
                left - 6.0,
                y + 4.0
            );
        }
        for quarter in 0..=4 {
            let matches = (self.matches * f64::from(quarter) / 4.0).round();
            text += &format!(
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{matches}</text>\n",
                self.x(matches),
                HEIGHT - BOTTOM + 18.0
            );
        }
        text
    }

    fn curve(&self, points: &[Point], colour: &str) -> String {
        let points = thinned(points);
        let at = |point: &Point, score: f64| {
            let (x, y) = (self.x(f64::from(point.matches)), Axes::y(score));
            format!("{x:.1},{y:.1}")
        };
        let line: Vec<String> = points.iter().map(|it| at(it, it.score.mean)).collect();
        let upper = points.iter().map(|it| at(it, it.score.high));
        let lower = points.iter().rev().map(|it| at(it, it.score.low));
        let band: Vec<String> = upper.chain(lower).collect();
        format!(
            "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.15\"/>\n\
             <polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\n",
            band.join(" "),
            line.join(" ")
        )
    }
}

/// As many points as can be seen, the last one among them.
fn thinned(points: &[Point]) -> Vec<Point> {
    let step = points.len().div_ceil(POINTS).max(1);
    let mut thinned: Vec<Point> = points.iter().rev().step_by(step).copied().collect();
    thinned.reverse();
    thinned
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::schedule::Schedule;
    use arena::{Clocks, GameEntry, Interval};

    #[test]
    fn every_game_has_a_panel_and_every_pairing_a_line_within_it() {
        let entry = |name: &str| GameEntry {
            name: name.to_string(),
            rules: String::new(),
            seats: 2,
        };
        let schedule = Schedule::new(Experiment {
            games: vec![entry("a<b"), entry("c")],
            players: ["x", "y", "z"].map(String::from).to_vec(),
            clocks: Clocks::Iterations { start: 1, play: 1 },
            seed: 1,
            build: String::new(),
            memory: None,
        });
        let score = Interval {
            mean: 0.75,
            low: 0.5,
            high: 1.0,
        };
        let points: Vec<Point> = (1..=1000).map(|matches| Point { matches, score }).collect();
        let curves = schedule.pairings.iter().map(|it| (it, points.clone()));
        let svg = svg(&schedule.experiment, &curves.collect::<Vec<_>>());
        assert_eq!(svg.matches("<title>").count(), 2);
        assert_eq!(svg.matches("<polyline").count(), 6);
        assert!(svg.contains("<title>a&lt;b</title>"));
        // The last point is at the right end, three quarters up.
        assert!(svg.contains(" 540.0,80.0\" fill=\"none\""), "{svg}");
        assert!(svg.len() < 200_000);
    }
}
