//! Reading the element's attributes.

use tender_payments_core::{Config, ConfigError};

fn read(attributes: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let attribute = |name: &str| {
        let found = attributes.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    Config::read(attribute, |address| Some(address.to_owned()))
}

#[test]
fn the_proxy_is_required_and_checked() {
    let config = read(&[("proxy", " https://pay.example/tender/ "), ("locale", "de")]);
    let expected = Config {
        proxy: "https://pay.example/tender".to_owned(),
        locale: Some("de".to_owned()),
    };
    assert_eq!(config, Ok(expected));
    assert_eq!(read(&[("proxy", " ")]), Err(ConfigError::ProxyMissing));
    let written = "https://pay.example/?name=\"quoted\"";
    let error = read(&[("proxy", written)]).unwrap_err();
    assert!(
        error.to_string().contains(&format!("`{written}`")),
        "{error}"
    );
}
