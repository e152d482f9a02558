//! A player in a thread of its own: what it does wrong stays there.

use crate::clocks::Allowance;
use game::{BitsBuf, MoveId, PerceptId};
use players::{Budget, Decision, Ending, Failure, Observation, Player, Refusal};
use record::Fault;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// What is asked of a player.
enum Question {
    Start(Budget),
    /// A turn to observe, and to choose in.
    Choose(Told, Budget),
    /// The last turn to observe, and how the match ended.
    Finish(Told, Ending),
}

/// An observation, owned.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) turn: usize,
    pub(crate) state: Option<BitsBuf>,
    pub(crate) legal: Vec<MoveId>,
    pub(crate) joint: Option<Vec<MoveId>>,
    pub(crate) percepts: Vec<PerceptId>,
    pub(crate) own: Option<MoveId>,
}

impl Told {
    pub(crate) fn observation(&self) -> Observation<'_> {
        Observation {
            turn: self.turn,
            state: self.state.as_deref(),
            legal: &self.legal,
            joint: self.joint.as_deref(),
            percepts: &self.percepts,
            own: self.own,
        }
    }
}

/// What a player says.
enum Answer {
    Started(Result<(), Refusal>),
    Chosen(Result<Decision, Failure>),
    Finished,
}

/// A player that sits.
pub(crate) struct Seated {
    questions: Sender<(u64, Question)>,
    answers: Receiver<(u64, Answer)>,
    /// The number of the last question: answers to others come too late.
    asked: u64,
    /// The number of the last answer: a player that owes more is not waited for at the end.
    answered: u64,
}

impl Seated {
    pub(crate) fn new(player: Box<dyn Player>) -> Seated {
        let (questions, inbox) = channel();
        let (outbox, answers) = channel();
        // The thread ends when nobody asks any more. One that never answers is left behind.
        thread::spawn(move || serve(player, &inbox, &outbox));
        Seated {
            questions,
            answers,
            asked: 0,
            answered: 0,
        }
    }

    pub(crate) fn ask_start(&mut self, allowance: &Allowance) {
        self.ask(Question::Start(allowance.budget));
    }

    pub(crate) fn ask_choice(&mut self, told: Told, allowance: &Allowance) {
        self.ask(Question::Choose(told, allowance.budget));
    }

    pub(crate) fn ask_finish(&mut self, told: Told, ending: Ending) {
        self.ask(Question::Finish(told, ending));
    }

    /// Waits until the player has taken note of the end; not long if it owes more answers.
    pub(crate) fn finished(&mut self, patience: Duration) {
        const SHORT: Duration = Duration::from_millis(100);
        let owes = self.answered + 1 < self.asked;
        let time = if owes { patience.min(SHORT) } else { patience };
        let _ = self.wait(Some(Instant::now() + time));
    }

    /// Waits until the player has started.
    pub(crate) fn started(&mut self, late: Option<Instant>) -> Result<(), Fault> {
        match self.wait(late)? {
            Answer::Started(started) => Ok(started?),
            Answer::Chosen(_) | Answer::Finished => Err(Fault::Late),
        }
    }

    /// Waits for the choice of the player.
    pub(crate) fn choice(&mut self, late: Option<Instant>) -> Result<Decision, Fault> {
        match self.wait(late)? {
            Answer::Chosen(decision) => Ok(decision?),
            Answer::Started(_) | Answer::Finished => Err(Fault::Late),
        }
    }

    fn ask(&mut self, question: Question) {
        self.asked += 1;
        // Nobody may be there any more; then nobody answers.
        let _ = self.questions.send((self.asked, question));
    }

    /// The answer to the last question.
    fn wait(&mut self, late: Option<Instant>) -> Result<Answer, Fault> {
        loop {
            let received = match late {
                Some(late) => {
                    let left = late.saturating_duration_since(Instant::now());
                    self.answers.recv_timeout(left)
                }
                None => (self.answers.recv()).map_err(|_| RecvTimeoutError::Disconnected),
            };
            match received {
                Ok((number, answer)) => {
                    self.answered = number;
                    if number == self.asked {
                        return Ok(answer);
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(Fault::Late),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Crashed),
            }
        }
    }
}

/// Answers questions until there are no more.
fn serve(
    mut player: Box<dyn Player>,
    inbox: &Receiver<(u64, Question)>,
    outbox: &Sender<(u64, Answer)>,
) {
    while let Ok((number, question)) = inbox.recv() {
        let answer = match question {
            Question::Start(budget) => Answer::Started(player.start(&budget)),
            Question::Choose(told, budget) => {
                player.observe(&told.observation());
                Answer::Chosen(player.choose(&budget))
            }
            Question::Finish(told, ending) => {
                player.observe(&told.observation());
                player.finish(ending);
                Answer::Finished
            }
        };
        if outbox.send((number, answer)).is_err() {
            return;
        }
    }
}
