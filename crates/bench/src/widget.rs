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
//! | [`site`] | the servers, and the shop's pages |
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
mod network;
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

use anyhow::Result;
use clap::{Args, ValueEnum};
use fs_err as fs;
use serde::Serialize;

use self::environment::Environment;
use self::load::Load;
use self::profile::Profile;
use self::site::Site;
use self::table::Table;
use self::tasks::Tasks;
use self::variant::Variant;
use crate::figures::Goals;
use crate::{name_of, server};

/// The built widget, unless the environment variable `TENDER_DIST` names another directory.
const DIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../dist");

#[derive(Args)]
pub(crate) struct Arguments {
    /// Rounds after a warm-up round.
    #[arg(long, default_value_t = 9, value_parser = crate::above_zero())]
    rounds: u32,
    /// Measures only this variant; may be repeated.
    #[arg(long, value_enum, default_values_t = Variant::value_variants().to_vec(), hide_default_value = true)]
    only: Vec<Variant>,
    /// Measures only with this device and network.
    #[arg(long, value_enum, default_values_t = Profile::value_variants().to_vec(), hide_default_value = true)]
    profile: Vec<Profile>,
    /// Measures only loads.
    #[arg(long)]
    no_tasks: bool,
}

/// The loads of one profile: one per variant and round, in the order of the rounds.
type Loads = BTreeMap<Variant, Vec<Load>>;

/// All raw data, as it is stored.
#[derive(Serialize)]
struct Record {
    about: Environment,
    profiles: BTreeMap<Profile, Loads>,
    tasks: Option<Tasks>,
}

pub(crate) fn run(arguments: Arguments) -> Result<()> {
    interrupt::watch()?;
    let results = server::binary("../bench")?;
    let dist = env::var_os("TENDER_DIST").map_or_else(|| DIST.into(), PathBuf::from);
    let site = Site::open(&fs::canonicalize(dist)?, &results.join("site"))?;
    let rounds = arguments.rounds;
    let mut record = Record {
        about: Environment::collect(rounds)?,
        profiles: BTreeMap::new(),
        tasks: None,
    };
    let mut report = Report::default();
    report.add(&record.about);
    let mut goals = Goals::default();
    for profile in arguments.profile {
        let loads = compare(&site, profile, &arguments.only, rounds, &results)?;
        report.add(&Table(profile, &loads));
        if profile == Profile::Slow {
            goals::add_loads(&mut goals, &loads);
        }
        record.profiles.insert(profile, loads);
    }
    if !arguments.no_tasks {
        let tasks = Tasks::measure(&site, &arguments.only, rounds.div_ceil(2), &results)?;
        report.add(&tasks);
        goals::add_tasks(&mut goals, &tasks);
        record.tasks = Some(tasks);
    }
    report.add(&goals);
    let path = results.join(format!("widget-{}", record.about.file_name()));
    let raw = serde_json::to_string(&record)?;
    for (extension, text) in [("md", report.0), ("json", raw)] {
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
    rounds: u32,
    results: &Path,
) -> Result<Loads> {
    let mut loads = Loads::new();
    // The first round is a warm-up, in which screenshots and traces are recorded.
    for round in 0..=rounds {
        for variant in variants {
            let title = variant.title();
            eprintln!("{}, round {round} of {rounds}: {title}", profile.title());
            let keep = results.join(format!("{}-{}", name_of(variant), name_of(&profile)));
            let keep = (round == 0).then_some(keep.as_path());
            let load = Load::measure(site, *variant, profile, keep)?;
            if round > 0 {
                loads.entry(*variant).or_default().push(load);
            }
        }
    }
    Ok(loads)
}
