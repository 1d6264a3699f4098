//! The keyboard, the pointer and the clipboard.

use serde_json::json;
use thirtyfour::{By, Key};

use super::browser::Browser;
use super::focus::Focus;
use super::wait::until;

impl Browser {
    /// Presses Shift and Tab.
    pub(crate) async fn press_shift_tab(&self) {
        let keys = self.driver.action_chain().key_down(Key::Shift);
        let keys = keys.send_keys(Key::Tab).key_up(Key::Shift);
        keys.perform().await.unwrap();
    }

    /// Presses a key in the focused element.
    pub(crate) async fn press(&self, key: Key) {
        let keys = self.driver.action_chain().send_keys(key);
        keys.perform().await.unwrap();
    }

    /// Presses a key in the focused element, and waits until the focus is there.
    pub(crate) async fn press_to(&self, key: Key, wanted: &Focus) {
        self.press(key).await;
        self.has_focus(wanted).await;
    }

    /// Presses these keys one after the other. Each moves the focus to where it says.
    pub(crate) async fn press_each(&self, steps: &[(Key, Focus)]) {
        for (key, wanted) in steps {
            self.press_to(key.clone(), wanted).await;
        }
    }

    /// Types a text in the focused element.
    pub(crate) async fn write(&self, text: &str) {
        let keys = self.driver.action_chain().send_keys(text);
        keys.perform().await.unwrap();
    }

    /// Moves the mouse pointer to a corner of the page.
    pub(crate) async fn point_away(&self) {
        let away = self.driver.action_chain().move_to(0, 0);
        away.perform().await.unwrap();
    }

    /// Waits for the clipboard to hold this text.
    pub(crate) async fn has_in_clipboard(&self, text: &str) {
        let permission = json!({
            "permission": { "name": "clipboard-read" }, "setting": "granted",
        });
        self.send("Browser.setPermission", permission).await;
        until(format_args!("{text:?} in the clipboard"), async || {
            let held: String = self.run("return navigator.clipboard.readText()", []).await;
            Ok((held == text).then_some(()))
        })
        .await;
    }

    /// Clicks a control as soon as it is there: the click before may only have begun to load the page.
    pub(crate) async fn click(&self, control: By) {
        until(format_args!("{control}"), async || {
            let found = self.driver.find(control.clone()).await?;
            found.click().await.map(Some)
        })
        .await;
    }
}
