//! The element's attributes.

use tender_client::address::NotABase;
use tender_payments_core::{Config, ConfigError};

fn read(attributes: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let attribute = |name: &str| {
        let found = attributes.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    Config::read(attribute, |address| Some(address.to_owned()))
}

#[test]
fn the_proxy_has_no_slash_at_its_end() {
    let config = read(&[("proxy", " https://pay.example/tender/ "), ("locale", "de")]);
    let expected = Config {
        proxy: "https://pay.example/tender".to_owned(),
        locale: Some("de".to_owned()),
    };
    assert_eq!(config, Ok(expected));
}

#[test]
fn what_is_no_proxy_is_told_as_it_was_written() {
    assert_eq!(read(&[("proxy", " ")]), Err(ConfigError::Missing));
    let written = "https://pay.example/?name=\"quoted\"";
    let error = read(&[("proxy", written)]).unwrap_err();
    assert_eq!(error, ConfigError::Proxy(NotABase(written.to_owned())));
    let told = format!("`{written}`");
    assert!(error.to_string().ends_with(&told), "{error}");
}
