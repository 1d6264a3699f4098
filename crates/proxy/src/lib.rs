//! The merchant proxy: keeps credentials and prices out of the page.
