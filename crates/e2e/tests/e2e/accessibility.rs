//! Accessibility: each state of each element, in each theme and each text direction, passes axe-core's rules (WCAG 2.2 AA
//! and best practices), and fits narrow screens, zoom, large text and touch.

use std::collections::BTreeSet;
use std::path::Path;

use thirtyfour::Key;

use crate::support::office::{self, Office, invoices};
use crate::support::{Browser, Checkout, Emulation, STATES, Stage, State, Theme, named};

const RULES: &str = include_str!("accessibility/axe.js");
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
pub(crate) struct Findings(Vec<String>);

impl Findings {
    pub(crate) fn add(&mut self, place: &str, variant: &str, problems: Vec<String>) {
        let problems = problems.into_iter();
        let found = problems.map(|problem| format!("{place}, {variant}: {problem}"));
        self.0.extend(found);
    }

    /// Checks an element in this state. No colour depends on the language or its direction, so all themes are checked in
    /// English alone.
    async fn element(&mut self, element: &Checkout<'_>, state: &str, screens: &[Emulation]) {
        let browser = element.browser;
        self.rules(browser, state, &Theme::ALL, screens).await;
        self.sizes(element, state).await;
        element.speak(RIGHT_TO_LEFT).await;
        let place = format!("{state}, {RIGHT_TO_LEFT}");
        self.rules(browser, &place, &[Theme::Light], screens).await;
        self.sizes(element, &place).await;
        browser.emulate_screen(Emulation::phone(320)).await;
        element.speak(LONG).await;
        let place = format!("{state}, {LONG}");
        let problems = element.run(SIZES, ()).await;
        self.add(&place, "a narrow phone", problems);
    }

    /// Checks the page against the rules on these screens: against all in the first theme, and against those of colours in the
    /// others, because nothing else depends on the theme.
    pub(crate) async fn rules(
        &mut self,
        browser: &Browser,
        place: &str,
        themes: &[Theme],
        screens: &[Emulation],
    ) {
        for (number, &theme) in themes.iter().enumerate() {
            for screen in screens {
                browser.emulate_screen(screen.in_theme(theme)).await;
                let are_colours_only = number > 0;
                let problems = browser.run(RULES, [are_colours_only.into()]).await;
                self.add(place, &format!("{theme:?}"), problems);
            }
        }
    }

    /// Measures an element on each screen.
    async fn sizes(&mut self, element: &Checkout<'_>, place: &str) {
        for (variant, screen, style) in SIZES_OF_SCREENS {
            element.browser.emulate_screen(screen).await;
            element.browser.set_style(style).await;
            let problems = element.run(SIZES, ()).await;
            self.add(place, variant, problems);
        }
        element.browser.set_style("").await;
    }

    /// Asserts that there is none, besides those that are `expected`.
    pub(crate) fn report(mut self, expected: impl Fn(&str) -> bool) {
        self.0.retain(|problem| !expected(problem));
        assert!(self.0.is_empty(), "\n{}", self.0.join("\n"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_state_is_for_everybody() {
    let mut findings = Findings::default();
    let mut names = BTreeSet::new();
    let stage = Stage::open("en").await;
    stage.browser.install(&axe()).await;
    for state in STATES {
        let checkout = state.reach(&stage).await;
        names.extend(checkout.part_and_slot_names().await);
        let screens = [Emulation::phone(390)];
        findings.element(&checkout, state.name, &screens).await;
    }
    findings.report(|_| false);
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
    office.browser.install(&axe()).await;
    for state in office::STATES {
        state.reach(&mut office).await;
        let element = office.element().await;
        let screens = [Emulation::phone(390), Emulation::screen(1280, 1.0)];
        findings.element(&element, state.name, &screens).await;
    }
    findings.report(|_| false);
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
    let are_drawn = async |chosen: usize, look: &str| {
        let drawn: Vec<String> = checkout.run(script, ()).await;
        let mut expected = ["1px none"; 6];
        expected[chosen] = look;
        assert_eq!(drawn, expected);
    };
    are_drawn(4, "3px none").await;
    stage.browser.press(Key::Up).await;
    are_drawn(3, "3px solid").await;
}

/// Animations run where the user has no preference. The sizes are measured where nothing may move.
#[tokio::test(flavor = "multi_thread")]
async fn motion_is_for_those_who_want_it() {
    let stage = Stage::open("en").await;
    for state in ["skeleton", "submitting"] {
        let checkout = State::named(state).reach(&stage).await;
        let preference = ("prefers-reduced-motion", "no-preference");
        stage.browser.prefers(&[preference]).await;
        let moves = "return arguments[0].shadowRoot.getAnimations().length > 0";
        let moves: bool = checkout.run(moves, ()).await;
        assert!(moves, "{state}");
    }
}

/// A tablet shows the whole table. Touch targets measure at least 44 px, here and in the cards on a phone.
#[tokio::test(flavor = "multi_thread")]
async fn a_finger_finds_everything_on_a_wide_screen() {
    let office = Office::with(2).await;
    office.log_in().await;
    office.shows(&invoices(2, 1)).await;
    let small = "
        const targets = root.querySelectorAll('button, select, summary, label.pick, input[type=search], [part=row] input');
        return [...targets].filter((target) => target.checkVisibility()).flatMap((target) => {
          const { width, height } = (target.closest('label') ?? target).getBoundingClientRect();
          return width < 44 || height < 44 ? [`${target.outerHTML.slice(0, 80)}: ${width} x ${height}`] : [];
        })";
    let is_table = "getComputedStyle(part('table')[0]).display === 'table'";
    office.browser.is_touched(true).await;
    for (width, shown) in [(1400, is_table.to_owned()), (390, format!("!({is_table})"))] {
        let screen = Emulation::screen(width, 1.0);
        office.browser.emulate_screen(screen).await;
        office.sees("its layout", &shown, ()).await;
        let is_coarse = "matchMedia('(pointer: coarse)').matches";
        office.sees("a finger", is_coarse, ()).await;
        let small: Vec<String> = office.ask(small, ()).await;
        assert_eq!(small, [""; 0], "at {width}");
    }
}

/// The script of axe-core. The browser runs it, because the page's policy could block it.
pub(crate) fn axe() -> String {
    std::fs::read_to_string(Path::new(&named("AXE")).join("axe.min.js")).unwrap()
}
