//! What is said: each text with its key, its English, and its places to fill in.
//!
//! English is built in; the files in `locales/` hold the other languages, by the same keys.

mod choice;
pub mod loader;
pub mod payment;

pub use choice::Text;
pub use tender_client::Wording;
