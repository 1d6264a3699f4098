//! The shared support of the elements' tests with `<tender-payments>`: [`shop`] is the proxy, and [`office`] the mounted
//! element.

pub(crate) use tender_element_testing::{
    Replaced, accessibility, clock, collector, developer, gaps, mounted, page, proxy, stream, wait,
};

pub(crate) mod office;
pub(crate) mod shop;
pub(crate) mod subject;
