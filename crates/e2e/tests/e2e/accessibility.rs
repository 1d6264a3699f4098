//! Accessibility: each state of each element, in each theme and each text direction, passes axe-core's rules (WCAG 2.2 AA
//! and best practices), and fits narrow screens, zoom, large text and touch.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;

use serde_json::Value;
use thirtyfour::Key;

use crate::support::office::{self, Office};
use crate::support::{Browser, Emulation, STATES, Stage, State, Theme};

pub(crate) const RULES: &str = include_str!("accessibility/axe.js");
const SIZES: &str = include_str!("accessibility/sizes.js");

/// A language that is written from right to left.
const RIGHT_TO_LEFT: &str = "ar";
/// The language with the longest words.
const LONG: &str = "de";

/// Screen sizes in CSS pixels with their scale factor, and the changes to the text.
const SIZES_OF_SCREENS: [(&str, Emulation, &str); 4] = [
    ("a narrow phone", Emulation::phone(320), ""),
    ("zoom to 200 %", Emulation::screen(640, 2.0), ""),
    (
        "text twice as large",
        Emulation::phone(390),
        "tender-checkout, tender-payments { --tender-font-size: 32px }",
    ),
    (
        "a page of large text",
        Emulation::phone(390),
        ":root { font-size: 40px }",
    ),
];

/// The problems found.
#[derive(Default)]
struct Findings {
    checks: usize,
    problems: String,
}

impl Findings {
    fn add(&mut self, state: &str, language: &str, variant: &str, problems: Vec<String>) {
        self.checks += 1;
        for problem in problems {
            writeln!(self.problems, "{state}, {language}, {variant}: {problem}").unwrap();
        }
    }

    /// Checks an element in this state. `speak` sets its language. No colour depends on the language or its direction, so all
    /// themes are checked in English alone.
    async fn element(
        &mut self,
        browser: &Browser,
        state: &str,
        host: &Value,
        screens: &[Emulation],
        speak: impl AsyncFn(&str),
    ) {
        self.rules(browser, (state, "en"), &Theme::ALL, screens)
            .await;
        self.sizes(browser, (state, "en"), host).await;
        speak(RIGHT_TO_LEFT).await;
        let at = (state, RIGHT_TO_LEFT);
        self.rules(browser, at, &[Theme::Light], screens).await;
        self.sizes(browser, at, host).await;
        browser.emulate_screen(Emulation::phone(320)).await;
        speak(LONG).await;
        let problems = browser.run(SIZES, [host.clone()]).await;
        self.add(state, LONG, "a narrow phone", problems);
    }

    /// Checks the page against the rules, in these themes and on these screens.
    async fn rules(
        &mut self,
        browser: &Browser,
        (state, language): (&str, &str),
        themes: &[Theme],
        screens: &[Emulation],
    ) {
        for &theme in themes {
            for screen in screens {
                browser.emulate_screen(screen.in_theme(theme)).await;
                self.add(state, language, theme.name(), browser.run(RULES, []).await);
            }
        }
    }

    /// Measures an element on each screen.
    async fn sizes(&mut self, browser: &Browser, (state, language): (&str, &str), host: &Value) {
        for (variant, screen, style) in SIZES_OF_SCREENS {
            browser.emulate_screen(screen).await;
            browser.set_style(style).await;
            let problems = browser.run(SIZES, [host.clone()]).await;
            self.add(state, language, variant, problems);
        }
        browser.set_style("").await;
    }

    fn report(self, states: usize) {
        let Self { checks, problems } = self;
        // Not `println!`, whose output is hidden in a test that passes.
        let said = format!("{states} states: {checks} checks of rules and sizes\n");
        std::io::stdout().write_all(said.as_bytes()).unwrap();
        assert!(problems.is_empty(), "\n{problems}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_state_is_for_everybody() {
    let mut findings = Findings::default();
    let mut names = BTreeSet::new();
    let stage = Stage::open("en").await;
    install_axe(&stage.browser).await;
    for state in STATES {
        let checkout = state.reach(&stage).await;
        let host = checkout.host().to_json().unwrap();
        names.extend(checkout.part_and_slot_names().await);
        let screens = [Emulation::phone(390)];
        let speak = async |language: &str| checkout.speak(language).await;
        findings
            .element(&stage.browser, state.name, &host, &screens, speak)
            .await;
    }
    findings.report(STATES.len());
    let mut documented = in_the_guide("| part | what it is |");
    let slots = in_the_guide("| slot | content |");
    documented.extend(slots.iter().map(|name| format!("slot {name}")));
    assert_eq!(names, documented, "left: the checkout; right: the guide");
}

/// The dashboard: a table on wide screens, otherwise a card for each payment.
#[tokio::test(flavor = "multi_thread")]
async fn every_state_of_the_payments_is_for_everybody() {
    let mut findings = Findings::default();
    let mut office = Office::open("en").await;
    install_axe(&office.browser).await;
    for state in office::STATES {
        state.reach(&mut office).await;
        let host = office.host().await;
        let screens = [Emulation::phone(390), Emulation::screen(1280, 1.0)];
        let speak = async |language: &str| office.speak(language).await;
        findings
            .element(&office.browser, state.name, &host, &screens, speak)
            .await;
    }
    findings.report(office::STATES.len());
}

/// The names in the embedding guide's table with this header, which the npm package's manifest is made of.
fn in_the_guide(header: &str) -> BTreeSet<String> {
    let guide = include_str!("../../../../docs/embedding.md");
    let (_, table) = guide.split_once(header).unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    let names = table.lines().filter_map(|row| row.split('|').nth(1));
    let names = names.flat_map(|names| names.split('`').skip(1).step_by(2));
    names.map(str::to_owned).collect()
}

/// In forced colours, without shadows and backgrounds, the selected token and the focus are visible.
#[tokio::test(flavor = "multi_thread")]
async fn forced_colours_show_the_choice_and_the_focus() {
    let stage = Stage::open("en").await;
    let checkout = State::named("chosen, with a conversion")
        .reach(&stage)
        .await;
    let screen = Emulation::phone(390).in_theme(Theme::Forced);
    stage.browser.emulate_screen(screen).await;
    let script = "
        const tokens = [...arguments[0].shadowRoot.querySelectorAll('[part~=token]')];
        return tokens.map((token) => {
          const { borderWidth, outlineStyle } = getComputedStyle(token);
          return `${borderWidth} ${outlineStyle}`;
        })";
    let host = checkout.host().to_json().unwrap();
    let drawn: Vec<String> = stage.browser.run(script, [host.clone()]).await;
    let expected = [
        "1px none", "1px none", "1px none", "1px none", "3px none", "1px none",
    ];
    assert_eq!(drawn, expected);
    stage.browser.press(Key::Up).await;
    let drawn: Vec<String> = stage.browser.run(script, [host]).await;
    let expected = [
        "1px none",
        "1px none",
        "1px none",
        "3px solid",
        "1px none",
        "1px none",
    ];
    assert_eq!(drawn, expected);
}

/// Animations run unless the user prefers reduced motion.
#[tokio::test(flavor = "multi_thread")]
async fn motion_is_for_those_who_want_it() {
    let stage = Stage::open("en").await;
    for state in ["skeleton", "submitting"] {
        let checkout = State::named(state).reach(&stage).await;
        let host = checkout.host().to_json().unwrap();
        let moves = "return arguments[0].shadowRoot.getAnimations().length > 0";
        for (preference, expected) in [("no-preference", true), ("reduce", false)] {
            let feature = ("prefers-reduced-motion", preference);
            stage.browser.prefers(&[feature]).await;
            let moves: bool = stage.browser.run(moves, [host.clone()]).await;
            assert_eq!(moves, expected, "{state}, {preference}");
        }
    }
}

/// Adds axe-core to each page, as a script of the browser that the page's policy can't block.
async fn install_axe(browser: &Browser) {
    browser.install(&axe()).await;
}

/// The script of axe-core.
pub(crate) fn axe() -> String {
    let folder = std::env::var("AXE").expect(
        "AXE names the folder of the npm package axe-core; `cargo xtask test e2e` brings it",
    );
    std::fs::read_to_string(format!("{folder}/axe.min.js")).unwrap()
}
