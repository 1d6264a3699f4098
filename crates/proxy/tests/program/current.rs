//! Files of the repository that tests make.

use std::path::Path;
use std::{env, fs};

/// Whether a file is as this test makes it.
#[track_caller]
pub(crate) fn is_current(file: &str, current: &str, test: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(file);
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, current).unwrap();
        return;
    }
    let update = format!("UPDATE_DOCS=1 cargo test -p tender-proxy --test {test}");
    let is_same = fs::read_to_string(path).is_ok_and(|text| text == current);
    assert!(is_same, "renew {file}: {update}");
}
