//! Token and network records (the service's document, "Token record" and "Network record").

use crate::code::TokenCode;
use crate::json;
use crate::record::{Record, RecordError, not_json, serialize_as_record};

/// A token that is enabled for the merchant's project.
///
/// The listing may hold codes that the create endpoint does not accept, and the same symbol on
/// several networks. `meta` is an empty object for every token and is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Token identifier; empty where the record has none.
    pub uuid: String,
    /// Display name.
    pub name: String,
    /// Ticker symbol; several tokens may share one.
    pub symbol: String,
    /// The code used in `token` and `paymentToken` of requests.
    pub token: TokenCode,
    /// `None` for the native coin of a network.
    pub decimals: Option<u8>,
    /// Image address, as it came: check it before use.
    pub logo: Option<String>,
    /// The network it lives on.
    pub network: Network,
}

/// The network of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Network name.
    pub name: String,
    /// Network code.
    pub token: Option<String>,
    /// Native currency code of the network.
    pub currency: Option<String>,
    /// Prefix to which a transaction hash is appended, as it came: check it before use.
    pub explorer: Option<String>,
    /// Network identifier.
    pub uuid: Option<String>,
}

/// What a token listing holds: one unreadable element does not hide the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The readable records, in the listing's order.
    pub tokens: Vec<Token>,
    /// Why the others were left out.
    pub rejected: Vec<RecordError>,
}

impl Listing {
    /// Reads the answer of the token-listing endpoint.
    ///
    /// # Errors
    /// [`RecordError::NotJson`] where it is not a JSON array.
    pub fn parse(json: &str) -> Result<Self, RecordError> {
        Self::read(json, |_| true)
    }

    /// Reads the answer of the token-listing endpoint as [`Listing::parse`] does, but for the records of tokens that
    /// the create endpoint does not accept: of those nothing but the code is read. A listing may hold thousands.
    ///
    /// # Errors
    /// [`RecordError::NotJson`] where it is not a JSON array.
    pub fn accepted(json: &str) -> Result<Self, RecordError> {
        Self::read(json, |element| {
            let code = json::field(element, "token").ok().flatten();
            let code = code.and_then(|code| json::string(code).ok());
            // What has no code is read, and rejected.
            code.is_none_or(|code| TokenCode::from(code).is_accepted())
        })
    }

    fn read(json: &str, is_wanted: impl Fn(&str) -> bool) -> Result<Self, RecordError> {
        let elements =
            json::array(json).map_err(|error| not_json("a list of token records", &error))?;
        let mut listing = Self::default();
        for element in elements.into_iter().filter(|element| is_wanted(element)) {
            let record = Record::parse(element, "a record");
            match record.and_then(|record| Token::try_from(&record)) {
                Ok(token) => listing.tokens.push(token),
                Err(error) => listing.rejected.push(error),
            }
        }
        Ok(listing)
    }
}

/// Required: `token`, `network` with a `name`. A nameless token goes by its symbol or its code.
impl TryFrom<&Record> for Token {
    type Error = RecordError;

    fn try_from(record: &Record) -> Result<Self, RecordError> {
        let fields = record.reader("token");
        let code = fields.required_text("token")?;
        let symbol = fields
            .text("symbol")?
            .unwrap_or_else(|| code.to_ascii_uppercase());
        Ok(Self {
            uuid: fields.text("uuid")?.unwrap_or_default(),
            name: fields.text("name")?.unwrap_or_else(|| symbol.clone()),
            symbol,
            token: TokenCode::from(code),
            decimals: fields.parsed("decimals")?,
            logo: fields.text("logo")?,
            network: Network::try_from(&fields.record("network")?)?,
        })
    }
}

impl TryFrom<&Record> for Network {
    type Error = RecordError;

    fn try_from(record: &Record) -> Result<Self, RecordError> {
        let fields = record.reader("network");
        Ok(Self {
            name: fields.required_text("name")?,
            token: fields.text("token")?,
            currency: fields.text("currency")?,
            explorer: fields.text("explorer")?,
            uuid: fields.text("uuid")?,
        })
    }
}

/// As the service writes it: what there is not is null.
impl From<&Token> for Record {
    fn from(token: &Token) -> Self {
        Self::default()
            .with("uuid", token.uuid.as_str())
            .with("name", token.name.as_str())
            .with("symbol", token.symbol.as_str())
            .with("token", token.token.as_str())
            .with_number_or_null("decimals", token.decimals)
            .with_or_null("logo", token.logo.as_deref())
            .with_record("network", &Self::from(&token.network))
    }
}

/// See [`Token`].
impl From<&Network> for Record {
    fn from(network: &Network) -> Self {
        Self::default()
            .with("name", network.name.as_str())
            .with_or_null("token", network.token.as_deref())
            .with_or_null("currency", network.currency.as_deref())
            .with_or_null("explorer", network.explorer.as_deref())
            .with_or_null("uuid", network.uuid.as_deref())
    }
}

serialize_as_record!(Token);
