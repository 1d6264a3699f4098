//! The definition of the containers in an archive, as data.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::Unpacked;
use crate::support::output;

/// The services whose programs are in the archive.
const SERVICES: [&str; 3] = ["sandbox", "proxy", "shop"];

/// Where the image has the programs.
pub(super) const BIN: &str = "/usr/local/bin/";

pub(super) fn compose(yaml: &str) -> Value {
    serde_saphyr::from_str(yaml).unwrap()
}

/// The texts of a list, which may be left out.
pub(super) fn texts(list: &Value) -> Vec<String> {
    serde_json::from_value::<Option<_>>(list.clone())
        .unwrap()
        .unwrap_or_default()
}

/// The names and values of an object, which may be left out.
pub(super) fn fields(object: &Value) -> BTreeMap<String, Value> {
    serde_json::from_value::<Option<_>>(object.clone())
        .unwrap()
        .unwrap_or_default()
}

/// Makes the secrets, as the operator does.
pub(super) fn make_secrets(archive: &Unpacked) -> PathBuf {
    output(Command::new("sh").arg(archive.root.join("container/secrets.sh")));
    archive.root.join("container/secrets")
}

#[test]
fn programs_have_no_rights_and_only_their_own_machine_reaches_them() {
    let archive = Unpacked::new();
    let compose = compose(&archive.text("container/compose.yaml"));
    let services = &compose["services"];
    for name in SERVICES {
        let service = &services[name];
        assert_eq!(service["user"], "65532:65532", "{name}");
        assert_eq!(service["read_only"], true, "{name}");
        assert_eq!(texts(&service["cap_drop"]), ["ALL"], "{name}");
        for right in ["cap_add", "privileged"] {
            assert_eq!(service.get(right), None, "{name}");
        }
        let [context, dockerfile] = ["context", "dockerfile"].map(|of| &service["build"][of]);
        let container = archive.root.join("container");
        let container = container.join(context.as_str().unwrap());
        let dockerfile = container.join(dockerfile.as_str().unwrap());
        assert!(dockerfile.is_file(), "{name}: {dockerfile:?}");
        let program = service["entrypoint"][0].as_str();
        let program = program.unwrap_or("/usr/local/bin/tender-proxy");
        let program = archive.root.join(program.strip_prefix(BIN).unwrap());
        assert!(program.is_file(), "{name}: {program:?}");
    }
    let networks = fields(&compose["networks"]);
    for (name, service) in fields(services) {
        let options = texts(&service["security_opt"]);
        assert_eq!(options, ["no-new-privileges:true"], "{name}");
        for port in texts(&service["ports"]) {
            assert!(port.starts_with("127.0.0.1:"), "{name}: {port}");
        }
        for network in texts(&service["networks"]) {
            assert!(networks.contains_key(&network), "{name}: {network}");
        }
        for (other, _) in fields(&service["depends_on"]) {
            assert!(services.get(&other).is_some(), "{name}: {other}");
        }
    }
    // The database is reached by the proxy alone.
    assert_eq!(compose["networks"]["database"]["internal"], true);
    assert_eq!(texts(&services["database"]["networks"]), ["database"]);
}

#[test]
fn each_secret_is_declared_made_and_used() {
    let archive = Unpacked::new();
    let compose = compose(&archive.text("container/compose.yaml"));
    let secrets = make_secrets(&archive);
    let mut used = BTreeSet::new();
    for (name, service) in fields(&compose["services"]) {
        let given = BTreeSet::from_iter(texts(&service["secrets"]));
        let read = fields(&service["environment"]).into_values();
        let read = read.filter_map(|value| {
            let secret = value.as_str()?.strip_prefix("/run/secrets/");
            secret.map(str::to_owned)
        });
        assert_eq!(read.collect::<BTreeSet<_>>(), given, "{name}");
        used.extend(given);
    }
    let mut files = BTreeSet::from(["shop.env".to_owned()]);
    for (name, secret) in fields(&compose["secrets"]) {
        assert!(used.remove(&name), "{name} is not used");
        assert_eq!(secret["file"], format!("secrets/{name}"));
        files.insert(name);
    }
    assert_eq!(used, BTreeSet::new(), "not declared");
    let made = fs::read_dir(&secrets).unwrap();
    let made = made.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(made.collect::<BTreeSet<_>>(), files);
    let password = fs::read_to_string(secrets.join("database_password")).unwrap();
    let url = fs::read_to_string(secrets.join("database_url")).unwrap();
    assert_eq!(
        url,
        format!("postgres://tender:{}@database/tender\n", password.trim())
    );
}
