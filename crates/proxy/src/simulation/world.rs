//! Carries out a script.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use parking_lot::Mutex;
use tempfile::TempDir;
use tokio::task::AbortHandle;

use super::doors::{self, Opened};
use super::history::{Event, History};
use super::network::Network;
use super::operator::{self, Run, Setup};
use super::promises::{self, Breach};
use super::remains;
use super::scene::Scene;
use super::script::{ORDERS, Step};

/// How long the proxy may take to tell everything once everything is calm, step by step: also a notification that failed
/// three times.
const CALM: [u64; 4] = [40, 60, 400, 2400];

/// The ages of the database at which is looked at what remains of a script, in days after the one before.
const AGES: [u64; 3] = [40, 400, 400];

pub(super) struct World {
    pub(super) scene: Arc<Mutex<Scene>>,
    network: Network,
    pub(super) run: Option<Run>,
    setup: Setup,
    pub(super) dashboard: Option<AbortHandle>,
    file: PathBuf,
    /// When the latest backup was made.
    backed_up: Option<Duration>,
    _directory: TempDir,
    _doors: Opened,
}

/// The end of a script.
pub(super) struct Ended {
    pub(super) history: History,
    /// The promise that was broken, and how.
    pub(super) broken: Option<promises::Broken>,
    /// How long it took, in the time of the simulation.
    pub(super) time: Duration,
}

/// Carries out a script, and then waits until the proxy has told everything.
pub(super) fn play(script: &[Step]) -> Ended {
    let mut world = World::new();
    for step in script {
        world.step(*step);
        world.pass(Duration::from_secs(1));
    }
    let mut broken = world.calm_down();
    let time = doors::now();
    if broken.is_none() {
        broken = world.grow_old();
    }
    if let Some(run) = world.run.take() {
        run.kill();
    }
    let history = std::mem::take(&mut world.scene.lock().history);
    Ended {
        history,
        broken,
        time,
    }
}

impl World {
    fn new() -> Self {
        let doors = Opened::new(1);
        let memory = PathBuf::from("/dev/shm");
        let directory = if memory.is_dir() {
            tempfile::tempdir_in(memory)
        } else {
            tempfile::tempdir()
        };
        let directory = directory.unwrap();
        fs::create_dir(directory.path().join("no assets")).unwrap();
        let scene = Arc::<Mutex<Scene>>::default();
        let mut world = Self {
            network: Network::new(&scene),
            scene,
            run: None,
            setup: Setup {
                is_mapped: true,
                key: 0,
                first_page: 1,
            },
            dashboard: None,
            file: directory.path().join("tender.db"),
            backed_up: None,
            _directory: directory,
            _doors: doors,
        };
        world.note(Event::Mapped(true));
        world.start();
        world
    }

    pub(super) fn note(&self, event: Event) {
        self.scene.lock().history.add(event);
    }

    pub(super) fn start(&mut self) {
        self.correct_first_page();
        self.run = Some(Run::start(&self.file, &self.network, self.setup));
        self.note(Event::Runs(true));
    }

    fn correct_first_page(&mut self) {
        let service = &mut self.scene.lock().service;
        self.setup.first_page = service.first_page;
        service.first_page_of_proxy = service.first_page;
    }

    pub(super) fn stop(&mut self) {
        if let Some(run) = self.run.take() {
            run.stop();
            self.note(Event::Runs(false));
        }
    }

    pub(super) fn kill(&mut self) {
        if let Some(run) = self.run.take() {
            run.kill();
        }
        self.note(Event::Runs(false));
    }

    /// Copies the database as it is on the disk.
    pub(super) fn back_up(&mut self) {
        copy(&self.file, &self.file.with_extension("backup"));
        self.backed_up = Some(doors::now());
    }

    pub(super) fn restore(&mut self) {
        let Some(since) = self.backed_up else { return };
        self.kill();
        copy(&self.file.with_extension("backup"), &self.file);
        self.note(Event::Restored { since });
        self.correct_first_page();
        operator::read_missing(&self.file, &self.network, self.setup);
        self.start();
    }

    pub(super) fn pass(&mut self, time: Duration) {
        match &mut self.run {
            Some(run) => run.pass(time),
            None => doors::pass(time),
        }
        let scene = &mut *self.scene.lock();
        scene.service.arrive(&mut scene.history);
    }

    /// Everybody is well-behaved. Returns the promise that was broken.
    fn calm_down(&mut self) -> Option<promises::Broken> {
        {
            let scene = &mut *self.scene.lock();
            scene.service.calm_down();
            scene.shop.replies.clear();
        }
        self.map(true);
        if self.setup.first_page != self.scene.lock().service.first_page {
            self.stop();
            self.start();
        }
        let mut left = CALM.into_iter();
        loop {
            self.pass(Duration::from_secs(left.next()?));
            let scene = &*self.scene.lock();
            match promises::breach(&scene.history) {
                None => return None,
                Some(Breach::Broken(broken)) => return Some(broken),
                Some(Breach::NotYet(broken)) if left.len() == 0 => return Some(broken),
                Some(Breach::NotYet(_)) => {}
            }
        }
    }

    /// Time passes until nothing is remembered. Returns the promise that was broken.
    fn grow_old(&mut self) -> Option<promises::Broken> {
        for order in 0..ORDERS {
            self.step(Step::Ask(order));
        }
        self.pass(Duration::from_mins(1));
        let mut days = 0;
        for more in AGES {
            days += more;
            let time = Duration::from_hours(24 * more);
            self.stop();
            self.pass(time);
            self.at_rest(remains::run_for(&self.file, time));
            self.start();
            // Until what is too old is pruned.
            self.pass(Duration::from_secs(70));
            self.stop();
            let remains = self.at_rest(remains::read(&self.file));
            self.note(Event::Remains { days, remains });
        }
        match promises::breach(&self.scene.lock().history)? {
            Breach::Broken(broken) | Breach::NotYet(broken) => Some(broken),
        }
    }

    /// Works with the database while the proxy does not run.
    fn at_rest<T>(&self, work: impl Future<Output = T>) -> T {
        assert!(self.run.is_none());
        let done = doors::in_place(work).now_or_never();
        done.expect("it waits in place")
    }

    pub(super) fn map(&mut self, is_mapped: bool) {
        if self.setup.is_mapped != is_mapped {
            self.setup.is_mapped = is_mapped;
            self.reload();
            self.note(Event::Mapped(is_mapped));
        }
    }

    /// The shop signs with a new key.
    pub(super) fn rotate_keys(&mut self) {
        self.setup.key += 1;
        self.reload();
        self.scene.lock().shop.key = self.setup.key;
    }

    fn reload(&mut self) {
        if let Some(run) = &mut self.run {
            run.reload(self.setup);
        }
    }
}

/// Copies a database with its write-ahead log.
fn copy(from: &Path, to: &Path) {
    for end in ["", "-wal"] {
        let name = |path: &Path| {
            let mut name = path.as_os_str().to_owned();
            name.push(end);
            name
        };
        if fs::copy(name(from), name(to)).is_err() {
            let _ = fs::remove_file(name(to));
        }
    }
    // SQLite makes it again.
    let _ = fs::remove_file(to.with_extension("db-shm"));
}
