//! What play told → diagnostics, each at the clause it concerns.

use super::Trial;
use game::{Broken, Defect, RoleId, TermId};
use gdl::catalogue::play;
use gdl::{Diagnostic, Findings, Keyword, Lint, Policy, Program, Span};
use std::collections::HashSet;

/// How many findings of each check are told.
const KEEP: usize = 20;

/// How many examples are named.
const EXAMPLES: usize = 5;

impl Trial<'_> {
    /// The diagnostics of what was found, under a policy, in the order of the text.
    pub fn diagnostics(&self, program: &Program, policy: &Policy) -> Vec<Diagnostic> {
        let mut told = Told {
            trial: self,
            program,
            findings: Findings::new(KEEP),
        };
        told.defects();
        told.circle();
        told.goals();
        told.idle_rules();
        told.undeclared();
        told.never_seen();
        told.findings.judge(policy)
    }

    fn texts(&self, terms: &[TermId]) -> String {
        let scratch = self.game.scratch();
        let some = terms.iter().take(EXAMPLES);
        let some: Vec<String> = some.map(|&it| scratch.terms().text(it)).collect();
        some.join(", ")
    }

    fn role(&self, role: RoleId) -> String {
        self.texts(&self.game.roles()[role.index()..][..1])
    }
}

struct Told<'t> {
    trial: &'t Trial<'t>,
    program: &'t Program,
    findings: Findings,
}

impl Told<'_> {
    /// The first clause of a relation.
    fn clause(&self, keyword: Keyword) -> Span {
        let mut clauses = self.program.clauses();
        let found = clauses.find(|it| it.head().keyword() == Some(keyword));
        found.map_or(Span::new(0, 0), |it| it.head().span())
    }

    fn add(&mut self, lint: &'static Lint, span: Span, text: (String, String)) {
        self.findings.add(lint, span, || text);
    }

    fn defects(&mut self) {
        let trial = self.trial;
        for met in trial.met() {
            let (lint, about) = kind(&met.broken.defect);
            let often = match (met.times, trial.complete) {
                (1, _) => String::new(),
                (times, true) => format!(" ({times} states)"),
                (times, false) => format!(" ({times} of {} matches)", trial.matches.max(times)),
            };
            let message = met.broken.summary(trial.game) + &often;
            self.add(
                lint,
                self.clause(about),
                (message, where_met(trial, &met.broken)),
            );
        }
        self.unseen_defects();
        if let Some(broken) = &trial.disagreement {
            let message =
                "the fast engine and the rules themselves say different things".to_string();
            let help = where_met(trial, broken);
            self.add(
                &play::ENGINES_DISAGREE,
                self.clause(Keyword::Role),
                (message, help),
            );
        }
    }

    /// Lanes play many more matches, and do not tell which way they went.
    fn unseen_defects(&mut self) {
        let Trial {
            stuck, cut, lanes, ..
        } = *self.trial;
        let met = |name: &str| {
            let mut met = self.trial.met().iter();
            met.any(|it| it.broken.defect.name() == name)
        };
        let help = || "play more matches to see one of them: `--play 10000`".to_string();
        if stuck > 0 && !met("no-legal-move") {
            let message =
                format!("in {stuck} of {lanes} matches a role had no legal move before the end");
            self.add(
                &play::NO_LEGAL_MOVE,
                self.clause(Keyword::Legal),
                (message, help()),
            );
        }
        if self.trial.unended && lanes == 0 && self.trial.met().is_empty() {
            let message = "the time was over before the first random match ended".to_string();
            let help = "give it more time: `--seconds 60`".to_string();
            self.add(
                &play::TOO_LONG,
                self.clause(Keyword::Terminal),
                (message, help),
            );
        }
        if cut > 0 && !met("too-long") && !met("endless") {
            let message = format!("{cut} of {lanes} matches did not end within the limit");
            self.add(
                &play::TOO_LONG,
                self.clause(Keyword::Terminal),
                (message, help()),
            );
        }
    }

    /// A match of a small game that can come back to a state can go on for ever.
    fn circle(&mut self) {
        let trial = self.trial;
        let endless = trial
            .met()
            .iter()
            .any(|it| it.broken.defect.name() == "endless");
        if let Some(broken) = trial.seen.circle().filter(|_| !endless) {
            let message = match broken.turns() {
                0 => "a match can go on for ever: the first state can come back".to_string(),
                turns => format!(
                    "a match can go on for ever: its state after {turns} turns can come back"
                ),
            };
            let help = where_met(trial, broken);
            self.add(
                &play::TOO_LONG,
                self.clause(Keyword::Terminal),
                (message, help),
            );
        }
    }

    fn goals(&mut self) {
        let trial = self.trial;
        if let Some((from, to, broken)) = trial.seen.fall() {
            let turns = broken.turns();
            let message = format!("the goal falls from {from} to {to} in turn {turns}");
            let help = where_met(trial, broken);
            self.add(
                &play::GOAL_FALLS,
                self.clause(Keyword::Goal),
                (message, help),
            );
        }
        for role in trial.game.players() {
            let Some(goal) = only_goal(trial, role) else {
                continue;
            };
            let message = format!("role `{}` gets {goal} in every end", trial.role(role));
            let help = "nothing that it does matters to it".to_string();
            self.add(
                &play::GOAL_CONSTANT,
                self.clause(Keyword::Goal),
                (message, help),
            );
        }
    }

    fn idle_rules(&mut self) {
        // Where nothing can begin, no rule can apply: one finding says it all.
        if self.trial.met().iter().any(|it| it.broken.turns() == 0) {
            return;
        }
        let ground = self.trial.game.ground();
        let idle = ground.map_or(&[][..], |it| it.idle_clauses());
        let idle: HashSet<u32> = idle.iter().copied().collect();
        let program = self.program;
        for (number, clause) in (0..).zip(program.clauses()) {
            if idle.contains(&number) {
                let message = "no state that can be reached fits this rule".to_string();
                let help =
                    "is a name misspelt, or do two conditions exclude each other?".to_string();
                self.add(&play::NEVER_APPLIES, clause.head().span(), (message, help));
            }
        }
    }

    /// Compares what can be reached with `base` and `input`, where they are given.
    fn undeclared(&mut self) {
        let game = self.trial.game;
        let scratch = &mut game.scratch();
        let base = game.declared_fluents(scratch).unwrap_or_default();
        let held = self.trial.seen.held();
        self.outside(&base, &held, ("fluent", "held", Keyword::Base));
        for role in game.role_ids() {
            let input = game.declared_moves(scratch, role).unwrap_or_default();
            let legal = self.trial.seen.were_legal(role);
            self.outside(&input, &legal, ("move", "was legal", Keyword::Input));
        }
    }

    fn outside(
        &mut self,
        declared: &[TermId],
        seen: &[TermId],
        (noun, verb, keyword): (&str, &str, Keyword),
    ) {
        let declared: HashSet<TermId> = declared.iter().copied().collect();
        if declared.is_empty() {
            return;
        }
        let outside: Vec<TermId> = seen
            .iter()
            .copied()
            .filter(|it| !declared.contains(it))
            .collect();
        if let Some(first) = outside.first() {
            let word = keyword.text();
            let first = self.trial.texts(&[*first]);
            let message = format!("the {noun} `{first}` {verb}, and `{word}` does not declare it");
            let help = match outside.len() {
                1 => format!("declare it: `({word} …)`"),
                count => format!("{count} are not declared: {}", self.trial.texts(&outside)),
            };
            self.add(&play::UNDECLARED, self.clause(keyword), (message, help));
        }
    }

    fn never_seen(&mut self) {
        let trial = self.trial;
        if trial.met().iter().any(|it| it.broken.turns() == 0) {
            return;
        }
        let sure = match trial.complete {
            true => "all states were looked at: it is certain",
            false => "random matches need not show all that can happen",
        };
        for role in trial.game.role_ids() {
            let never = trial.seen.never_legal(role);
            let all = trial.game.moves(role).map_or(0, <[TermId]>::len);
            if !never.is_empty() {
                let (count, some) = (never.len(), trial.texts(&never));
                let role = trial.role(role);
                let message =
                    format!("{count} of {all} moves of role `{role}` were never legal: {some}");
                self.add(
                    &play::NEVER_SEEN,
                    self.clause(Keyword::Legal),
                    (message, sure.into()),
                );
            }
        }
        let never = trial.seen.never_held();
        if !never.is_empty() {
            let all = trial.game.fluents().map_or(0, <[TermId]>::len);
            let (count, some) = (never.len(), trial.texts(&never));
            let message = format!("{count} of {all} fluents never held: {some}");
            self.add(
                &play::NEVER_SEEN,
                self.clause(Keyword::Next),
                (message, sure.into()),
            );
        }
    }
}

/// The goal that a role gets in every end: proven if all states were looked at, or if the rules
/// have no other.
fn only_goal(trial: &Trial<'_>, role: RoleId) -> Option<u32> {
    let goals = trial.seen.goals(role);
    let goal = goals.first().copied().filter(|_| goals.len() == 1)?;
    let others = trial.game.ground().map(|it| it.goals(role));
    let proven = others.is_some_and(|goals| goals.len() == 1);
    (proven || trial.complete).then_some(goal)
}

/// The check that a defect belongs to, and the relation it is about.
fn kind(defect: &Defect) -> (&'static Lint, Keyword) {
    match defect {
        Defect::NoMove(_) => (&play::NO_LEGAL_MOVE, Keyword::Legal),
        Defect::NoGoal(_) => (&play::NO_GOAL, Keyword::Goal),
        Defect::SeveralGoals(..) => (&play::SEVERAL_GOALS, Keyword::Goal),
        Defect::GoalValue(..) => (&play::GOAL_OUT_OF_RANGE, Keyword::Goal),
        Defect::Endless { .. } => (&play::ENDLESS, Keyword::Terminal),
        Defect::TooLong { .. } => (&play::TOO_LONG, Keyword::Terminal),
        Defect::Unanswered(_) => (&play::NO_ANSWER, Keyword::Role),
    }
}

/// The state, and the moves that lead there.
fn where_met(trial: &Trial<'_>, broken: &Broken) -> String {
    let told = broken.told(trial.game);
    match broken.turns() {
        0 => format!("state: {}", told.state()),
        _ => format!("state: {}; moves: {}", told.state(), told.moves()),
    }
}
