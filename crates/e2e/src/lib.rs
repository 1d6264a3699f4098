//! The built bundle in a real browser, against the real proxy and sandbox.
