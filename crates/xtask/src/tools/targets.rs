//! The targets of a release, and what builds for them need.

use super::tool::{Probe, Source, Tool};

struct Target {
    name: &'static str,
    /// The C compiler on machines with another processor, and Debian's package of it.
    cross_compiler: &'static [&'static str],
    package: Option<&'static str>,
}

const TARGETS: [Target; 4] = [
    Target {
        name: "x86_64-unknown-linux-gnu",
        cross_compiler: &["x86_64-linux-gnu-gcc"],
        package: Some("crossbuild-essential-amd64"),
    },
    Target {
        name: "aarch64-unknown-linux-gnu",
        cross_compiler: &["aarch64-linux-gnu-gcc"],
        package: Some("crossbuild-essential-arm64"),
    },
    Target {
        name: "x86_64-unknown-linux-musl",
        cross_compiler: &["x86_64-linux-musl-gcc"],
        package: None,
    },
    Target {
        name: "aarch64-unknown-linux-musl",
        cross_compiler: &["aarch64-linux-musl-gcc"],
        package: None,
    },
];

const BY_HAND: &str =
    "install a cross compiler for musl, such as https://github.com/richfelker/musl-cross-make";

/// The names of the targets.
pub(crate) fn names() -> [&'static str; 4] {
    TARGETS.map(|target| target.name)
}

/// The C compiler that links on a machine of the target `host`; `None` if it is the system's own one. That one also links
/// static programs for musl. With `musl-gcc` they would ask for musl's loader, and crash.
pub(crate) fn linker(target: &str, host: &str) -> Option<&'static str> {
    let others = programs(target, host).filter(|programs| *programs != MUSL);
    others?.first().copied()
}

/// What builds for this target need on a machine of the target `host`.
pub(super) fn needed(target: &str, host: &str) -> Vec<Tool> {
    let known = TARGETS.iter().find(|known| known.name == target);
    let library = known.map(|known| Tool {
        name: known.name,
        why: "the standard library for a target of releases",
        needed_by: &[],
        probe: Probe::RustTarget(known.name),
        source: Source::Rustup("target", known.name),
    });
    let compiler = known
        .zip(programs(target, host))
        .and_then(|(known, programs)| {
            let source = match known.package {
                _ if programs == MUSL => Source::Debian("musl-tools"),
                Some(package) => Source::Debian(package),
                None => Source::ByHand(BY_HAND),
            };
            Some(Tool {
                name: programs.first()?,
                why: "compiles C for a target of releases",
                needed_by: &[],
                probe: Probe::Silent(programs),
                source,
            })
        });
    library.into_iter().chain(compiler).collect()
}

/// For the system's own processor.
const MUSL: &[&str] = &["musl-gcc"];

fn programs(target: &str, host: &str) -> Option<&'static [&'static str]> {
    let processor = |triple: &str| triple.split('-').next().map(str::to_owned);
    let known = TARGETS.iter().find(|known| known.name == target)?;
    if processor(target) != processor(host) {
        Some(known.cross_compiler)
    } else if target.ends_with("musl") && !host.ends_with("musl") {
        Some(MUSL)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_target_says_how_to_get_what_it_needs() {
        let commands = |target, host| {
            let tools = needed(target, host);
            tools.iter().map(Tool::how_to_get).collect::<Vec<_>>()
        };
        let host = "x86_64-unknown-linux-gnu";
        assert_eq!(
            commands(host, host),
            ["rustup target add x86_64-unknown-linux-gnu"]
        );
        assert_eq!(
            commands("aarch64-unknown-linux-gnu", host),
            [
                "rustup target add aarch64-unknown-linux-gnu",
                "apt-get install crossbuild-essential-arm64"
            ]
        );
        assert_eq!(
            commands("x86_64-unknown-linux-musl", host),
            [
                "rustup target add x86_64-unknown-linux-musl",
                "apt-get install musl-tools"
            ]
        );
        assert_eq!(
            commands("aarch64-unknown-linux-musl", host),
            ["rustup target add aarch64-unknown-linux-musl", BY_HAND]
        );
    }

    #[test]
    fn a_linker_is_only_named_for_other_processors() {
        let arm = "aarch64-unknown-linux-gnu";
        assert_eq!(linker(arm, arm), None);
        assert_eq!(linker("aarch64-unknown-linux-musl", arm), None);
        assert_eq!(
            linker(arm, "x86_64-unknown-linux-gnu"),
            Some("aarch64-linux-gnu-gcc")
        );
    }
}
