//! Screenshots of every state of each element, on each device, in each theme and text direction, with a page that shows all
//! of them. This asserts nothing and runs only on request: `cargo xtask gallery`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use crate::support::office::{self, Office};
use crate::support::{Browser, Emulation, STATES, Stage, Theme};

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

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes pictures, into the folder that TENDER_GALLERY names"]
async fn gallery() {
    let gallery = Gallery::open();
    for language in LANGUAGES {
        let stage = Stage::open(language).await;
        let mut office = Office::open(language).await;
        for (device, screen) in DEVICES {
            let is_touched = device == "phone";
            stage.browser.is_touched(is_touched).await;
            office.browser.is_touched(is_touched).await;
            let name = |element, state| Picture {
                element,
                state,
                device,
                language,
            };
            for state in STATES {
                state.reach(&stage).await;
                stage.browser.set_style(CHECKOUT).await;
                let name = name("checkout", state.name);
                gallery.take(&stage.browser, screen, &name).await;
            }
            for state in office::STATES {
                state.reach(&mut office).await;
                office.browser.set_style(PAYMENTS).await;
                let name = name("payments", state.name);
                gallery.take(&office.browser, screen, &name).await;
            }
        }
    }
    gallery.index();
}

/// The folder of the screenshots.
struct Gallery {
    folder: PathBuf,
}

/// What a screenshot shows, without its theme.
struct Picture {
    element: &'static str,
    state: &'static str,
    device: &'static str,
    language: &'static str,
}

impl Gallery {
    /// Starts with an empty folder.
    fn open() -> Self {
        let folder = env::var_os("TENDER_GALLERY").expect("TENDER_GALLERY names a folder");
        let folder = PathBuf::from(folder);
        fs::create_dir_all(&folder).unwrap();
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "png") {
                fs::remove_file(path).unwrap();
            }
        }
        Self { folder }
    }

    async fn take(&self, browser: &Browser, screen: Emulation, picture: &Picture) {
        for theme in THEMES {
            browser.emulate_whole_page(screen.in_theme(theme)).await;
            let taken = browser.picture("main").await;
            fs::write(self.folder.join(picture.file(theme)), taken).unwrap();
        }
    }

    /// Creates the page with all screenshots.
    fn index(&self) {
        let checkout: Vec<_> = STATES.iter().map(|state| state.name).collect();
        let payments: Vec<_> = office::STATES.iter().map(|state| state.name).collect();
        let index = [rows("checkout", &checkout), rows("payments", &payments)].concat();
        fs::write(self.folder.join("index.html"), html(&index)).unwrap();
    }
}

impl Picture {
    /// `checkout-awaiting-bitcoin-phone-dark-ar.png`
    fn file(&self, theme: Theme) -> String {
        let Self {
            element,
            state,
            device,
            language,
        } = self;
        let words = state.split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        let state = words.join("-");
        format!("{element}-{state}-{device}-{}-{language}.png", theme.name())
    }
}

/// One row for each state, one column for each device, direction and theme.
fn rows(element: &'static str, states: &[&'static str]) -> String {
    let mut rows = format!("<h2>{element}</h2>");
    for &state in states {
        write!(rows, "<h3>{state}</h3><div>").unwrap();
        for (device, _) in DEVICES {
            for language in LANGUAGES {
                let picture = Picture {
                    element,
                    state,
                    device,
                    language,
                };
                for theme in THEMES {
                    let file = picture.file(theme);
                    write!(
                        rows,
                        "<a href=\"{file}\"><img src=\"{file}\" alt=\"{file}\"></a>"
                    )
                    .unwrap();
                }
            }
        }
        rows.push_str("</div>");
    }
    rows
}

fn html(body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Gallery</title>
         <style>
           body {{ width: max-content; margin: 16px; font: 16px system-ui }}
           h3 {{ margin: 16px 0 4px; font-weight: 500 }}
           div {{ display: flex; align-items: start; gap: 8px }}
           img {{ display: block; zoom: 0.3; outline: 1px solid #ccc }}
         </style>{body}</html>"
    )
}
