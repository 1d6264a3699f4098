//! What the form says about the order and the choice, derived from state and configuration.

use super::choosing;
use crate::components::exact_amount::readable;
use crate::driver::Driver;

/// An amount as the buyer reads it, with its symbol.
pub(super) struct Price {
    pub(super) amount: String,
    pub(super) symbol: String,
}

/// The price of the order; `None` if the payer chooses the amount.
pub(super) fn price(driver: Driver) -> Option<Price> {
    let locale = driver.locale();
    let symbol = choosing(driver, |choosing| choosing.price_symbol.clone())?;
    driver.with_config(|config| {
        let quantity = config.order.claims().quantity.as_ref();
        let price = quantity.filter(|_| !config.order.payer_chooses())?;
        Some(Price {
            amount: readable(price, &locale),
            symbol,
        })
    })
}

/// The token that the buyer chose.
pub(super) struct Chosen {
    pub(super) symbol: String,
    /// With the name that exchanges show.
    pub(super) network: String,
    /// Whether the network has the symbol as its name, so that the texts leave it out.
    pub(super) is_named_as_its_network: bool,
}

pub(super) fn chosen_token(driver: Driver) -> Option<Chosen> {
    choosing(driver, |choosing| {
        let choice = choosing.chosen()?;
        Some(Chosen {
            symbol: choice.symbol.clone(),
            network: choice.network_and_standard(),
            is_named_as_its_network: choice.is_named_as_its_network(),
        })
    })
    .flatten()
}

/// Whether the buyer chose the token that the order is priced in, so that nothing is converted.
pub(super) fn pays_in_price_token(driver: Driver) -> bool {
    let code = driver.with_config(|config| config.order.claims().token.clone());
    choosing(driver, |choosing| {
        choosing.form.payment_token.as_ref() == Some(&code)
    })
    .unwrap_or_default()
}
