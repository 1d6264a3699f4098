//! What the service does, and what it has.

use tender_protocol::{Payment, Status};
use tender_sandbox::{Controls, Endpoint, Fault, Outcome, Requests};

use super::servers::Servers;

impl Servers {
    /// `base_url` and `rates_base_url` of the service.
    pub(crate) fn service_urls(&self) -> (String, String) {
        let Self { service, .. } = self;
        (
            service.base_url().to_owned(),
            service.rates_base_url().to_owned(),
        )
    }

    /// The controls of the service.
    pub(crate) fn service(&self) -> &Controls {
        self.service.controls()
    }

    /// The service changes the status of its newest payment.
    pub(crate) fn set_status(&self, text: &str) {
        let newest = self.payments().into_iter().next();
        self.set_status_of(&newest.expect("it was just made").transaction_id, text);
    }

    /// The service changes the status of a payment.
    pub(crate) fn set_status_of(&self, id: &str, text: &str) {
        let status = Status::new("2", text).expect("it has an id and a name");
        let changed = self.service().set_status(id, status);
        changed.expect("the service knows it");
    }

    /// Makes the next call to this endpoint fail like this.
    pub(crate) fn inject(&self, endpoint: Endpoint, fault: Fault) {
        self.service().inject(fault.on(endpoint).once());
    }

    /// Drops the next request to this endpoint.
    pub(crate) fn drop_next(&self, endpoint: Endpoint) {
        self.inject(endpoint, Fault::new(Outcome::DropRequest));
    }

    /// The service's payments, newest first.
    pub(crate) fn payments(&self) -> Vec<Payment> {
        let entries = self.service().state().payments.into_iter();
        entries.map(|entry| entry.payment).collect()
    }

    /// The only payment of the service.
    pub(crate) fn only_payment(&self) -> Payment {
        let [payment] = <[Payment; 1]>::try_from(self.payments()).expect("one payment, no more");
        payment
    }

    /// The requests that an endpoint of the service received.
    pub(crate) fn requests(&self, endpoint: Endpoint) -> Requests {
        let requests = self.service().state().requests;
        requests.get(&endpoint).copied().unwrap_or_default()
    }
}
