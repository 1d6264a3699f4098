//! The image of a release, built by buildah. Registries of images can't be reached in tests, so its base consists of what
//! distroless images for C contain: the C library, that of its compiler, and nothing else that the programs could need.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{PROGRAMS, Unpacked};
use crate::support::output;

/// In `gcr.io/distroless/cc`, besides the loader.
const LIBRARIES: [&str; 3] = ["libc.so.6", "libgcc_s.so.1", "libm.so.6"];

/// The files of the shared libraries that a program loads.
fn libraries(program: &Path) -> BTreeSet<PathBuf> {
    let list = output(Command::new("ldd").arg(program));
    let words = list.split_whitespace().filter(|word| word.starts_with('/'));
    words.map(PathBuf::from).collect()
}

/// Runs buildah with these words, and with a storage of its own in this folder.
fn buildah(folder: &Path, words: &str) -> String {
    let mut command = Command::new("buildah");
    command
        .args(["--storage-driver", "vfs", "--root"])
        .arg(folder.join("storage"))
        .arg("--runroot")
        .arg(folder.join("run"))
        .args(words.split(' '))
        .current_dir(folder);
    output(&mut command)
}

#[test]
fn the_programs_run_in_an_image_with_the_c_library_alone() {
    let archive = Unpacked::new();
    let folder = archive.folder.path();
    let base = folder.join("base");
    let mut names = BTreeSet::new();
    for library in PROGRAMS
        .iter()
        .flat_map(|name| libraries(&archive.root.join(name)))
    {
        let to = base.join(library.strip_prefix("/").unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(&library, to).unwrap();
        names.insert(library.file_name().unwrap().to_str().unwrap().to_owned());
    }
    names.retain(|name| !name.starts_with("ld-linux"));
    assert_eq!(names, LIBRARIES.map(str::to_owned).into());
    fs::write(folder.join("Base"), "FROM scratch\nCOPY base /\n").unwrap();
    buildah(folder, "build --file Base --tag base .");

    let root = archive.root.display();
    let build = "build --format docker --build-arg BASE=localhost/base --tag tender";
    let build = format!("{build} --file {root}/container/Dockerfile {root}");
    buildah(folder, &build);
    let container = buildah(folder, "from localhost/tender");
    let container = container.trim();
    for name in PROGRAMS {
        let run = format!("run --isolation chroot {container} -- /usr/local/bin/{name} --version");
        let version = format!("{name} {}\n", env!("CARGO_PKG_VERSION"));
        assert_eq!(buildah(folder, &run), version);
    }
    // The user of the image can write nothing in it.
    let inspected = buildah(folder, &format!("inspect {container}"));
    let inspected: Value = serde_json::from_str(&inspected).unwrap();
    let config = &inspected["Docker"]["config"];
    assert_eq!(config["User"], "65532:65532", "{config:#}");
    let health = &config["Healthcheck"]["Test"];
    assert_eq!(health[1], "/usr/local/bin/tender-proxy", "{config:#}");
}
