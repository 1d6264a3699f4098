//! The languages and libraries of the example shops. The other programs in the documentation use them, too.

use super::examples::version;
use super::tool::{LIBRARY_FILES, Probe, REQUIREMENTS, Source, Tool};
use crate::error::Result;
use crate::step::Step::{E2e, Native};
use crate::workspace::Workspace;

/// The environment variables with the folders of their libraries, or the programs of their languages, and the names.
pub(crate) const SHOPS: [(&str, &str); 5] = [
    ("SHOP_NODE", "shop-node"),
    ("SHOP_PYTHON", "shop-python"),
    ("SHOP_PHP", "php"),
    ("SHOP_RUBY", "ruby"),
    ("SHOP_GO", "go"),
];

const NODE: &str = "examples/shops/node";
const PYTHON: &str = "examples/shops/python";

pub(super) fn tools(workspace: &Workspace) -> Result<[Tool; 5]> {
    let tool = |name, why, probe, source| Tool {
        name,
        why,
        needed_by: &[Native, E2e],
        probe,
        source,
    };
    Ok([
        tool(
            "shop-node",
            "the libraries of the example shop in Node.js",
            Probe::Library("node_modules"),
            Source::NpmLock {
                folder: NODE.to_owned(),
                version: version(workspace, NODE, &LIBRARY_FILES)?,
            },
        ),
        tool(
            "shop-python",
            "the libraries of the example shop in Python",
            Probe::Library("site-packages"),
            Source::PipList {
                folder: PYTHON,
                version: version(workspace, PYTHON, &[REQUIREMENTS])?,
            },
        ),
        tool(
            "php",
            "runs the example shop in PHP",
            Probe::Succeeds(&[
                "php",
                "-r",
                "exit(extension_loaded('pgsql') && extension_loaded('sodium') ? 0 : 1);",
            ]),
            Source::Debian("php-cli php-pgsql"),
        ),
        tool(
            "ruby",
            "runs the example shop in Ruby",
            Probe::Succeeds(&[
                "ruby",
                "-e",
                "%w[erubi jwt pg puma rbnacl sinatra/base].each { |name| require name }",
            ]),
            Source::Debian("ruby ruby-erubi ruby-jwt ruby-pg puma ruby-rbnacl ruby-sinatra"),
        ),
        tool(
            "go",
            "compiles the example shop in Go",
            Probe::Succeeds(&[
                "sh",
                "-c",
                "go version && cd /usr/share/gocode/src/github.com && test -d lib/pq -a -d golang-jwt/jwt",
            ]),
            Source::Debian("golang-go golang-github-golang-jwt-jwt-dev golang-github-lib-pq-dev"),
        ),
    ])
}
