//! What is being paid for.

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use serde::Serialize;
use tender_protocol::request::{OrderClaims, PAYER_CHOOSES};
use tender_protocol::{Amount, CreatePayment, OrderPayment, Record, TokenCode};

/// An order, as the shop put it into the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Signed by the shop's backend: the proxy takes the price from it.
    Signed {
        /// The JWT, handed on as it is.
        jwt: String,
        /// What it says, for display only: the page can't verify it.
        claims: OrderClaims,
    },
    /// In plain attributes: a proxy takes it only where its operator allows that.
    Plain(OrderClaims),
}

/// Why a text is not a signed order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// Not three base64url parts with dots between them.
    #[error("`order` is not a signed JWT (three parts with dots between them)")]
    NotAJwt,
    /// Its claims can't be read.
    #[error("`order` has claims that can't be read: {0}")]
    Claims(String),
}

impl Order {
    /// Reads a signed order's claims (RFC 7519, section 3), without verifying them.
    ///
    /// # Errors
    /// [`OrderError`] where there is nothing to read.
    pub fn signed(jwt: &str) -> Result<Self, OrderError> {
        let parts: Vec<_> = jwt.split('.').collect();
        let [header, payload, signature] = parts.as_slice() else {
            return Err(OrderError::NotAJwt);
        };
        if header.is_empty() || signature.is_empty() {
            return Err(OrderError::NotAJwt);
        }
        let json = BASE64_URL_SAFE_NO_PAD.decode(payload);
        let json = json.map_err(|_| OrderError::NotAJwt)?;
        let json = String::from_utf8(json).map_err(|_| OrderError::NotAJwt)?;
        let claims = Record::parse(&json, "a JSON object of claims")
            .and_then(|record| record.read::<OrderClaims>("order"))
            .map_err(|error| OrderError::Claims(error.to_string()))?;
        if claims.quantity.is_none() && !payer_chooses(&claims) {
            return Err(OrderError::Claims("there is no `quantity`".to_owned()));
        }
        Ok(Self::Signed {
            jwt: jwt.to_owned(),
            claims,
        })
    }

    /// What the order says.
    #[must_use]
    pub fn claims(&self) -> &OrderClaims {
        match self {
            Self::Signed { claims, .. } | Self::Plain(claims) => claims,
        }
    }

    /// Whether the payer chooses the amount: `itemNumber` 0 (the service's document, "Create a
    /// payment request", rule 3).
    #[must_use]
    pub fn payer_chooses(&self) -> bool {
        payer_chooses(self.claims())
    }

    /// The request that creates its payment; `quantity` counts only where the payer chooses it.
    #[must_use]
    pub fn request(&self, buyer: Buyer, payment_token: TokenCode, quantity: Amount) -> Request {
        let claims = self.claims();
        let price = claims.quantity.clone().filter(|_| !self.payer_chooses());
        match self {
            Self::Signed { jwt, .. } => Request::Signed(OrderPayment {
                order: jwt.clone(),
                payment_token,
                quantity: self.payer_chooses().then_some(quantity),
                purchase_email: buyer.email,
                purchase_name: buyer.name,
            }),
            Self::Plain(_) => Request::Plain(CreatePayment {
                token: claims.token.clone(),
                quantity: price.unwrap_or(quantity),
                payment_token,
                invoice_number: claims.invoice_number.clone(),
                purchase_email: buyer.email,
                purchase_name: buyer.name,
                item_number: claims.item_number.clone(),
            }),
        }
    }
}

/// Who pays, as far as the shop wants to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Buyer {
    /// `purchaseEmail`.
    pub email: Option<String>,
    /// `purchaseName`.
    pub name: Option<String>,
}

/// The body of a create request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Request {
    /// With a signed order.
    Signed(OrderPayment),
    /// With the documented fields.
    Plain(CreatePayment),
}

fn payer_chooses(claims: &OrderClaims) -> bool {
    claims.item_number.as_deref() == Some(PAYER_CHOOSES)
}
