//! The definition of the containers in an archive, as data.

use std::collections::BTreeSet;
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

pub(super) fn texts(list: &Value) -> Vec<String> {
    let list = list
        .as_array()
        .unwrap_or_else(|| panic!("{list} is a list"));
    list.iter()
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

fn keys(object: &Value) -> BTreeSet<String> {
    object.as_object().unwrap().keys().cloned().collect()
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
        assert!(
            service.get("cap_add").is_none() && service.get("privileged").is_none(),
            "{name}"
        );
        let dockerfile = archive
            .root
            .join("container")
            .join(service["build"]["context"].as_str().unwrap());
        assert!(
            dockerfile
                .join(service["build"]["dockerfile"].as_str().unwrap())
                .is_file(),
            "{name}"
        );
        let program = service["entrypoint"]
            .get(0)
            .map_or("/usr/local/bin/tender-proxy", |program| {
                program.as_str().unwrap()
            });
        assert!(
            archive
                .root
                .join(program.strip_prefix(BIN).unwrap())
                .is_file(),
            "{name}"
        );
    }
    for (name, service) in services.as_object().unwrap() {
        assert_eq!(
            texts(&service["security_opt"]),
            ["no-new-privileges:true"],
            "{name}"
        );
        for port in service.get("ports").map(texts).unwrap_or_default() {
            assert!(port.starts_with("127.0.0.1:"), "{name}: {port}");
        }
        for network in service.get("networks").map(texts).unwrap_or_default() {
            assert!(
                compose["networks"].get(&network).is_some(),
                "{name}: {network}"
            );
        }
        for other in service.get("depends_on").map(keys).unwrap_or_default() {
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
    let declared = keys(&compose["secrets"]);
    let mut used = BTreeSet::new();
    for (name, service) in compose["services"].as_object().unwrap() {
        let given: BTreeSet<_> = service
            .get("secrets")
            .map(texts)
            .into_iter()
            .flatten()
            .collect();
        let read = service
            .get("environment")
            .and_then(Value::as_object)
            .into_iter()
            .flatten();
        let read = read.filter_map(|(_, value)| {
            value
                .as_str()?
                .strip_prefix("/run/secrets/")
                .map(str::to_owned)
        });
        assert_eq!(read.collect::<BTreeSet<_>>(), given, "{name}");
        used.extend(given);
    }
    assert_eq!(used, declared);
    let mut files = BTreeSet::from(["shop.env".to_owned()]);
    for name in &declared {
        assert_eq!(compose["secrets"][name]["file"], format!("secrets/{name}"));
        files.insert(name.clone());
    }
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
