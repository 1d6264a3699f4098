//! The labels of metrics.

use prometheus_client::encoding::EncodeLabelSet;

macro_rules! labels {
    ($($name:ident { $($label:ident: $value:ty),+ })+) => {
        $(
            #[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
            pub(super) struct $name {
                $(pub(super) $label: $value),+
            }
        )+
    };
}

labels! {
    Request { route: String, status: u16 }
    Route { route: String }
    Upstream { endpoint: &'static str, outcome: &'static str }
    Endpoint { endpoint: &'static str }
    Outcome { outcome: &'static str }
    Reason { reason: &'static str }
    Operation { operation: &'static str }
    State { state: &'static str }
}
