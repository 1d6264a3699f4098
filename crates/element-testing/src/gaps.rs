//! Layout problems that can be measured.

use js_sys::{Array, Function};
use wasm_bindgen::prelude::*;

use crate::mounted::Mounted;

const SCRIPT: &str = include_str!("gaps.js");

/// Widths of the card in pixels.
const WIDTHS: [u16; 5] = [320, 390, 640, 1200, 1280];

/// Controls that are closer than 8 px, texts that are cut off, and colours with too little contrast: at each width, in both
/// directions, in both themes.
pub fn problems(mounted: &Mounted) -> Vec<String> {
    let measure = Function::new_no_args(SCRIPT);
    let roots = mounted.all(".locale-root");
    let direction = |direction: &str| {
        for root in &roots {
            root.set_attribute("dir", direction).unwrap();
        }
    };
    let before = roots.first().and_then(|root| root.get_attribute("dir"));
    let mut found = Vec::new();
    for width in WIDTHS {
        for theme in ["light", "dark"] {
            for side in ["ltr", "rtl"] {
                let style = format!("inline-size: {width}px; max-inline-size: none");
                mounted.set("style", &style);
                mounted.set("theme", theme);
                direction(side);
                let problems = measure.call1(&JsValue::UNDEFINED, &mounted.element);
                let problems: Array = problems.unwrap().unchecked_into();
                let place = |problem: JsValue| {
                    let problem = problem.as_string().unwrap();
                    format!("{width} {theme} {side}: {problem}")
                };
                found.extend(problems.iter().map(place));
            }
        }
    }
    direction(before.as_deref().unwrap_or("ltr"));
    mounted.unset("style");
    mounted.unset("theme");
    found
}
