//! Messages that wait for a worker. It can see that there are some while it works.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A message, and the session it belongs to.
pub(crate) type Mail = (u64, Vec<u8>);

#[derive(Default)]
pub(crate) struct Inbox {
    mail: Mutex<VecDeque<Mail>>,
    came: Condvar,
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Mail>> {
        self.mail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn put(&self, mail: Mail) {
        self.lock().push_back(mail);
        self.came.notify_one();
    }

    /// Whether something waits.
    pub(crate) fn has_mail(&self) -> bool {
        !self.lock().is_empty()
    }

    /// The next message; waits for it.
    pub(crate) fn next(&self) -> Mail {
        let mut mail = self.lock();
        loop {
            match mail.pop_front() {
                Some(next) => return next,
                None => mail = self.came.wait(mail).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}
