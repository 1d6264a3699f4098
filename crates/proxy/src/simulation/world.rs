//! Carries out a script.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tempfile::TempDir;
use tokio::task::AbortHandle;

use super::doors::{self, Opened};
use super::history::{Event, History};
use super::network::Network;
use super::operator::{self, Run};
use super::promises::{self, Breach};
use super::scene::Scene;
use super::script::Step;

/// How long the proxy may take to tell everything once everything is calm, step by step: also a notification that failed
/// three times.
const CALM: [u64; 4] = [40, 60, 400, 2400];

pub(super) struct World {
    pub(super) scene: Arc<Mutex<Scene>>,
    network: Network,
    pub(super) run: Option<Run>,
    is_mapped: bool,
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
    let broken = world.calm_down();
    let time = doors::now();
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
        let scene = Arc::<Mutex<Scene>>::default();
        let mut world = Self {
            network: Network::new(&scene),
            scene,
            run: None,
            is_mapped: true,
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
        self.run = Some(Run::start(&self.file, &self.network, self.is_mapped));
        self.note(Event::Runs(true));
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
        operator::read_missing(&self.file, &self.network, self.is_mapped);
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

    pub(super) fn map(&mut self, is_mapped: bool) {
        if self.is_mapped != is_mapped {
            self.is_mapped = is_mapped;
            if let Some(run) = &mut self.run {
                run.reload(is_mapped);
            }
            self.note(Event::Mapped(is_mapped));
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
