//! Compares the widget with other checkouts, and with minimal implementations ("floors") of the
//! same checkout.
//!
//! Each load uses a new browser profile. The variants take turns, and the first round is a warm-up.
//! Tasks beyond the first choice run half as many rounds. Two variants are compared by the median
//! of their ratios in the same round.
//!
//! | module | contents |
//! |---|---|
//! | [`variant`] | the variants, and the first choice of each |
//! | [`markup`] | the HTML that a shop writes for each |
//! | [`site`], [`nginx`] | the servers |
//! | [`chromium`], [`page`] | the browser, and a page under the conditions of a [`profile`] |
//! | [`load`] | one load: up to the first choice, and until the form can be submitted |
//! | [`trace`], [`network`] | main-thread work, and requests |
//! | [`tasks`], [`listing`] | a long listing, presses of a buyer, many mounts |
//! | [`environment`], [`table`], [`goals`] | the output |
//! | [`interrupt`] | a clean exit on Ctrl-C |

mod chromium;
mod environment;
mod goals;
mod interrupt;
mod listing;
mod load;
mod markup;
mod network;
mod nginx;
mod page;
mod profile;
mod site;
mod table;
mod tasks;
mod trace;
mod variant;

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

use fs_err as fs;
use lexopt::prelude::*;
use serde::Serialize;
use serde_json::json;

use self::environment::Environment;
use self::goals::Goals;
use self::load::Load;
use self::profile::Profile;
use self::site::{Paths, Site};
use self::table::Table;
use self::tasks::Tasks;
use self::variant::Variant;
use crate::error::Error;
use crate::server;

/// The command-line arguments.
struct Arguments {
    rounds: usize,
    variants: Vec<Variant>,
    profiles: Vec<Profile>,
    /// Whether to measure the additional tasks.
    tasks: bool,
}

/// The loads of one profile: one per variant and round, in the order of the rounds.
type Loads = BTreeMap<Variant, Vec<Load>>;

/// All raw data, as it is stored.
#[derive(Serialize)]
struct Record {
    about: Environment,
    profiles: BTreeMap<&'static str, BTreeMap<&'static str, Vec<Load>>>,
    tasks: Option<Tasks>,
}

pub(crate) fn run(args: lexopt::Parser) -> Result<(), Error> {
    let arguments = Arguments::read(args)?;
    interrupt::watch()?;
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let binaries = server::binaries()?;
    let target = binaries.parent().unwrap_or(Path::new("."));
    let results = target.join("bench");
    let dist = env::var_os("TENDER_DIST").map_or_else(|| here.join("../../dist"), PathBuf::from);
    let site = Site::open(&Paths {
        binaries,
        dist: fs::canonicalize(dist)?,
        others: results.join("site"),
    })?;
    let about = Environment::collect(&here.join("widget/node_modules"), arguments.rounds)?;
    let mut report = Report::default();
    report.add(&about);
    let mut goals = Goals::default();
    let mut record = Record {
        about,
        profiles: BTreeMap::new(),
        tasks: None,
    };
    for profile in arguments.profiles {
        let loads = compare(
            &site,
            profile,
            &arguments.variants,
            arguments.rounds,
            &results,
        )?;
        report.add(&Table(profile, &loads));
        if profile == Profile::Slow {
            goals.add_loads(&loads);
        }
        let named = loads
            .into_iter()
            .map(|(variant, loads)| (variant.key(), loads));
        record.profiles.insert(profile.key(), named.collect());
    }
    if arguments.tasks {
        let rounds = arguments.rounds.div_ceil(2);
        let tasks = Tasks::measure(&site, &arguments.variants, rounds, &results)?;
        report.add(&tasks);
        goals.add_tasks(&tasks);
        record.tasks = Some(tasks);
    }
    report.add(&goals);
    let path = results.join(format!("widget-{}", record.about.file_name()));
    for (extension, text) in [("md", report.0), ("json", json!(record).to_string())] {
        let path = path.with_extension(extension);
        fs::write(&path, text)?;
        println!("\nWritten: {}", path.display());
    }
    Ok(())
}

/// The tables as Markdown. Each is also printed when it is complete.
#[derive(Default)]
struct Report(String);

impl Report {
    fn add(&mut self, part: &impl ToString) {
        let part = part.to_string();
        print!("{part}");
        self.0.push_str(&part);
    }
}

fn compare(
    site: &Site,
    profile: Profile,
    variants: &[Variant],
    rounds: usize,
    results: &Path,
) -> Result<Loads, Error> {
    let mut loads = Loads::new();
    // The first round is a warm-up, in which screenshots and traces are recorded.
    for round in 0..=rounds {
        for variant in variants {
            eprintln!(
                "{}, round {round} of {rounds}: {}",
                profile.key(),
                variant.key()
            );
            let keep = results.join(format!("{}-{}", variant.key(), profile.key()));
            let keep = (round == 0).then_some(keep.as_path());
            let load = Load::measure(site, *variant, profile, keep)?;
            if round > 0 {
                loads.entry(*variant).or_default().push(load);
            }
        }
    }
    Ok(loads)
}

impl Arguments {
    fn read(mut args: lexopt::Parser) -> Result<Self, Error> {
        let mut arguments = Self {
            rounds: 9,
            variants: Vec::new(),
            profiles: Vec::new(),
            tasks: true,
        };
        while let Some(arg) = args.next()? {
            match arg {
                Long("rounds") => arguments.rounds = args.value()?.parse()?,
                Long("only") => {
                    let name = args.value()?.string()?;
                    let known = Variant::ALL
                        .into_iter()
                        .find(|variant| variant.key() == name);
                    arguments.variants.push(known.ok_or(Error::Unknown(name))?);
                }
                Long("profile") => {
                    let name = args.value()?.string()?;
                    let known = Profile::ALL
                        .into_iter()
                        .find(|profile| profile.key() == name);
                    arguments.profiles.push(known.ok_or(Error::Unknown(name))?);
                }
                Long("no-tasks") => arguments.tasks = false,
                other => return Err(other.unexpected().into()),
            }
        }
        if arguments.rounds == 0 {
            return Err(Error::NotANumber("0".to_owned()));
        }
        if arguments.variants.is_empty() {
            arguments.variants = Variant::ALL.into();
        }
        if arguments.profiles.is_empty() {
            arguments.profiles = Profile::ALL.into();
        }
        Ok(arguments)
    }
}
