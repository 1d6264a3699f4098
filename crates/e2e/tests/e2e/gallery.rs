//! Pictures of every state, on every device, in each theme and direction, on sheets to look at.
//! Nothing is asserted, so that it is no test unless asked for: `cargo xtask gallery`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::support::{Browser, Group, Look, STATES, Stage, State, Theme};

const DEVICES: [(&str, Look); 2] = [
    ("phone", Look::screen(390, 2.0)),
    ("desktop", Look::screen(1280, 2.0)),
];
const THEMES: [Theme; 2] = [Theme::Light, Theme::Dark];
/// One from left to right, one from right to left.
const LANGUAGES: [&str; 2] = ["en", "ar"];

/// The checkout alone, with some room around it.
const PAGE: &str = "<style>
    h1 { display: none }
    main { box-sizing: border-box; max-width: 480px; padding: 16px }
  </style>";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes pictures, into the folder that TENDER_GALLERY names"]
async fn gallery() {
    let folder =
        PathBuf::from(env::var_os("TENDER_GALLERY").expect("TENDER_GALLERY names a folder"));
    fs::create_dir_all(&folder).unwrap();
    for language in LANGUAGES {
        let mut stage = Stage::open(language).await;
        stage.set_head(PAGE);
        for (device, look) in DEVICES {
            stage.browser.is_touched(device == "phone").await;
            for state in STATES {
                state.reach(&stage).await;
                for theme in THEMES {
                    stage.browser.looks_whole(look.in_theme(theme)).await;
                    let picture = stage.browser.picture("main").await;
                    let name = file(state, device, theme, language);
                    fs::write(folder.join(name), picture).unwrap();
                }
            }
        }
    }
    let browser = Browser::start().await;
    let mut index = String::new();
    for group in Group::ALL {
        let sheet = sheet(group);
        write!(index, "<h2>{group:?}</h2>{sheet}").unwrap();
        let page = folder.join("sheet.html");
        fs::write(&page, html(&sheet)).unwrap();
        fs::write(
            folder.join(format!("sheet-{group:?}.png")),
            photograph(&browser, &page).await,
        )
        .unwrap();
        fs::remove_file(page).unwrap();
    }
    fs::write(folder.join("index.html"), html(&index)).unwrap();
}

/// A line for each state, a column for each device, direction and theme.
fn sheet(group: Group) -> String {
    let mut rows = String::new();
    for state in STATES.iter().filter(|state| state.group == group) {
        write!(rows, "<h3>{}</h3><div>", state.name).unwrap();
        for (device, _) in DEVICES {
            for language in LANGUAGES {
                for theme in THEMES {
                    let file = file(state, device, theme, language);
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

async fn photograph(browser: &Browser, page: &Path) -> Vec<u8> {
    let address = format!("file://{}", page.display());
    browser.driver().goto(&address).await.unwrap();
    browser.looks_whole(Look::screen(2300, 1.0)).await;
    browser.picture("html").await
}

/// `awaiting-bitcoin-phone-dark-ar.png`
fn file(state: &State, device: &str, theme: Theme, language: &str) -> String {
    let words = state.name.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    format!(
        "{}-{device}-{}-{language}.png",
        words.join("-"),
        theme.name()
    )
}
