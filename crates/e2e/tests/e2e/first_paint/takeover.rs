//! The module takes over while the buyer uses the form.

use serde_json::{Value, json};
use tender_sandbox::Endpoint;

use super::{ROOT, painted, run, taken_over};
use crate::support::{Scenery, Stage};

/// The page changes an attribute while the module is loading.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_stays_while_attributes_change_and_the_module_takes_over() {
    let stage = Stage::open("en").await;
    let browser = &stage.browser;
    let scenery = Scenery::with("ask=\"name\" purchase-name=\"Ada\"");
    let checkout = painted(&stage, scenery).await;
    let script = "const name = find('#name'); name.focus();
        name.setSelectionRange(3, 3); return name.value";
    let known: String = run(browser, script).await;
    assert_eq!(known, "Ada");
    browser.write(" Lovelace").await;

    let script = "document.querySelector('tender-checkout').accept = 'kxp btc trx bnb usdte usdtt'";
    browser.execute(script).await;
    let is_other =
        "const shown = [...root.querySelectorAll('[type=radio]')].map(({ value }) => value);
        return shown.join(' ') === 'kxp btc trx bnb usdte usdtt'";
    let changes = format!("{ROOT} {is_other}");
    browser.sees("the other form", &changes, []).await;
    browser.is_drawn().await;
    let script = "window.shifts.length = 0; const name = find('#name');
        return [name.value, root.activeElement === name, Boolean(find('[data-first-paint]'))]";
    let now: Value = run(browser, script).await;
    assert_eq!(now, json!(["Ada Lovelace", true, true]));

    let script = "find('#name').setSelectionRange(4, 8, 'backward');
        window.scrollTo(0, 40); window.was = find('#name'); return scrollY";
    let scrolled: u32 = run(browser, script).await;
    taken_over(&stage).await;
    let script = "const name = find('#name'); return [
        name.value, name.selectionStart, name.selectionEnd, name.selectionDirection,
        root.activeElement === name, name !== window.was, scrollY]";
    let now: Value = run(browser, script).await;
    let as_before = json!(["Ada Lovelace", 4, 8, "backward", true, true, scrolled]);
    assert_eq!(now, as_before);
    let is_other: bool = run(browser, is_other).await;
    assert!(is_other);

    browser.write("King").await;
    checkout.pay("Bitcoin, Bitcoin").await;
    let name = stage.servers.only_payment().purchase_name;
    assert_eq!(name.as_deref(), Some("Ada Kinglace"));
}

/// A press begins and ends on the same control: the module waits for the end of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_choice_and_its_focus_stay() {
    let stage = Stage::open("en").await;
    let browser = &stage.browser;
    let checkout = painted(&stage, Scenery::default()).await;
    let script = "find('input[value=usdtt]').focus()";
    let () = run(browser, script).await;
    browser.press(thirtyfour::Key::Down).await;
    let focused = "return [root.activeElement.value, root.activeElement.checked]";
    let now: Value = run(browser, focused).await;
    assert_eq!(now, json!(["usdte", true]));

    let dispatch = |name: &str| {
        let event = format!("new PointerEvent('{name}', {{ bubbles: true, composed: true }})");
        format!("find('input[value=usdte]').dispatchEvent({event})")
    };
    // A key is released while the button is down.
    let press = ["keydown", "pointerdown", "keyup"].map(dispatch);
    let () = run(browser, &press.join(";")).await;
    browser.clear_network().await;
    browser.event("tender-ready").await;
    browser.is_drawn().await;
    let is_painted: bool = run(browser, "return Boolean(find('[data-first-paint]'))").await;
    assert!(is_painted);
    let () = run(browser, &dispatch("pointerup")).await;
    taken_over(&stage).await;
    let now: Value = run(browser, focused).await;
    assert_eq!(now, json!(["usdte", true]));
    checkout.press("Pay in USDT on Ethereum (ERC20)").await;
    checkout.amount().await;
    assert_eq!(stage.servers.only_payment().payment_token, "USDTE");
}

/// The module answers a press that came before it.
#[tokio::test(flavor = "multi_thread")]
async fn who_has_pressed_pay_pays_once_or_is_told_to_choose() {
    let stage = Stage::open("en").await;
    let checkout = painted(&stage, Scenery::default()).await;
    let press = "find('input[value=btc]').click(); find('[part=submit]').click();
        find('[part=submit]').click(); const button = find('[part=submit]');
        return [button.textContent, button.getAttribute('aria-disabled'), button.className]";
    let busy: Value = run(&stage.browser, press).await;
    assert_eq!(busy, json!([stage.say("creating"), "true", "primary busy"]));
    assert_eq!(stage.servers.requests(Endpoint::Create).received, 0);
    stage.browser.clear_network().await;
    checkout.amount().await;
    assert_eq!(stage.servers.only_payment().payment_token, "BTC");
    assert_eq!(stage.servers.requests(Endpoint::Create).received, 1);

    stage.clear().await;
    let checkout = painted(&stage, Scenery::default()).await;
    let press = "find('[part=submit]').click()";
    let () = run(&stage.browser, press).await;
    stage.browser.clear_network().await;
    assert_eq!(checkout.alert().await, stage.say("choose-token"));
    assert!(stage.servers.payments().is_empty());
}

/// The page changes the order after the press, and the form of the new price does not arrive before the module.
#[tokio::test(flavor = "multi_thread")]
async fn a_press_counts_only_for_the_price_that_was_shown() {
    let stage = Stage::open("en").await;
    let browser = &stage.browser;
    let checkout = painted(&stage, Scenery::default()).await;
    let order = stage.order(json!({ "quantity": "99.00", "invoiceNumber": "INV-2" }));
    let press = format!(
        "find('input[value=btc]').click(); find('[part=submit]').click();
        XMLHttpRequest.prototype.send = () => {{}};
        document.querySelector('tender-checkout').order = '{order}'"
    );
    let () = run(browser, &press).await;
    browser.clear_network().await;
    let is_there = format!("{ROOT} return !find('[data-first-paint], .skeleton')");
    browser.sees("the module's view", &is_there, []).await;
    browser.is_drawn().await;
    let script = "return [find('[part=price] b').textContent, find('input[value=btc]').checked,
        find('[part=submit]').getAttribute('aria-disabled')]";
    let now: Value = run(browser, script).await;
    assert_eq!(now, json!(["99.00", true, null]));
    assert_eq!(stage.servers.requests(Endpoint::Create).received, 0);

    let () = run(browser, "find('[part=submit]').click()").await;
    checkout.amount().await;
    let invoice = stage.servers.only_payment().invoice_number;
    assert_eq!(invoice.as_deref(), Some("INV-2"));
}
