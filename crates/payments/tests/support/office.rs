//! One `<tender-payments>` in the test's page, and the actions of a merchant.

use std::ops::Deref;

use js_sys::Reflect;
use wasm_bindgen::prelude::*;
use web_sys::{Element, Event, HtmlElement, HtmlInputElement};

use super::mounted::{Mounted, type_into};
use super::shop::Shop;
use super::stream;
use super::subject::SUBJECT;
use super::wait::until;

/// An element in the page. Dropping it removes the element.
pub(crate) struct Office(Mounted);

impl Deref for Office {
    type Target = Mounted;

    fn deref(&self) -> &Mounted {
        &self.0
    }
}

impl Office {
    /// An element with this shop's proxy.
    pub(crate) fn open(shop: &Shop) -> Self {
        let office = Self(Mounted::make(&SUBJECT, &[("proxy", shop.proxy.address())]));
        office.insert();
        office
    }

    /// The same, after the list has loaded.
    pub(crate) async fn ready(shop: &Shop) -> Self {
        let office = Self::open(shop);
        office.until_part("dashboard").await;
        office
    }

    /// The same, with an open event stream.
    pub(crate) async fn streaming(shop: &Shop) -> Self {
        stream::offer(&shop.proxy);
        let office = Self::ready(shop).await;
        shop.until_streaming().await;
        office
    }

    /// The invoices of the visible rows.
    pub(crate) fn invoices(&self) -> Vec<String> {
        let invoice = |row: Element| {
            let cell = row.query_selector("td:nth-child(2) bdi").unwrap();
            cell.unwrap().text_content().unwrap()
        };
        self.parts("row").into_iter().map(invoice).collect()
    }

    /// Waits until these rows are visible: `INV-first` down to `INV-last`.
    pub(crate) async fn shows(&self, first: usize, last: usize) {
        let wanted = invoices(first, last);
        until(&format!("INV-{first} to INV-{last} are shown"), || {
            self.invoices() == wanted
        })
        .await;
    }

    /// The row of this invoice.
    pub(crate) fn row(&self, invoice: &str) -> Element {
        let at = self.invoices().iter().position(|shown| shown == invoice);
        self.parts("row").remove(at.unwrap())
    }

    /// What matches a selector in the row of this invoice.
    pub(crate) fn in_row(&self, invoice: &str, selector: &str) -> Option<HtmlElement> {
        let found = self.row(invoice).query_selector(selector).unwrap();
        found.map(JsCast::unchecked_into)
    }

    /// Focuses a control in the row of this invoice.
    pub(crate) fn focus_in_row(&self, invoice: &str, selector: &str) -> HtmlElement {
        let control = self.in_row(invoice, selector).unwrap();
        control.focus().unwrap();
        control
    }

    /// Opens the details of this invoice's payment. Returns the dialog.
    pub(crate) async fn open_details(&self, invoice: &str) -> Element {
        self.focus_in_row(invoice, "[part=details]").click();
        let dialog = self.part("details-dialog");
        until("the details are shown", || {
            dialog.query_selector("h3").unwrap().is_some()
        })
        .await;
        dialog
    }

    /// Focuses the control of a part, and presses it.
    pub(crate) fn focus_and_press(&self, part: &str) {
        let control: HtmlElement = self.part(part).unchecked_into();
        control.focus().unwrap();
        control.click();
    }

    /// The field with this id.
    pub(crate) fn field(&self, id: &str) -> HtmlInputElement {
        self.first(&format!("#{id}")).unchecked_into()
    }

    /// Chooses this option of the field with this id.
    pub(crate) fn choose(&self, id: &str, option: &str) {
        let options = self.all(&format!("#{id} option"));
        let named = |found: &&Element| found.text_content().as_deref() == Some(option);
        let option = options.iter().find(named).unwrap();
        self.change(id, &option.get_attribute("value").unwrap());
    }

    /// Enters this value in the field with this id, and leaves the field.
    pub(crate) fn change(&self, id: &str, value: &str) {
        let field = self.field(id);
        Reflect::set(&field, &"value".into(), &value.into()).unwrap();
        field
            .dispatch_event(&Event::new("change").unwrap())
            .unwrap();
    }

    /// Enters a key and submits it.
    pub(crate) async fn enter(&self, key: &str) {
        self.until_part("key-form").await;
        self.field("key").set_value(key);
        self.press_part("submit");
    }

    /// Enters a search text.
    pub(crate) fn search(&self, text: &str) {
        type_into(&self.field("search"), text);
    }
}

/// `INV-first` down to `INV-last`.
pub(crate) fn invoices(first: usize, last: usize) -> Vec<String> {
    (last..=first)
        .rev()
        .map(|number| format!("INV-{number}"))
        .collect()
}
