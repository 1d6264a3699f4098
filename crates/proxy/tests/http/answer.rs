//! Test support: a response of the proxy.

use reqwest::header::HeaderMap;
use reqwest::{RequestBuilder, StatusCode};
use tender_protocol::{Payment, Problem, ProblemCode, Record};

use crate::contract;

/// The path below which the documented nginx serves the proxy.
pub(crate) const BELOW: &str = "/crypto";

/// A response of the proxy.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) async fn to(request: RequestBuilder) -> Self {
        let (client, request) = request.build_split();
        let request = request.unwrap();
        let (method, path) = (request.method().clone(), request.url().path());
        let path = path.strip_prefix(BELOW).unwrap_or(path).to_owned();
        let response = client.execute(request).await.unwrap();
        let answer = Self {
            status: response.status(),
            headers: response.headers().clone(),
            body: response.text().await.unwrap(),
        };
        contract::check(&method, &path, &answer);
        answer
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The record of a created payment.
    #[track_caller]
    pub(crate) fn record(&self) -> Record {
        self.succeeds();
        Record::parse(&self.body, "a payment record").unwrap()
    }

    pub(crate) fn payment(&self) -> Payment {
        Payment::try_from(&self.record()).unwrap()
    }

    pub(crate) fn transaction_id(&self) -> String {
        self.payment().transaction_id
    }

    pub(crate) fn receipt(&self) -> String {
        let record = self.record();
        record.string("receipt").expect("a receipt")
    }

    #[track_caller]
    pub(crate) fn has_no_content(&self) {
        assert_eq!(self.status, StatusCode::NO_CONTENT, "{}", self.body);
    }

    #[track_caller]
    pub(crate) fn succeeds(&self) {
        assert_eq!(self.status, StatusCode::OK, "{}", self.body);
    }

    /// The problem, which must be complete (RFC 9457).
    pub(crate) fn problem(&self) -> Problem {
        let problem: Problem = serde_json::from_str(&self.body).unwrap();
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(problem.status, self.status.as_u16());
        assert_eq!(problem.status, problem.code.status());
        assert_eq!(problem.title, problem.code.title());
        assert_eq!(
            problem.kind,
            format!("urn:problem-type:tender:{}", problem.code.as_str())
        );
        assert!(problem.detail.ends_with('.'), "{}", problem.detail);
        problem
    }

    #[track_caller]
    pub(crate) fn is_refused_as(&self, code: ProblemCode) {
        assert_eq!(self.problem().code, code, "{}", self.body);
    }

    /// The same with a part of the detail.
    #[track_caller]
    pub(crate) fn is_refused_for(&self, code: ProblemCode, reason: &str) {
        self.is_refused_as(code);
        let detail = self.problem().detail;
        assert!(detail.contains(reason), "{reason}: {detail}");
    }

    /// The body contains this.
    #[track_caller]
    pub(crate) fn has(&self, text: &str) {
        assert!(self.body.contains(text), "{text}: {}", self.body);
    }

    /// The body does not contain this.
    #[track_caller]
    pub(crate) fn has_no(&self, text: &str) {
        assert!(!self.body.contains(text), "{text}: {}", self.body);
    }
}
