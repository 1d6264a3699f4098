//! The targets of a release, and what builds for them need.

use super::tool::{Find, Get, Tool};

pub(crate) const NAMES: [&str; 4] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
];

const BY_HAND: &str =
    "install a cross compiler for musl, such as https://github.com/richfelker/musl-cross-make";

/// The C compiler that links on a machine of the target `host`, which has another processor; `None` if it is the system's
/// own one, or for WebAssembly, which rustc links itself. The system's also links static programs for musl. With `musl-gcc`
/// they would ask for musl's loader, and crash.
pub(crate) fn linker(target: &str, host: &str) -> Option<String> {
    let processor = processor(target);
    let library = target.rsplit('-').next()?;
    let is_foreign = target.contains("-linux-") && processor != self::processor(host);
    is_foreign.then(|| format!("{processor}-linux-{library}-gcc"))
}

/// What builds for this target need on a machine of the target `host`.
pub(super) fn needed(target: &str, host: &str) -> Vec<Tool> {
    let check = format!("test -d \"$(rustc --print target-libdir --target {target})\"");
    let library = Tool::new(
        target,
        "the standard library for a target of releases",
        Find::Check(check),
        Get::Rustup(format!("target add {target}")),
    );
    let is_musl = target.ends_with("musl");
    let compiler = match linker(target, host) {
        Some(compiler) if is_musl => Some((compiler, Get::ByHand(BY_HAND.to_owned()))),
        Some(compiler) => {
            let debians_name = match processor(target) {
                "aarch64" => "arm64",
                _ => "amd64",
            };
            let package = format!("crossbuild-essential-{debians_name}");
            Some((compiler, Get::Debian(package)))
        }
        None if is_musl && !host.ends_with("musl") => {
            let package = Get::Debian("musl-tools".to_owned());
            Some(("musl-gcc".to_owned(), package))
        }
        None => None,
    };
    let compiler = compiler.map(|(name, get)| {
        let find = Find::Silent(name.clone());
        Tool::new(&name, "compiles C for a target of releases", find, get)
    });
    [Some(library), compiler].into_iter().flatten().collect()
}

fn processor(target: &str) -> &str {
    target.split('-').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_target_needs_its_library_and_perhaps_a_compiler() {
        let host = "x86_64-unknown-linux-gnu";
        let debian = |package: &str| Get::Debian(package.to_owned());
        let by_hand = Get::ByHand(BY_HAND.to_owned());
        for (target, compiler) in NAMES.into_iter().zip([
            None,
            Some((
                "aarch64-linux-gnu-gcc",
                debian("crossbuild-essential-arm64"),
            )),
            Some(("musl-gcc", debian("musl-tools"))),
            Some(("aarch64-linux-musl-gcc", by_hand)),
        ]) {
            let tools = needed(target, host);
            let found: Vec<_> = tools.iter().map(|tool| (&*tool.name, &tool.get)).collect();
            let library = (target, Get::Rustup(format!("target add {target}")));
            let expected: Vec<_> = [Some(library), compiler].into_iter().flatten().collect();
            let expected: Vec<_> = expected.iter().map(|(name, get)| (*name, get)).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_linker_is_only_named_for_other_processors() {
        let arm = "aarch64-unknown-linux-gnu";
        assert_eq!(linker(arm, arm), None);
        assert_eq!(linker("aarch64-unknown-linux-musl", arm), None);
        assert_eq!(linker("wasm32-unknown-unknown", arm), None);
        let linker = linker(arm, "x86_64-unknown-linux-gnu");
        assert_eq!(linker.as_deref(), Some("aarch64-linux-gnu-gcc"));
    }
}
