//! Token and network records (the service's document, "Token record" and "Network record").

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::code::TokenCode;
use crate::record::{Record, RecordError, flag, from_json, number, optional_text, text};

/// A token that is enabled for the merchant's project.
///
/// The listing may include codes that the create endpoint does not accept, and the same symbol on
/// several networks. `meta` is an empty object for every token and is not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Record")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Token {
    /// Token identifier; empty if the record has none.
    pub uuid: String,
    /// Display name.
    pub name: String,
    /// Ticker symbol; several tokens may share one.
    pub symbol: String,
    /// The code used in `token` and `paymentToken` of requests.
    pub token: TokenCode,
    /// Absent for the native coin of a network.
    pub decimals: Option<u8>,
    /// URL of an image. It is not validated.
    pub logo: Option<String>,
    /// Its network.
    pub network: Network,
    /// Whether payments with it are tests, without real money.
    #[serde(rename = "testMode", skip_serializing_if = "std::ops::Not::not")]
    pub test_mode: bool,
}

/// The network of a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Network {
    /// Network name.
    #[serde(deserialize_with = "text")]
    pub name: String,
    /// Network code.
    #[serde(default, deserialize_with = "optional_text")]
    pub token: Option<String>,
    /// Native currency code of the network.
    #[serde(default, deserialize_with = "optional_text")]
    pub currency: Option<String>,
    /// URL prefix to which a transaction hash is appended. It is not validated.
    #[serde(default, deserialize_with = "optional_text")]
    pub explorer: Option<String>,
    /// Network identifier.
    #[serde(default, deserialize_with = "optional_text")]
    pub uuid: Option<String>,
}

impl Token {
    /// Reads the tokens of a listing that the create endpoint accepts, in its order. Invalid records are left out. Of the
    /// other tokens only the code is read, because a listing may have thousands.
    ///
    /// # Errors
    /// [`RecordError::NotJson`] if it is not a JSON array.
    pub fn accepted(json: &str) -> Result<Vec<Self>, RecordError> {
        let read = |element: &RawValue| {
            let record = Record::parse(element.get(), "a record").ok()?;
            Self::try_from(record).ok()
        };
        Ok(accepted_elements(json)?.filter_map(read).collect())
    }

    /// The same part of the listing as JSON, each record as it is.
    ///
    /// # Errors
    /// [`RecordError::NotJson`] if it is not a JSON array.
    pub fn accepted_json(json: &str) -> Result<String, RecordError> {
        let elements: Vec<_> = accepted_elements(json)?.map(RawValue::get).collect();
        Ok(format!("[{}]", elements.join(",")))
    }
}

/// Without those whose code the create endpoint does not accept. A record without a valid code is included.
fn accepted_elements(json: &str) -> Result<impl Iterator<Item = &RawValue>, RecordError> {
    let elements: Vec<&RawValue> = from_json(json, "a list of token records")?;
    let is_accepted = |element: &&RawValue| {
        let code = serde_json::from_str(element.get());
        code.map_or(true, |Code { token }| {
            TokenCode::from(&*token).is_accepted()
        })
    };
    Ok(elements.into_iter().filter(is_accepted))
}

/// A token record, of which only the code is read.
#[derive(Deserialize)]
struct Code<'a> {
    #[serde(borrow)]
    token: Cow<'a, str>,
}

/// The fields of a token record.
#[derive(Deserialize)]
struct TokenFields {
    #[serde(default, deserialize_with = "text")]
    uuid: String,
    #[serde(default, deserialize_with = "optional_text")]
    name: Option<String>,
    #[serde(default, deserialize_with = "optional_text")]
    symbol: Option<String>,
    #[serde(deserialize_with = "text")]
    token: TokenCode,
    #[serde(default, deserialize_with = "number")]
    decimals: Option<u8>,
    #[serde(default, deserialize_with = "optional_text")]
    logo: Option<String>,
    network: Record,
    #[serde(default, rename = "testMode", deserialize_with = "flag")]
    test_mode: bool,
}

/// The code replaces a missing symbol, and the symbol a missing name.
impl TryFrom<Record> for Token {
    type Error = RecordError;

    fn try_from(record: Record) -> Result<Self, RecordError> {
        let fields: TokenFields = record.read("token")?;
        let code = fields.token;
        let symbol = fields.symbol;
        let symbol = symbol.unwrap_or_else(|| code.as_str().to_ascii_uppercase());
        Ok(Self {
            uuid: fields.uuid,
            name: fields.name.unwrap_or_else(|| symbol.clone()),
            symbol,
            token: code,
            decimals: fields.decimals,
            logo: fields.logo,
            network: fields.network.read("network")?,
            test_mode: fields.test_mode,
        })
    }
}
