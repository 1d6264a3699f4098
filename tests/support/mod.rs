//! The shared support of the elements' tests with `<tender-checkout>`, and what only its tests need.

pub(crate) use tender_element_testing::{
    Replaced, accessibility, address, clipboard, clock, collector, developer, gaps, loader,
    mounted, page, proxy, record, stream, wait,
};

pub(crate) mod checkout;
pub(crate) mod frame;
pub(crate) mod subject;
pub(crate) mod walk;
pub(crate) mod wallet;
