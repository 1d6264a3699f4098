//! How to run the page's program of a language.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::receiver::programs;

pub(crate) struct Language {
    /// The heading of its section.
    pub(crate) name: &'static str,
    /// The file name of the program.
    file: &'static str,
    /// A command of the shell that succeeds if the libraries are installed.
    probe: &'static str,
    /// The command that runs the program.
    pub(crate) run: &'static str,
    /// The environment variable with the folders of its libraries, separated as in `PATH`.
    libraries: Option<&'static str>,
    /// Prepares the files and variables that the program needs.
    prepare: fn(&Path, &[PathBuf], &mut Command),
}

pub(crate) const NODE: Language = Language {
    name: "Node.js",
    file: "receiver.mjs",
    probe: r#"node --input-type=module --eval "import 'standardwebhooks'; import 'express'; import 'pg'""#,
    run: "exec node receiver.mjs",
    libraries: Some("TENDER_NODE_LIBRARIES"),
    prepare: |folder, libraries, _| {
        // Imports are resolved in the directories above the program.
        let modules = folder.join("node_modules");
        fs::create_dir_all(&modules).unwrap();
        for library in libraries {
            for package in fs::read_dir(library).unwrap() {
                let package = package.unwrap();
                let _ = symlink(package.path(), modules.join(package.file_name()));
            }
        }
    },
};

pub(crate) const PYTHON: Language = Language {
    name: "Python",
    file: "notifications.py",
    probe: "python3 -c 'import standardwebhooks, flask, psycopg'",
    run: "exec python3 -m flask --app notifications run --port $PORT",
    libraries: Some("TENDER_PYTHON_LIBRARIES"),
    prepare: |_, libraries, command| {
        if !libraries.is_empty() {
            command.env("PYTHONPATH", env::join_paths(libraries).unwrap());
        }
    },
};

pub(crate) const RUBY: Language = Language {
    name: "Ruby",
    file: "config.ru",
    probe: r#"ruby -e "%w[standardwebhooks pg rack puma].each { |name| require name }""#,
    run: "exec puma --quiet --bind tcp://127.0.0.1:$PORT",
    libraries: None,
    prepare: |_, _, _| {},
};

pub(crate) const PHP: Language = Language {
    name: "PHP",
    file: "notifications.php",
    probe: r#"php -r "require 'vendor/autoload.php'; exit(extension_loaded('pgsql') ? 0 : 1);""#,
    run: "exec php -S 127.0.0.1:$PORT notifications.php",
    // The variable of Composer.
    libraries: Some("COMPOSER_VENDOR_DIR"),
    prepare: |folder, libraries, _| {
        for vendor in libraries {
            let _ = symlink(vendor, folder.join("vendor"));
        }
    },
};

pub(crate) const GO: Language = Language {
    name: "Go",
    file: "main.go",
    // Downloads the libraries, if Go's module proxy can be reached.
    probe: "go get github.com/lib/pq github.com/standard-webhooks/standard-webhooks/libraries",
    run: "go build -o receiver . && exec ./receiver",
    libraries: None,
    prepare: |folder, _, _| {
        let module = folder.join("go.mod");
        if !module.exists() {
            fs::write(module, "module receiver\n\ngo 1.21\n").unwrap();
        }
    },
};

pub(crate) const RUST: Language = Language {
    name: "Rust",
    file: "main.rs",
    probe: "true",
    run: "cd $PACKAGE && exec $CARGO run --quiet --example receive_notifications",
    libraries: None,
    prepare: |_, _, command| {
        command.env("CARGO", env!("CARGO"));
        command.env("PACKAGE", env!("CARGO_MANIFEST_DIR"));
    },
};

impl Language {
    /// Whether its libraries are installed.
    pub(crate) fn is_here(&self, folder: &Path) -> bool {
        let must_be_here = self
            .libraries
            .is_some_and(|name| env::var_os(name).is_some());
        let mut probe = self.command(self.probe, folder);
        probe.stdin(Stdio::null()).stdout(Stdio::null());
        if !must_be_here {
            probe.stderr(Stdio::null());
        }
        let is_here = probe.status().is_ok_and(|status| status.success());
        assert!(is_here || !must_be_here, "{} lacks libraries", self.name);
        is_here
    }

    pub(crate) fn write_program(&self, folder: &Path) {
        let [program] = <[_; 1]>::try_from(programs(&format!("### {}", self.name))).unwrap();
        fs::write(folder.join(self.file), program).unwrap();
    }

    /// A command of the shell, in this folder.
    pub(crate) fn command(&self, line: &str, folder: &Path) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(folder);
        let libraries = self.libraries.and_then(env::var_os).unwrap_or_default();
        let libraries: Vec<_> = env::split_paths(&libraries)
            .filter(|folder| !folder.as_os_str().is_empty())
            .collect();
        (self.prepare)(folder, &libraries, &mut command);
        command
    }
}
