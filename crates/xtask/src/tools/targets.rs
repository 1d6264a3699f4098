//! The targets of a release, and what builds for them need.

use xshell::Shell;

use super::find::answer;

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

/// How to get what is missing here, a machine of the target `host`, to build for this target. Nothing is installed.
pub(crate) fn missing(sh: &Shell, target: &str, host: &str) -> Vec<String> {
    let needed = needed(target, host).into_iter();
    needed
        .filter(|(check, _)| answer(sh, check).is_none())
        .map(|(_, how_to_get)| how_to_get)
        .collect()
}

/// Scripts of a shell that succeed if what builds for this target need is there, and how to get it.
fn needed(target: &str, host: &str) -> Vec<(String, String)> {
    let library = (
        format!("test -d \"$(rustc --print target-libdir --target {target})\""),
        format!("rustup target add {target}"),
    );
    let is_musl = target.ends_with("musl");
    let compiler = match linker(target, host) {
        Some(compiler) if is_musl => Some((compiler, BY_HAND.to_owned())),
        Some(compiler) => {
            let debians_name = match processor(target) {
                "aarch64" => "arm64",
                _ => "amd64",
            };
            let how_to_get = format!("apt-get install crossbuild-essential-{debians_name}");
            Some((compiler, how_to_get))
        }
        None if is_musl && !host.ends_with("musl") => {
            let how_to_get = "apt-get install musl-tools".to_owned();
            Some(("musl-gcc".to_owned(), how_to_get))
        }
        None => None,
    };
    let compiler = compiler.map(|(name, how_to_get)| (format!("command -v {name}"), how_to_get));
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
        for (target, compiler) in NAMES.into_iter().zip([
            None,
            Some((
                "command -v aarch64-linux-gnu-gcc",
                "apt-get install crossbuild-essential-arm64",
            )),
            Some(("command -v musl-gcc", "apt-get install musl-tools")),
            Some(("command -v aarch64-linux-musl-gcc", BY_HAND)),
        ]) {
            let needed = needed(target, "x86_64-unknown-linux-gnu");
            let [(_, library), compilers @ ..] = needed.as_slice() else {
                panic!("{target} needs a library");
            };
            assert_eq!(*library, format!("rustup target add {target}"));
            let compilers: Vec<_> = compilers
                .iter()
                .map(|(check, get)| (&**check, &**get))
                .collect();
            assert_eq!(compilers, Vec::from_iter(compiler));
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
