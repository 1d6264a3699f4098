//! Screenshots of every state of each element, and of the payment page without scripts, on each device, in each theme, in
//! languages of both directions, in forced colours and printed, with a page that shows all of them. This asserts nothing and
//! runs only on request: `cargo xtask gallery`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use thirtyfour::By;

use crate::hosted::accessible::through_the_states;
use crate::hosted::page::PayPage;
use crate::support::office::{self, Office};
use crate::support::{Browser, Emulation, STATES, Stage, Theme, named};

const DEVICES: [(&str, Emulation); 2] = [
    ("phone", Emulation::screen(390, 2.0)),
    ("desktop", Emulation::screen(1280, 2.0)),
];
const THEMES: [Theme; 4] = [Theme::Light, Theme::Dark, Theme::Forced, Theme::Print];
/// The longest words, another direction, another script.
const LANGUAGES: [&str; 4] = ["en", "de", "ar", "ja"];

/// An element with some space around it: the checkout as a column, the dashboard as wide as possible.
const CHECKOUT: &str =
    "h1 { display: none } main { box-sizing: border-box; max-width: 480px; padding: 16px }";
const PAYMENTS: &str = "h1, header, footer { display: none } main { box-sizing: border-box; margin: 0; max-width: none; padding: 16px }";

const PAGE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Gallery</title>
    <style>
      body { width: max-content; margin: 16px; font: 16px system-ui }
      h2 { margin: 16px 0 4px; font-weight: 500 }
      a { display: inline-block; vertical-align: top; margin-right: 8px }
      img { display: block; zoom: 0.3; outline: 1px solid #ccc }
    </style>";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes pictures, into the folder that TENDER_GALLERY names"]
async fn gallery() {
    let mut gallery = Gallery::open();
    for language in LANGUAGES {
        let mut opened = None;
        for state in STATES {
            for (device, screen) in DEVICES {
                let shots = gallery.shots("checkout", state.name, device, language);
                if shots.is_empty() {
                    continue;
                }
                if opened.is_none() {
                    opened = Some(Stage::open(language).await);
                }
                let stage = opened.as_ref().unwrap();
                stage.browser.is_touched(device == "phone").await;
                state.reach(stage).await;
                stage.browser.set_style(CHECKOUT).await;
                gallery.take(&stage.browser, screen, shots).await;
            }
        }
        if gallery.wants_payment_page(language) {
            let page = PayPage::without_scripts(language).await;
            through_the_states(&page, async |state| {
                for (device, screen) in DEVICES {
                    let shots = gallery.shots("pay", state, device, language);
                    gallery.take(&page.browser, screen, shots).await;
                }
            })
            .await;
        }
        let mut opened = None;
        for state in office::STATES {
            for (device, screen) in DEVICES {
                let shots = gallery.shots("payments", state.name, device, language);
                if shots.is_empty() {
                    continue;
                }
                if opened.is_none() {
                    opened = Some(Office::open(language).await);
                }
                let office = opened.as_mut().unwrap();
                office.browser.is_touched(device == "phone").await;
                state.reach(office).await;
                office.browser.set_style(PAYMENTS).await;
                gallery.take(&office.browser, screen, shots).await;
            }
        }
    }
    gallery.write();
}

/// A screenshot to take: the row of the page that it belongs to, the theme, and the name of the file, such as
/// `checkout-awaiting-bitcoin-phone-dark-ar`.
struct Shot {
    row: String,
    theme: Theme,
    name: String,
}

/// The folder of the screenshots, and the page with all of them: a row for each state.
struct Gallery {
    folder: PathBuf,
    /// Only screenshots with all of these words in their names are wanted.
    only: Vec<String>,
    /// The names of the screenshots of each row.
    rows: BTreeMap<String, Vec<String>>,
}

impl Gallery {
    /// Starts with an empty folder.
    fn open() -> Self {
        let folder = PathBuf::from(named("TENDER_GALLERY"));
        fs::create_dir_all(&folder).unwrap();
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "png") {
                fs::remove_file(path).unwrap();
            }
        }
        let only = named("TENDER_GALLERY_ONLY").into_string().unwrap();
        let only = only.split_whitespace();
        Self {
            folder,
            only: only.map(|word| format!("-{word}-")).collect(),
            rows: BTreeMap::new(),
        }
    }

    /// The screenshots of a state that are wanted, on a device and in a language: one in each theme.
    fn shots(&self, element: &str, state: &str, device: &str, language: &str) -> Vec<Shot> {
        let words = state.split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        let state = words.join("-");
        let shots = THEMES.into_iter().map(|theme| {
            let look = format!("{theme:?}").to_lowercase();
            Shot {
                row: format!("{element}: {state}"),
                theme,
                name: format!("{element}-{state}-{device}-{look}-{language}"),
            }
        });
        let is_wanted = |shot: &Shot| {
            let name = format!("-{}-", shot.name);
            self.only.iter().all(|word| name.contains(word))
        };
        shots.filter(is_wanted).collect()
    }

    /// Whether screenshots of the payment page in this language may be wanted. Each of its states follows from others, so all are
    /// shown.
    fn wants_payment_page(&self, language: &str) -> bool {
        let names = |word: &str| self.only.contains(&format!("-{word}-"));
        let others = LANGUAGES.iter().filter(|other| **other != language);
        self.only.is_empty() || names("pay") && !others.copied().any(names)
    }

    async fn take(&mut self, browser: &Browser, screen: Emulation, shots: Vec<Shot>) {
        for Shot { row, theme, name } in shots {
            browser.emulate_whole_page(screen.in_theme(theme)).await;
            let main = browser.find(By::Tag("main")).await;
            let picture = main.screenshot_as_png().await.unwrap();
            fs::write(self.folder.join(format!("{name}.png")), picture).unwrap();
            self.rows.entry(row).or_default().push(name);
        }
        // What is not printed could not be pressed.
        browser.emulate_screen(screen).await;
    }

    /// Writes the page.
    fn write(&self) {
        let mut page = PAGE.to_owned();
        for (row, names) in &self.rows {
            write!(page, "<h2>{row}</h2>").unwrap();
            for name in names {
                let file = format!("{name}.png");
                write!(
                    page,
                    "<a href=\"{file}\"><img src=\"{file}\" alt=\"{name}\"></a>"
                )
                .unwrap();
            }
        }
        fs::write(self.folder.join("index.html"), page).unwrap();
    }
}
