//! A small shop: serves the sample page and signs its orders, for the demo and the end-to-end tests.
