//! What the proxy asks for, in place of the machine's clock and random numbers, and how it waits for SQLite's thread.
//!
//! Everything of a simulation happens in one thread, whose doors these are. Other threads use those of the machine.

use std::cell::RefCell;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fastrand::Rng;
use tokio::runtime::Handle;
use tokio::task::unconstrained;

use crate::clock::Instant;

/// When the time of a simulation begins, in seconds since 1970: a day in the year 2026.
pub(super) const BEGIN: u64 = 1_767_600_000;

thread_local! {
    static DOORS: RefCell<Option<Doors>> = const { RefCell::new(None) };
}

struct Doors {
    /// The time of the simulation when the clock of the runtime was read.
    then: Duration,
    /// The runtime and that reading. Without a runtime, time stands still.
    runtime: Option<(Handle, Instant)>,
    /// How far the machine's clock is ahead of the right time, in seconds.
    ahead: i64,
    random: Rng,
}

/// The doors of this thread, until it is dropped.
pub(super) struct Opened(());

impl Opened {
    /// The same seed gives the same random numbers.
    pub(super) fn new(seed: u64) -> Self {
        fastrand::seed(seed);
        DOORS.set(Some(Doors {
            then: Duration::ZERO,
            runtime: None,
            ahead: 0,
            random: Rng::with_seed(seed),
        }));
        Self(())
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        DOORS.set(None);
    }
}

fn with<T>(use_doors: impl FnOnce(&mut Doors) -> T) -> Option<T> {
    DOORS.with_borrow_mut(|doors| doors.as_mut().map(use_doors))
}

impl Doors {
    fn now(&self) -> Duration {
        let passed = self.runtime.as_ref().map(|(runtime, read)| {
            let _inside = runtime.enter();
            read.elapsed()
        });
        self.then + passed.unwrap_or_default()
    }
}

/// The right time, since the simulation began.
pub(super) fn now() -> Duration {
    with(|doors| doors.now()).unwrap_or_default()
}

/// Follows the clock of the runtime that is entered now.
pub(super) fn enter_runtime() {
    with(|doors| doors.runtime = Some((Handle::current(), Instant::now())));
}

/// The runtime ends.
pub(super) fn leave_runtime() {
    with(|doors| {
        doors.then = doors.now();
        doors.runtime = None;
    });
}

/// Time passes while there is no runtime.
pub(super) fn pass(time: Duration) {
    with(|doors| doors.then += time);
}

/// Sets the machine's clock ahead of the right time, or back.
pub(super) fn set_clock(ahead: i64) {
    with(|doors| doors.ahead = ahead);
}

/// The machine's clock.
pub(crate) fn wall() -> Option<SystemTime> {
    with(|doors| {
        let right = UNIX_EPOCH + Duration::from_secs(BEGIN) + doors.now();
        let difference = Duration::from_secs(doors.ahead.unsigned_abs());
        if doors.ahead < 0 {
            right - difference
        } else {
            right + difference
        }
    })
}

/// Fills the bytes, if this thread has a simulation.
pub(crate) fn fill(bytes: &mut [u8]) -> bool {
    with(|doors| doors.random.fill(bytes)).is_some()
}

/// Waits for another thread without leaving this one: a paused clock would go on meanwhile.
pub(crate) async fn in_place<T>(work: impl Future<Output = T>) -> T {
    if with(|_| ()).is_none() {
        return work.await;
    }
    let mut work = pin!(unconstrained(work));
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match work.as_mut().poll(&mut context) {
            Poll::Ready(done) => return done,
            Poll::Pending => thread::park(),
        }
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
