//! The widget beside other checkouts, and beside floors that were written for the same job.
//!
//! A browser with a fresh profile for each load, the variants taking turns, a first round that does not
//! count; what comes beyond the first choice has half as many rounds. What is said of two variants is a ratio of the
//! same round, then the median of these.
//!
//! | module | what it holds |
//! |---|---|
//! | [`variant`] | what is compared, and what the first choice of each is |
//! | [`site`], [`nginx`] | the servers that all of it comes from |
//! | [`chromium`], [`page`] | the browser, and a page in it under the conditions of a [`profile`] |
//! | [`load`] | one load: what it took to the first choice |
//! | [`trace`], [`network`] | the work of the main thread, and the requests |
//! | [`tasks`], [`listing`] | a long listing, the way to the amount, many mounts |
//! | [`table`], [`goals`] | what is printed |
//! | [`interrupt`] | Ctrl-C ends it cleanly |

mod chromium;
mod goals;
mod interrupt;
mod listing;
mod load;
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
use std::fs;
use std::path::{Path, PathBuf};

use lexopt::prelude::*;
use serde::Serialize;
use serde_json::json;

use self::goals::Goals;
use self::load::Load;
use self::profile::Profile;
use self::site::{Places, Site};
use self::tasks::Tasks;
use self::variant::Variant;
use crate::error::Error;

/// What is asked for.
struct Wish {
    rounds: usize,
    variants: Vec<Variant>,
    profiles: Vec<Profile>,
    /// Whether to measure what is not in the tables, too.
    tasks: bool,
}

/// The loads of one profile: of each variant one for each round, in the order of the rounds.
type Loads = BTreeMap<Variant, Vec<Load>>;

/// All that was measured, as it is kept.
#[derive(Serialize)]
struct Record {
    about: table::About,
    profiles: BTreeMap<&'static str, BTreeMap<&'static str, Vec<Load>>>,
    tasks: Option<Tasks>,
}

pub(crate) fn run(args: lexopt::Parser) -> Result<(), Error> {
    let wish = Wish::read(args)?;
    interrupt::watch()?;
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let this = env::current_exe().map_err(|source| Error::Program {
        program: "tender-bench".to_owned(),
        source,
    })?;
    let binaries = this.parent().unwrap_or(Path::new("."));
    let target = binaries.parent().unwrap_or(Path::new("."));
    let results = target.join("bench");
    let dist = env::var_os("TENDER_DIST").map_or_else(|| here.join("../../dist"), PathBuf::from);
    let mut site = Site::open(&Places {
        binaries: binaries.to_owned(),
        dist: dist.canonicalize().map_err(Error::file(&dist))?,
        others: results.join("site"),
    })?;
    let about = table::About::look(&here.join("widget/node_modules"), wish.rounds)?;
    print!("{about}");
    let mut goals = Goals::default();
    let mut record = Record {
        about,
        profiles: BTreeMap::new(),
        tasks: None,
    };
    for profile in wish.profiles {
        let loads = compare(&mut site, profile, &wish.variants, wish.rounds, &results)?;
        table::print(profile, &loads);
        if profile == Profile::Slow {
            goals.add_loads(&loads);
        }
        let named = loads
            .into_iter()
            .map(|(variant, loads)| (variant.key(), loads));
        record.profiles.insert(profile.key(), named.collect());
    }
    if wish.tasks {
        let tasks = Tasks::measure(&mut site, wish.rounds.div_ceil(2), &results)?;
        print!("{tasks}");
        goals.add_tasks(&tasks);
        record.tasks = Some(tasks);
    }
    print!("{goals}");
    let path = results.join(format!("widget-{}.json", record.about.file_name()));
    fs::write(&path, json!(record).to_string()).map_err(Error::file(&path))?;
    println!("\nRaw data: {}", path.display());
    Ok(())
}

fn compare(
    site: &mut Site,
    profile: Profile,
    variants: &[Variant],
    rounds: usize,
    results: &Path,
) -> Result<Loads, Error> {
    let mut loads = Loads::new();
    // The first round only warms the machine's caches: it has its picture taken, and its work recorded.
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

impl Wish {
    fn read(mut args: lexopt::Parser) -> Result<Self, Error> {
        let mut wish = Self {
            rounds: 9,
            variants: Vec::new(),
            profiles: Vec::new(),
            tasks: true,
        };
        while let Some(arg) = args.next()? {
            match arg {
                Long("rounds") => wish.rounds = args.value()?.parse()?,
                Long("only") => {
                    let name = args.value()?.string()?;
                    let known = Variant::ALL
                        .into_iter()
                        .find(|variant| variant.key() == name);
                    wish.variants.push(known.ok_or(Error::Unknown(name))?);
                }
                Long("profile") => {
                    let name = args.value()?.string()?;
                    let known = Profile::ALL
                        .into_iter()
                        .find(|profile| profile.key() == name);
                    wish.profiles.push(known.ok_or(Error::Unknown(name))?);
                }
                Long("no-tasks") => wish.tasks = false,
                other => return Err(other.unexpected().into()),
            }
        }
        if wish.rounds == 0 {
            return Err(Error::NotANumber("0".to_owned()));
        }
        if wish.variants.is_empty() {
            wish.variants = Variant::ALL.into();
        }
        if wish.profiles.is_empty() {
            wish.profiles = Profile::ALL.into();
        }
        Ok(wish)
    }
}
