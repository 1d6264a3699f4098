//! Tests of the encrypted connection to PostgreSQL.

use std::fs;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use serde_json::json;
use tempfile::TempDir;
use tender_programs::Postgres;

use crate::support::{World, config, order, paying};

/// A certificate authority for the test.
fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

#[tokio::test]
async fn only_a_server_with_a_valid_certificate_is_used() {
    let authority = authority();
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
    let certificate = certificate.signed_by(&key, &authority).unwrap();
    let port = tender_programs::free_address().port();
    let server = Postgres::start_with_tls(&certificate.pem(), &key.serialize_pem(), port);
    let database = server.new_database();
    let (_, name) = database.rsplit_once('/').unwrap();

    let folder = TempDir::new().unwrap();
    let trusting = |host: &str, trusted: String| {
        let file = folder.path().join("trusted.pem");
        fs::write(&file, trusted).unwrap();
        let file = file.display();
        format!("postgres://postgres@{host}:{port}/{name}?sslmode=verify-full&sslrootcert={file}")
    };
    let refused = async |address: String| {
        let mut config = config("http://127.0.0.1:9", "http://127.0.0.1:9");
        config.store.database = address.parse().unwrap();
        let refused = tender_proxy::start(config).await.err().unwrap();
        refused.to_string()
    };
    let stranger = self::authority().pem();
    let reason = refused(trusting("127.0.0.1", stranger)).await;
    assert!(reason.contains("certificate"), "{reason}");
    // A valid certificate of another server.
    let reason = refused(trusting("localhost", authority.pem())).await;
    assert!(reason.contains("certificate"), "{reason}");

    let good = trusting("127.0.0.1", authority.pem());
    let world = World::with(|config| config.store.database = good.parse().unwrap()).await;
    let first = world.create(&paying(&order(json!({})))).await;
    let again = world.create(&paying(&order(json!({})))).await;
    assert_eq!(first.transaction_id(), again.transaction_id());
}
