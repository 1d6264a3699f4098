//! The script between the module and the page: wasm-bindgen's, with a guard before the module.

use std::path::{Path, PathBuf};

use super::write;
use crate::error::{Error, Result};

/// Stands between the module and all that calls into it.
const GUARD: &str = include_str!("../../../../element/guard.js");

/// Where the glue of this version of wasm-bindgen takes the module's exports.
const EXPORTS: &str = "wasm = instance.exports;";

/// The glue with the guard before the module.
pub(super) fn guard(glue: &str) -> Result<String> {
    if glue.matches(EXPORTS).count() != 1 {
        return Err(Error::Module(format!(
            "its glue has not one line `{EXPORTS}` to put the guard at: see what this version of wasm-bindgen writes"
        )));
    }
    let guarded = glue.replace(EXPORTS, "wasm = guarded(instance.exports);");
    Ok(format!(
        "import {{ guarded }} from './guard.js';\n{guarded}"
    ))
}

/// Writes the guard, and the script that names what the page may call, beside the glue. Gives the latter.
pub(super) fn entrance(glue: &Path) -> Result<PathBuf> {
    let [entrance, guard] = ["entrance.js", "guard.js"].map(|name| glue.with_file_name(name));
    let name = glue.file_name().unwrap_or_default().display();
    write(&guard, GUARD)?;
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
    fn the_guard_stands_where_the_exports_are_taken() {
        let glue = guard("let wasm;\nwasm = instance.exports;\n").unwrap();
        assert_eq!(
            glue,
            "import { guarded } from './guard.js';\nlet wasm;\nwasm = guarded(instance.exports);\n"
        );
    }

    #[test]
    fn without_that_place_there_is_no_glue() {
        let error = guard("wasm = other;").unwrap_err().to_string();
        assert!(error.contains("has not one line"), "{error}");
    }
}
