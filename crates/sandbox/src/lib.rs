//! The payment service as documented, stateful, for demos and tests.
