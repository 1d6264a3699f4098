//! Screenshots of every state of each element, on each device, in each theme and text direction, with a page that shows all
//! of them. This asserts nothing and runs only on request: `cargo xtask gallery`.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use thirtyfour::By;

use crate::support::office::{self, Office};
use crate::support::{Browser, Emulation, STATES, Stage, Theme, named};

const DEVICES: [(&str, Emulation); 2] = [
    ("phone", Emulation::screen(390, 2.0)),
    ("desktop", Emulation::screen(1280, 2.0)),
];
const THEMES: [Theme; 2] = [Theme::Light, Theme::Dark];
/// One left-to-right and one right-to-left language.
const LANGUAGES: [&str; 2] = ["en", "ar"];

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
    let mut stages = Vec::new();
    let mut offices = Vec::new();
    for language in LANGUAGES {
        stages.push((language, Stage::open(language).await));
        offices.push((language, Office::open(language).await));
    }
    for state in STATES {
        gallery.title("checkout", state.name);
        for (device, screen) in DEVICES {
            for (language, stage) in &stages {
                stage.browser.is_touched(device == "phone").await;
                state.reach(stage).await;
                stage.browser.set_style(CHECKOUT).await;
                let name = [device, language];
                gallery.take(&stage.browser, screen, name).await;
            }
        }
    }
    for state in office::STATES {
        gallery.title("payments", state.name);
        for (device, screen) in DEVICES {
            for (language, office) in &mut offices {
                office.browser.is_touched(device == "phone").await;
                state.reach(office).await;
                office.browser.set_style(PAYMENTS).await;
                let name = [device, language];
                gallery.take(&office.browser, screen, name).await;
            }
        }
    }
    fs::write(gallery.folder.join("index.html"), gallery.page).unwrap();
}

/// The folder of the screenshots, and the page with all of them: a row for each state.
struct Gallery {
    folder: PathBuf,
    page: String,
    /// The element and the state of the row, as the names of files have them.
    row: String,
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
        Self {
            folder,
            page: PAGE.to_owned(),
            row: String::new(),
        }
    }

    /// Begins a row.
    fn title(&mut self, element: &str, state: &str) {
        write!(self.page, "<h2>{element}: {state}</h2>").unwrap();
        let words = state.split(|c: char| !c.is_ascii_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        self.row = [element]
            .into_iter()
            .chain(words)
            .collect::<Vec<_>>()
            .join("-");
    }

    /// Takes a picture in each theme, such as `checkout-awaiting-bitcoin-phone-dark-ar.png`.
    async fn take(&mut self, browser: &Browser, screen: Emulation, [device, language]: [&str; 2]) {
        for theme in THEMES {
            browser.emulate_whole_page(screen.in_theme(theme)).await;
            let main = browser.find(By::Tag("main")).await;
            let picture = main.screenshot_as_png().await.unwrap();
            let theme = format!("{theme:?}").to_lowercase();
            let file = format!("{}-{device}-{theme}-{language}.png", self.row);
            fs::write(self.folder.join(&file), picture).unwrap();
            let image = format!("<a href=\"{file}\"><img src=\"{file}\" alt=\"{file}\"></a>");
            self.page.push_str(&image);
        }
    }
}
