//! Reading the element's attributes.

use tender_payments_core::{Config, ConfigError};
use tender_protocol::client::url::InvalidProxyUrl;

fn read(attributes: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let attribute = |name: &str| {
        let found = attributes.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    Config::read(attribute, |address| Some(address.to_owned()))
}

#[test]
fn the_trailing_slash_of_the_proxy_is_removed() {
    let config = read(&[("proxy", " https://pay.example/tender/ "), ("locale", "de")]);
    let expected = Config {
        proxy: "https://pay.example/tender".to_owned(),
        locale: Some("de".to_owned()),
    };
    assert_eq!(config, Ok(expected));
}

#[test]
fn an_invalid_proxy_is_quoted_in_the_error() {
    assert_eq!(read(&[("proxy", " ")]), Err(ConfigError::ProxyMissing));
    let written = "https://pay.example/?name=\"quoted\"";
    let error = read(&[("proxy", written)]).unwrap_err();
    assert_eq!(
        error,
        ConfigError::ProxyInvalid(InvalidProxyUrl(written.to_owned()))
    );
    let quoted = format!("`{written}`");
    assert!(error.to_string().ends_with(&quoted), "{error}");
}
