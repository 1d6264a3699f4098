//! The requests to measure, and what is compared with each.

use super::contender::Contender;

/// A request.
pub(super) struct Task {
    /// In the rows of the goals.
    pub(super) name: &'static str,
    /// Above its table.
    pub(super) title: &'static str,
    /// `NUMBER` stands for another number each time.
    pub(super) path: &'static str,
    /// Whether it creates a payment. Otherwise the service answers it at its address of rates.
    pub(super) is_create: bool,
    /// A part of a correct response.
    pub(super) response: &'static str,
    /// The rate that one instance must sustain, in requests per second. Latencies are measured at this rate.
    pub(super) rate: f64,
    pub(super) contenders: &'static [Contender],
    pub(super) goals: &'static [Goal],
}

/// A goal of Tender's proxy with SQLite.
pub(super) enum Goal {
    /// The rate is sustained, and the 99th percentile of the latency then is at most this, in milliseconds.
    P99(f64),
    /// The throughput is above this one's.
    Above(Contender),
    /// The processor time is below this, in microseconds.
    ProcessorTime(f64),
}

impl Task {
    /// The two builds to compare, on each database if it needs one.
    pub(super) const fn builds(&self) -> &'static [Contender] {
        if self.is_create {
            &[
                Contender::Tender,
                Contender::Other,
                Contender::TenderPostgres,
                Contender::OtherPostgres,
            ]
        } else {
            &[Contender::Tender, Contender::Other]
        }
    }
}

pub(super) const TASKS: [Task; 4] = [
    Task {
        name: "token listing",
        title: "Token listing, cached where there is a cache",
        path: "/api/v1/rates/my-tokens",
        is_create: false,
        response: "\"network_uuid\"",
        rate: 20_000.0,
        // It is cached and needs no database.
        contenders: &[
            Contender::Nothing,
            Contender::Nginx,
            Contender::NodeInMemory,
            Contender::NodeDurable,
            Contender::Tender,
        ],
        goals: &[
            Goal::P99(5.0),
            Goal::Above(Contender::NodeInMemory),
            Goal::Above(Contender::NodeDurable),
        ],
    },
    Task {
        name: "form as HTML, kept",
        title: "Form as HTML, from the cache",
        path: "/v1/checkout.html?token=usdtt&locale=en&quantity=25.00",
        is_create: false,
        response: "type=\"radio\"",
        rate: 20_000.0,
        // The others have no such route.
        contenders: &[Contender::Tender],
        goals: &[Goal::ProcessorTime(100.0)],
    },
    Task {
        name: "form as HTML, rendered",
        title: "Form as HTML, rendered from the cached listing for another amount each time",
        path: "/v1/checkout.html?token=usdtt&locale=en&quantity=25.NUMBER",
        is_create: false,
        response: "type=\"radio\"",
        rate: 1_000.0,
        contenders: &[Contender::Tender],
        goals: &[Goal::ProcessorTime(100.0)],
    },
    Task {
        name: "create",
        title: "Create, each order once",
        path: "/api/v1/payment",
        is_create: true,
        response: "\"transactionId\"",
        rate: 500.0,
        contenders: &[
            Contender::Nothing,
            Contender::Nginx,
            Contender::NodeInMemory,
            Contender::NodeDurable,
            Contender::Tender,
            Contender::TenderPostgres,
        ],
        goals: &[Goal::P99(100.0)],
    },
];
