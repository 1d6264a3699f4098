//! The order.

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use serde::Serialize;
use tender_protocol::request::{OrderClaims, payer_chooses};
use tender_protocol::{Amount, CreatePayment, OrderPayment, Record, RecordError, TokenCode};

use crate::failure::{Failure, FailureCode};
use crate::link::SafeUrl;

/// An order from the element's attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Signed by the shop's backend. The proxy takes the price from it.
    Signed {
        /// The JWT, passed on unchanged.
        jwt: String,
        /// Its claims, for display only: the page can't verify them.
        claims: OrderClaims,
        /// Its claim `returnUrl`: the page of the shop to go back to.
        return_url: Option<SafeUrl>,
    },
    /// In plain attributes. The proxy accepts it only if its operator allows unsigned orders.
    Plain(OrderClaims),
}

/// Why a text is not a signed order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// It is not three base64url parts separated by dots.
    #[error("`order` is not a signed JWT (three parts with dots between them)")]
    NotAJwt,
    /// Its claims are invalid.
    #[error("`order` has claims that can't be read: {0}")]
    Claims(String),
}

impl Order {
    /// Reads the claims of a signed order (RFC 7519, section 3) without verifying the signature.
    ///
    /// # Errors
    /// [`OrderError`] if the claims can't be read.
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
        let unreadable = |error: RecordError| OrderError::Claims(error.to_string());
        let record = Record::parse(&json, "a JSON object of claims").map_err(unreadable)?;
        let claims: OrderClaims = record.read("order").map_err(unreadable)?;
        let return_url = record.string("returnUrl");
        if claims.quantity.is_none() && !payer_chooses(claims.item_number.as_deref()) {
            return Err(OrderError::Claims("there is no `quantity`".to_owned()));
        }
        Ok(Self::Signed {
            jwt: jwt.to_owned(),
            claims,
            return_url: return_url.as_deref().and_then(SafeUrl::parse),
        })
    }

    /// The page of the shop to go back to, if the order is signed and names one.
    pub fn return_url(&self) -> Option<&str> {
        match self {
            Self::Signed { return_url, .. } => return_url.as_ref().map(SafeUrl::as_str),
            Self::Plain(_) => None,
        }
    }

    /// The claims of the order.
    pub fn claims(&self) -> &OrderClaims {
        match self {
            Self::Signed { claims, .. } | Self::Plain(claims) => claims,
        }
    }

    /// Whether the payer chooses the amount.
    pub fn payer_chooses(&self) -> bool {
        payer_chooses(self.claims().item_number.as_deref())
    }

    /// The create request for the order. `quantity` is used only if the payer chooses it.
    pub fn request(&self, buyer: Buyer, payment_token: TokenCode, quantity: Amount) -> Request {
        let claims = self.claims();
        let price = claims.quantity.clone().filter(|_| !self.payer_chooses());
        match self {
            Self::Signed { jwt, .. } => Request::Signed(OrderPayment {
                replaces: None,
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

    /// The documented fields of a request for this order.
    ///
    /// # Errors
    /// [`Failure`] if neither the order nor the request has an amount.
    pub(crate) fn documented(&self, request: &Request) -> Result<CreatePayment, Failure> {
        let request = match request {
            Request::Signed(request) => request,
            Request::Plain(request) => return Ok(request.clone()),
        };
        let claims = self.claims();
        let quantity = request.quantity.as_ref().or(claims.quantity.as_ref());
        let none = || Failure::new(FailureCode::ConfigInvalid, "the order has no `quantity`");
        Ok(CreatePayment {
            token: claims.token.clone(),
            quantity: quantity.ok_or_else(none)?.clone(),
            payment_token: request.payment_token.clone(),
            invoice_number: claims.invoice_number.clone(),
            purchase_email: request.purchase_email.clone(),
            purchase_name: request.purchase_name.clone(),
            item_number: claims.item_number.clone(),
        })
    }
}

/// What is known about the buyer.
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

impl Request {
    /// The request without what is known about the buyer.
    pub(crate) fn without_buyer(&self) -> Self {
        let mut request = self.clone();
        let (email, name) = match &mut request {
            Self::Signed(request) => (&mut request.purchase_email, &mut request.purchase_name),
            Self::Plain(request) => (&mut request.purchase_email, &mut request.purchase_name),
        };
        (*email, *name) = (None, None);
        request
    }
}
