//! The tables of a profile, with median, minimum and maximum.

use std::fmt;

use super::Loads;
use super::load::Load;
use super::network;
use super::profile::Profile;
use super::variant::Variant;
use crate::figures::{Figures, ratios};

/// The loads of a profile, formatted as Markdown.
pub(super) struct Table<'a>(pub(super) Profile, pub(super) &'a Loads);

impl fmt::Display for Table<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(profile, loads) = self;
        writeln!(
            formatter,
            "\n#### {}\n\n\
             | | brotli KB | requests | first choice ms | Tender / this | blocking before it, ms | ready to submit ms |\n\
             |---|--:|--:|--:|--:|--:|--:|",
            profile.title()
        )?;
        let times = |loads: &[Load]| loads.iter().map(|load| load.choice).collect::<Vec<_>>();
        let tender = loads.get(&Variant::Tender).map(|loads| times(loads));
        for (variant, loads) in *loads {
            let of = |read: fn(&Load) -> f64| loads.iter().map(read).collect::<Figures>();
            let ratio = tender.as_ref().map(|tender| ratios(tender, &times(loads)));
            writeln!(
                formatter,
                "| {} | {:.1} | {} | {:.0} | {} | {:.0} | {} |",
                variant.title(),
                of(|load| load.bytes / 1000.0).median(),
                loads.last().map_or(0, |load| load.requests),
                of(|load| load.choice),
                ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}")),
                of(|load| load.blocking_before),
                cell(loads, 0, |load| load.submit),
            )?;
        }
        writeln!(
            formatter,
            "\n| | layout shift after it | longest task after it, ms | blocking ms | longest task ms | main thread ms \
             | heap + wasm MB |\n|---|--:|--:|--:|--:|--:|--:|"
        )?;
        for (variant, loads) in *loads {
            let of = |read: fn(&Load) -> f64| loads.iter().map(read).collect::<Figures>();
            writeln!(
                formatter,
                "| {} | {} | {:.0} | {:.0} | {:.0} | {:.0} | {:.1} |",
                variant.title(),
                cell(loads, 4, |load| load.shift_after),
                of(|load| load.longest_after),
                of(|load| load.blocking),
                of(|load| load.longest),
                of(|load| load.work),
                of(|load| load.memory.total() / 1e6).median(),
            )?;
        }
        writeln!(formatter)?;
        for (variant, loads) in *loads {
            let hosts = loads.last().map(|load| network::other_hosts(&load.log));
            for (host, count) in hosts.into_iter().flatten() {
                let title = variant.title();
                writeln!(formatter, "- {title}: requests to {host} failed ({count}).")?;
            }
        }
        Ok(())
    }
}

/// A value with this many decimal places; empty if a variant has none.
fn cell(loads: &[Load], places: usize, read: fn(&Load) -> Option<f64>) -> String {
    let values: Option<Figures> = loads.iter().map(read).collect();
    values.map_or_else(String::new, |values| format!("{values:.places$}"))
}
