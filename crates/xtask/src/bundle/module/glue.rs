//! The script between the module and the page: wasm-bindgen's, with a guard before the module, and a start of our own.

use std::path::{Path, PathBuf};

use super::write;
use crate::error::{Error, Result};

/// Stands between the module and all that calls into it.
const GUARD: &str = include_str!("../../../../element/guard.js");

/// Compiles the module.
const START: &str = include_str!("../../../../element/start.js");

/// Where the glue of this version of wasm-bindgen begins with how a module is started.
const OTHER_START: &str = "let wasmModule, wasmInstance, wasm;";

const OWN_START: &str = "let wasm;
export const exports = () => wasm;
export default async (answer) => {
    wasm = guarded(await start(answer, __wbg_get_imports()));
    wasm.__wbindgen_start();
};
";

/// Nobody disposes of a handle but by `free`. With that the bundler leaves out classes for what was taken out of the
/// module.
pub(super) const NO_DISPOSE: &str = "--define:Symbol.dispose=undefined";

/// Does nothing by being made, which a bundler can't know.
const REGISTRY: &str = "new FinalizationRegistry(";

/// The glue with the guard before the module, and our start in the place of its own.
pub(super) fn guarded(glue: &str) -> Result<String> {
    let Some((glue, _)) = glue.split_once(OTHER_START) else {
        return Err(Error::Module(format!(
            "its glue has no line `{OTHER_START}` to put the start at: see what this version of wasm-bindgen writes"
        )));
    };
    let glue = glue.replace(REGISTRY, &format!("/* @__PURE__ */ {REGISTRY}"));
    Ok(format!(
        "import {{ guarded }} from './guard.js';\nimport {{ start }} from './start.js';\n{glue}{OWN_START}"
    ))
}

/// The glue's functions as methods: there is one for each import.
pub(super) fn with_methods(glue: &str) -> String {
    glue.replace(": function(", "(")
}

/// Writes guard and start, and the script that names what the page may call, beside the glue. Gives the latter.
pub(super) fn entrance(glue: &Path) -> Result<PathBuf> {
    write(&glue.with_file_name("guard.js"), GUARD)?;
    write(&glue.with_file_name("start.js"), START)?;
    let entrance = glue.with_file_name("entrance.js");
    let name = glue.file_name().unwrap_or_default().display();
    let exports = format!(
        "export {{ default, mount }} from './{name}';\nexport {{ onCrash }} from './guard.js';"
    );
    write(&entrance, exports)?;
    Ok(entrance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_ours() {
        let glue = guarded("let a;\nlet wasmModule, wasmInstance, wasm;\nfunction initSync() {}\n")
            .unwrap();
        assert!(glue.contains("let a;\nlet wasm;"), "{glue}");
        assert!(glue.contains("guarded(await start("), "{glue}");
        assert!(!glue.contains("initSync"), "{glue}");
    }

    #[test]
    fn without_that_place_there_is_no_glue() {
        let error = guarded("wasm = other;").unwrap_err().to_string();
        assert!(error.contains("has no line"), "{error}");
    }
}
