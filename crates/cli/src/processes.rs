//! Processes that help players: this program again, as `ludex worker`, or the other ranks of MPI.

use players::Recruiter;
use std::path::PathBuf;
use std::sync::Arc;

/// What starts them.
pub(crate) fn helpers() -> Arc<dyn Recruiter> {
    #[cfg(feature = "mpi")]
    if let Some(mpi) = ranks::joined() {
        return Arc::new(cluster::mpi::Ranks(Arc::clone(mpi)));
    }
    // Without its own path, what cannot be started is named so.
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("ludex"));
    let build = crate::version::VERSION;
    Arc::new(cluster::Pipes::new(&program, &["worker"], build))
}

/// Joins the processes that were started together; those that are to help do nothing else.
pub(crate) fn join() {
    #[cfg(feature = "mpi")]
    if let Some(mpi) = ranks::joined().filter(|it| it.is_worker()) {
        mpi.serve();
    }
}

/// Ends them.
pub(crate) fn leave() {
    #[cfg(feature = "mpi")]
    if let Some(mpi) = ranks::joined() {
        mpi.end();
    }
}

/// MPI is one for a process, whatever we would like.
#[cfg(feature = "mpi")]
mod ranks {
    use cluster::mpi::Mpi;
    use std::sync::{Arc, OnceLock};

    pub(super) fn joined() -> Option<&'static Arc<Mpi>> {
        static JOINED: OnceLock<Option<Arc<Mpi>>> = OnceLock::new();
        let join = || Mpi::join(crate::version::VERSION);
        JOINED.get_or_init(join).as_ref()
    }
}
