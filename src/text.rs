//! The texts of the checkout, made of `locales/en.json`. `locales/` has one file per language.

include!(concat!(env!("OUT_DIR"), "/texts.rs"));
