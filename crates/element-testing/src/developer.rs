//! Messages for the shop's developer in the console.

use js_sys::{Array, Reflect};

use crate::Replaced;

/// Passes each message on: if a test fails meanwhile, its message is logged here.
const RECORD: &str = "(() => {
    const record = (...words) => {
      original.apply(console, words);
      record.lines.push(words.filter((word) => typeof word === 'string').join(' ').trim());
    };
    record.lines = [];
    return record;
})()";

/// Records a method of the console until it is dropped.
pub struct Console(Replaced);

impl Console {
    /// `method` is `error` or `warn`.
    pub fn listen(method: &'static str) -> Self {
        Self(Replaced::new("console", method, RECORD))
    }

    /// The messages about Tender's elements; other messages of the page are ignored.
    pub fn lines(&self) -> Vec<String> {
        let lines = Array::from(&Reflect::get(self.0.value(), &"lines".into()).unwrap());
        let lines = lines.iter().filter_map(|line| line.as_string());
        lines.filter(|line| line.contains("<tender-")).collect()
    }
}
