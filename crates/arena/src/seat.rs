//! A player in a thread of its own: what it does wrong stays there.
//!
//! The clock of a player in this process starts when its thread takes the question up, not when
//! it is asked: on a busy machine much time may pass between the two. The clock of a player in
//! another process starts when it is asked.

use crate::clocks::Allowance;
use game::{BitsBuf, MoveId, PerceptId};
use players::{Budget, Decision, Ending, Failure, Observation, Player, Refusal};
use record::Fault;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// What is asked of a player.
enum Question {
    Start(Timer),
    /// A turn to observe, and to choose in.
    Choose(Told, Timer),
    /// The last turn to observe, and how the match ended.
    Finish(Told, Ending),
}

/// The clock of a question.
#[derive(Copy, Clone)]
struct Timer {
    allowance: Allowance,
    asked: Instant,
    /// Whether the player thinks in another process.
    is_elsewhere: bool,
}

impl Timer {
    /// When the clock started, if the question was taken up at `began`.
    fn since(&self, began: Instant) -> Instant {
        match self.is_elsewhere {
            true => self.asked,
            false => began,
        }
    }

    fn budget(&self, began: Instant) -> Budget {
        self.allowance.budget(self.since(began))
    }

    /// When the player is given up; it may not have taken the question up yet.
    fn late(&self, began: Option<Instant>) -> Option<Instant> {
        let since = self.since(began.unwrap_or(self.asked));
        self.allowance.late(since, self.is_elsewhere)
    }

    /// How much later than its clock an answer came, if this machine may be the reason.
    fn delay(&self, took: Duration) -> Duration {
        match self.is_elsewhere {
            true => Duration::ZERO,
            false => self.allowance.delay(took),
        }
    }
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

/// What comes from the thread of a player.
enum Sign {
    /// It takes the question up.
    Began(Instant),
    /// Its answer, and how long it took.
    Answered(Answer, Duration),
}

/// What a player says.
enum Answer {
    Started(Result<(), Refusal>),
    Chosen(Result<Decision, Failure>),
    Finished,
}

/// A choice, and how much later than its clock it came.
pub(crate) struct Choice {
    pub(crate) decision: Decision,
    pub(crate) delay: Duration,
}

/// A player that sits.
pub(crate) struct Seated {
    questions: Sender<(u64, Question)>,
    signs: Receiver<(u64, Sign)>,
    /// Whether the player thinks in another process.
    is_elsewhere: bool,
    /// The number of the last question: answers to others come too late.
    asked: u64,
    /// The number of the last answer: a player that owes more is not waited for at the end.
    answered: u64,
    /// The clock of the last question, if it has one.
    timer: Option<Timer>,
}

impl Seated {
    pub(crate) fn new(player: Box<dyn Player>) -> Seated {
        let (questions, inbox) = channel();
        let (outbox, signs) = channel();
        let is_elsewhere = player.is_elsewhere();
        // The thread ends when nobody asks any more. One that never answers is left behind.
        thread::spawn(move || serve(player, &inbox, &outbox));
        Seated {
            questions,
            signs,
            is_elsewhere,
            asked: 0,
            answered: 0,
            timer: None,
        }
    }

    pub(crate) fn ask_start(&mut self, allowance: &Allowance) {
        let timer = self.set(allowance);
        self.ask(Question::Start(timer));
    }

    pub(crate) fn ask_choice(&mut self, told: Told, allowance: &Allowance) {
        let timer = self.set(allowance);
        self.ask(Question::Choose(told, timer));
    }

    pub(crate) fn ask_finish(&mut self, told: Told, ending: Ending) {
        self.timer = None;
        self.ask(Question::Finish(told, ending));
    }

    /// Waits until the player has taken note of the end; not long if it owes more answers.
    pub(crate) fn finished(&mut self, patience: Duration) {
        const SHORT: Duration = Duration::from_millis(100);
        let owes = self.answered + 1 < self.asked;
        let time = if owes { patience.min(SHORT) } else { patience };
        let late = Instant::now() + time;
        let _ = self.wait(|_| Some(late));
    }

    /// Waits until the player has started.
    pub(crate) fn started(&mut self) -> Result<(), Fault> {
        match self.answer()? {
            (Answer::Started(started), _) => Ok(started?),
            (Answer::Chosen(_) | Answer::Finished, _) => Err(Fault::Late),
        }
    }

    /// Waits for the choice of the player.
    pub(crate) fn choice(&mut self) -> Result<Choice, Fault> {
        match self.answer()? {
            (Answer::Chosen(decision), delay) => Ok(Choice {
                decision: decision?,
                delay,
            }),
            (Answer::Started(_) | Answer::Finished, _) => Err(Fault::Late),
        }
    }

    /// Sets the clock of a question that is asked now.
    fn set(&mut self, allowance: &Allowance) -> Timer {
        *self.timer.insert(Timer {
            allowance: *allowance,
            asked: Instant::now(),
            is_elsewhere: self.is_elsewhere,
        })
    }

    fn ask(&mut self, question: Question) {
        self.asked += 1;
        // Nobody may be there any more; then nobody answers.
        let _ = self.questions.send((self.asked, question));
    }

    /// The answer to the last question, and how much later than its clock it came.
    fn answer(&mut self) -> Result<(Answer, Duration), Fault> {
        let timer = self.timer;
        let (answer, took) = self.wait(|began| timer?.late(began))?;
        Ok((answer, timer.map_or(Duration::ZERO, |it| it.delay(took))))
    }

    /// The answer to the last question, and how long it took. `late` tells when to give up, by
    /// when the player took the question up, if that is known.
    fn wait(
        &mut self,
        late: impl Fn(Option<Instant>) -> Option<Instant>,
    ) -> Result<(Answer, Duration), Fault> {
        let mut began = None;
        loop {
            let received = match late(began) {
                Some(late) => {
                    let left = late.saturating_duration_since(Instant::now());
                    self.signs.recv_timeout(left)
                }
                None => (self.signs.recv()).map_err(|_| RecvTimeoutError::Disconnected),
            };
            match received {
                Ok((number, Sign::Began(at))) if number == self.asked => began = Some(at),
                Ok((_, Sign::Began(_))) => {}
                Ok((number, Sign::Answered(answer, took))) => {
                    self.answered = number;
                    if number == self.asked {
                        return Ok((answer, took));
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
    outbox: &Sender<(u64, Sign)>,
) {
    while let Ok((number, question)) = inbox.recv() {
        let began = Instant::now();
        if outbox.send((number, Sign::Began(began))).is_err() {
            return;
        }
        let answer = match question {
            Question::Start(timer) => Answer::Started(player.start(&timer.budget(began))),
            Question::Choose(told, timer) => {
                player.observe(&told.observation());
                Answer::Chosen(player.choose(&timer.budget(began)))
            }
            Question::Finish(told, ending) => {
                player.observe(&told.observation());
                player.finish(ending);
                Answer::Finished
            }
        };
        let answered = Sign::Answered(answer, began.elapsed());
        if outbox.send((number, answered)).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clocks::{Clocks, Patience};

    /// Waits for a word before its first answer, and tells how much time it was given then.
    struct Held {
        word: Receiver<()>,
        left: Sender<Duration>,
    }

    impl Player for Held {
        fn start(&mut self, _: &Budget) -> Result<(), Refusal> {
            let _ = self.word.recv();
            Ok(())
        }

        fn observe(&mut self, _: &Observation<'_>) {}

        fn choose(&mut self, budget: &Budget) -> Result<Decision, Failure> {
            let left = budget.time_left().unwrap_or_default();
            self.left.send(left).unwrap();
            Ok(Decision::plain(MoveId::new(0)))
        }
    }

    fn told() -> Told {
        Told {
            turn: 0,
            state: None,
            legal: vec![MoveId::new(0)],
            joint: None,
            percepts: Vec::new(),
            own: None,
        }
    }

    #[test]
    fn a_clock_starts_when_the_question_is_taken_up() {
        let (say, word) = channel();
        let (left, lefts) = channel();
        let mut seat = Seated::new(Box::new(Held { word, left }));
        let clock = Duration::from_millis(20);
        let clocks = Clocks::Times {
            start: clock,
            play: clock,
        };
        let patience = Patience {
            tolerance: Some(Duration::from_secs(60)),
            ..Patience::default()
        };
        seat.ask_start(&clocks.start(patience));
        seat.ask_choice(told(), &clocks.play(patience));
        // The thread is kept from the question until its clock would be over.
        let asked = Instant::now();
        while asked.elapsed() < 2 * clock {
            thread::yield_now();
        }
        say.send(()).unwrap();
        assert!(seat.choice().is_ok());
        assert!(lefts.recv().unwrap() > Duration::ZERO);
    }
}
