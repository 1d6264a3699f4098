//! With a merchant key, and behind the shop's own login.

use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::window;

use crate::support::developer::Console;
use crate::support::office::Office;
use crate::support::page;
use crate::support::proxy::Reply;
use crate::support::shop::{KEY, LIST, Shop};
use crate::support::wait::settled;

/// The form for the key, which the proxy requires.
pub(crate) async fn asked(shop: &Shop) -> Office {
    shop.require_key();
    let office = Office::open(shop);
    office.until_part("key-form").await;
    settled().await;
    office
}

/// It is in no URL, attribute, event or console line.
#[wasm_bindgen_test]
async fn a_wrong_key_is_explained_and_the_right_one_opens_the_list() {
    page::session().clear().unwrap();
    let consoles = ["error", "warn"].map(Console::listen);
    let shop = Shop::with(3);
    shop.require_key();
    let office = Office::open(&shop);
    office.enter("two words").await;
    office.until_shown("without spaces").await;
    office.enter("wr0ng-key").await;
    office.until_shown("did not accept this key").await;
    assert_eq!(office.role("alert").len(), 1);
    assert_eq!(saved(), "");
    office.enter(KEY).await;
    office.shows(3, 1).await;
    settled().await;
    assert_eq!(saved(), KEY, "a reload goes on");

    let shown = page::document().document_element().unwrap().outer_html();
    let address = window().unwrap().location().href().unwrap();
    let queries: Vec<_> = (shop.proxy.everything().into_iter())
        .map(|sent| format!("{} {}", sent.route, sent.query))
        .collect();
    assert!(queries.iter().any(|query| query.contains("/payment/list")));
    let lines = consoles.map(|console| console.lines().join("\n"));
    let events: Vec<_> = (office.event_names().iter())
        .map(|name| format!("{:?}", office.details_of(name)))
        .collect();
    let card = office.part("card").outer_html();
    for key in [KEY, "wr0ng-key"] {
        for place in [&shown, &address, &card, &queries.join("\n")] {
            assert!(!place.contains(key), "{place}");
        }
        assert!(!lines.iter().chain(&events).any(|line| line.contains(key)));
    }

    office.press_part("forget");
    office.until_part("key-form").await;
    assert_eq!(saved(), "");
}

#[wasm_bindgen_test]
async fn after_logout_nothing_is_shown_and_no_key_is_required() {
    let shop = Shop::with(3);
    let office = Office::ready(&shop).await;
    office.shows(3, 1).await;
    settled().await;
    shop.proxy.reply(LIST, Reply::Answer(401, String::new()));
    office.press_part("refresh");
    office.until_shown("Your login has expired").await;
    assert!(!office.has_part("key-form") && !office.has_part("row"));
    assert_eq!(office.names("button"), ["Reload the page"]);
    assert_eq!(office.error_code(), "request-refused");
    // The shop's page has logged in again.
    office.call("refresh");
    office.shows(3, 1).await;
}

/// Everything that the tab has saved.
fn saved() -> String {
    let session = page::session();
    let key = |index| session.key(index).unwrap().unwrap();
    (0..session.length().unwrap())
        .map(|index| session.get_item(&key(index)).unwrap().unwrap())
        .collect()
}
