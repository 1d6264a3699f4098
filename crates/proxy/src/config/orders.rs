//! Settings of orders, of their keys, and of payment links.

use std::collections::{BTreeMap, HashMap};
use std::str::FromStr;

use clap::{ArgAction, Args};
use jsonwebtoken::{Algorithm, DecodingKey};
use tender_protocol::secret_lines::check_secret;
use tender_protocol::{Amount, LinkLimits, Status, TokenCode};

use super::Secret;
use super::numbers::positive;

/// Orders, and what their payments' statuses mean.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Orders")]
pub struct Orders {
    /// Let pages set their own price, for donations and demos
    #[arg(long, id = "allow_unsigned_orders", value_name = "BOOL", default_value = "false", action = ArgAction::Set)]
    pub allow_unsigned: bool,

    /// HS256 secret that verifies orders, or `KID=SECRET`. A file may instead contain one Ed25519
    /// public key in PEM, and `KID=PATH` gives the keys of a file a `kid`
    #[arg(long, id = "order_key", value_name = "SECRET", hide_env_values = true)]
    pub keys: Vec<OrderKey>,

    /// How many days from now the `exp` of an order may be at most, so that no price is valid for ever
    #[arg(long, id = "order_max_days", value_name = "DAYS", default_value = "400", value_parser = positive::<u16>)]
    pub max_days: u16,

    /// `statusId` or `statusText`, exactly as the service sends it, of a status that means that money was
    /// seen and waits for its confirmation. The payment asks for no money any more, and it is never
    /// cancelled
    #[arg(long, id = "status_pending", value_name = "STATUS", value_parser = not_created)]
    pub status_pending: Vec<String>,

    /// `statusId` or `statusText`, exactly as the service sends it, of a status that means that less than
    /// the amount has arrived. The order keeps this payment until the merchant releases it
    #[arg(long, id = "status_underpaid", value_name = "STATUS", value_parser = not_created)]
    pub status_underpaid: Vec<String>,

    /// `statusId` or `statusText`, exactly as the service sends it, of a status that means that a
    /// payment is paid
    #[arg(long, id = "status_paid", value_name = "STATUS", value_parser = not_created)]
    pub status_paid: Vec<String>,

    /// `statusId` or `statusText`, exactly as the service sends it, of a status that closes a payment,
    /// so that its order can be paid again. A status named "Cancelled" always does
    #[arg(long, id = "status_closed", value_name = "STATUS", value_parser = not_created)]
    pub status_closed: Vec<String>,
}

impl Orders {
    /// The mapped statuses, by setting.
    pub(crate) fn statuses(&self) -> [(&'static str, &[String]); 4] {
        [
            ("status_pending", &self.status_pending),
            ("status_underpaid", &self.status_underpaid),
            ("status_paid", &self.status_paid),
            ("status_closed", &self.status_closed),
        ]
    }

    /// Two statuses of different lists that have the same key, each after the name of its list.
    pub(super) fn in_two_lists(
        &self,
        key: impl Fn(&str) -> String,
    ) -> Option<[(&'static str, &str); 2]> {
        let mut seen = HashMap::new();
        for (name, list) in self.statuses() {
            for status in list {
                let first = *seen.entry(key(status)).or_insert((name, &**status));
                if first.0 != name {
                    return Some([first, (name, status)]);
                }
            }
        }
        None
    }
}

/// What two statuses have in common that differ only in capitals, white space and punctuation.
pub(crate) fn letters(status: &str) -> String {
    let letters = status.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

fn not_created(text: &str) -> Result<String, String> {
    if [Status::Created.id(), Status::Created.text()].contains(&text) {
        return Err(format!(
            "{text:?} is the status of a new payment; write another one"
        ));
    }
    Ok(text.to_owned())
}

/// A key that verifies orders. It determines the algorithm; the `alg` of an order must match it.
#[derive(Clone, Debug)]
pub struct OrderKey {
    pub(crate) kid: Option<String>,
    /// A shared secret can sign orders, too.
    pub(crate) secret: Option<Secret>,
    pub(crate) verify: DecodingKey,
    pub(crate) algorithm: Algorithm,
}

impl OrderKey {
    /// A shared secret (HS256). It verifies orders with this `kid` or without one.
    pub fn hs256(kid: Option<String>, secret: &Secret) -> Self {
        Self {
            kid,
            secret: Some(secret.clone()),
            verify: DecodingKey::from_secret(secret.as_bytes()),
            algorithm: Algorithm::HS256,
        }
    }

    /// An Ed25519 public key in PEM (EdDSA); `None` if `pem` is invalid.
    pub fn ed25519(kid: Option<String>, pem: &str) -> Option<Self> {
        let verify = DecodingKey::from_ed_pem(pem.as_bytes()).ok()?;
        let algorithm = Algorithm::EdDSA;
        Some(Self {
            kid,
            secret: None,
            verify,
            algorithm,
        })
    }

    /// The name of the key in the log: its `kid`, or this number of it.
    pub(crate) fn name(&self, number: usize) -> String {
        let kid = self.kid.clone();
        kid.unwrap_or_else(|| format!("order_key {number}"))
    }

    /// Whether the key verifies orders with this `kid`: if both have one, they must be equal.
    pub(crate) fn is_for(&self, kid: Option<&str>) -> bool {
        match (&self.kid, kid) {
            (Some(own), Some(other)) => own == other,
            _ => true,
        }
    }
}

/// Parses `secret`, `kid=secret`, and an Ed25519 public key in PEM with or without `kid=`.
impl FromStr for OrderKey {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, key) = with_kid(text);
        if name.is_some_and(|name| VARIABLES.contains(&name)) {
            return Err("its `kid` is the name of a variable; write only what follows".to_owned());
        }
        let kid = name.map(kid).transpose().map_err(|reason| {
            format!("before `=` is the key's `kid`: {reason}, without white space around the `=`")
        })?;
        if key.contains("PRIVATE KEY-----") {
            let advice = "it is a private key, which signs; give the proxy the public one, which \
                          `openssl pkey -in FILE -pubout` prints";
            return Err(advice.to_owned());
        }
        if key.contains("-----BEGIN") {
            let key = Self::ed25519(kid, key);
            return key.ok_or_else(|| "the PEM is not an Ed25519 public key".to_owned());
        }
        check_secret(key).map_err(|fault| format!("after `=` is the secret: {fault}"))?;
        if let (None, Some((name, _))) = (&kid, key.split_once(':'))
            && self::kid(name).is_ok()
        {
            return Err(
                "it has a `:` after what looks like a `kid`; write `KID=SECRET`".to_owned(),
            );
        }
        Ok(Self::hs256(kid, &Secret::key(key)?))
    }
}

/// What the examples call the variable with the key. A line of a file with variables is not a key.
const VARIABLES: [&str; 2] = ["ORDER_KEY", "order_key"];

fn kid(text: &str) -> Result<String, &'static str> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if (1..=64).contains(&text.len()) && text.bytes().all(fits) {
        return Ok(text.to_owned());
    }
    Err("write 1 to 64 letters, digits, `-`, `_` and `.`")
}

/// Splits `kid=key`. An `=` that only pads Base64 at the end of a secret, or that is inside PEM, is not a separator.
pub(super) fn with_kid(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((kid, rest)) if !kid.contains('\n') && !rest.trim_matches('=').is_empty() => {
            (Some(kid), rest)
        }
        _ => (None, text),
    }
}

/// Splits `kid=path`. A path may contain `=`, too.
pub(super) fn with_kid_of_file(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((name, path)) if kid(name).is_ok() && !path.is_empty() => (Some(name), path),
        _ => (None, text),
    }
}

/// Payment links.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Payment links")]
pub struct PaymentLinks {
    /// Sign orders for holders of a merchant key, so that a shop without a backend can make payment
    /// links. Needs `public_url` and `payment_link_max_quantity`
    #[arg(long, id = "payment_links", value_name = "BOOL", default_value = "false", action = ArgAction::Set)]
    pub is_on: bool,

    /// Highest price of a payment link in a token, such as `usdtt=500`. Links can't be in other tokens
    #[arg(long, id = "payment_link_max_quantity", value_name = "TOKEN=QUANTITY")]
    pub max_quantities: Vec<MaxQuantity>,

    /// Maximum number of days for which a payment link is valid
    #[arg(long, id = "payment_link_max_days", value_name = "DAYS", default_value = "30", value_parser = positive::<u16>)]
    pub max_days: u16,

    /// Name of the random key in the database that signs payment links, which is their `kid`. With
    /// another name, there is another key, and all earlier links are refused
    #[arg(long, id = "payment_link_kid", value_name = "KID", default_value = "payment-link", value_parser = kid)]
    pub kid: String,
}

/// The highest price in a token, written as `token=quantity`.
#[derive(Clone, Debug)]
pub struct MaxQuantity {
    token: TokenCode,
    quantity: Amount,
}

impl PaymentLinks {
    pub(crate) fn limits(&self) -> LinkLimits {
        let max_quantities = self.max_quantities.iter();
        let max_quantities = max_quantities.map(|max| (max.token.clone(), max.quantity.clone()));
        LinkLimits {
            max_quantity: max_quantities.collect::<BTreeMap<_, _>>(),
            max_days: self.max_days,
        }
    }
}

impl FromStr for MaxQuantity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (token, quantity) = text.split_once('=').ok_or("write `token=quantity`")?;
        let token = TokenCode::from(token);
        if quantity.contains([',', ';']) {
            return Err("write one token; repeat the setting for each of them".to_owned());
        }
        let quantity: Amount = quantity
            .trim()
            .parse()
            .map_err(|error| format!("{error}"))?;
        if !token.is_accepted() {
            return Err(format!("the service does not accept the token `{token}`"));
        }
        Ok(Self { token, quantity })
    }
}
