//! Tests that a payment which may have been paid is neither cancelled nor replaced.

use crate::prelude::*;
use crate::search::others;

/// Who ends a payment.
const ALL: [&str; 3] = ["receipt", "merchant", "another token"];

impl World {
    async fn ends(&self, payment: &Followed, by: &str) -> Answer {
        match by {
            "receipt" => self.cancel(&payment.id, &payment.receipt).await,
            "merchant" => self.cancel(&payment.id, MERCHANT_KEY).await,
            _ => self.pays_in("btc").await,
        }
    }

    /// The buyer sees the payment with the status "Paid", and gets it again.
    async fn shows_paid(&self, payment: &Followed, state: Option<&str>) {
        for record in [
            self.latest(payment).await.record(),
            self.pays_in("trx").await.record(),
        ] {
            assert_eq!(record.string("transactionId"), Some(payment.id.clone()));
            assert_eq!(record.string("statusText").as_deref(), Some("Paid"));
            assert_eq!(record.string("state").as_deref(), state);
        }
    }
}

#[tokio::test]
async fn a_payment_that_was_paid_after_a_lost_cancel_stays_the_orders() {
    for by in ["receipt", "another token"] {
        let world = World::with(mapped).await;
        let payment = world.begin("INV-1").await;
        let lost = Fault::new(Outcome::DropRequest).on(Endpoint::Cancel);
        world.inject(lost.once());
        let answer = world.ends(&payment, by).await;
        answer.is_refused_as(match by {
            "receipt" => ProblemCode::ServiceUnreachable,
            _ => ProblemCode::EarlierPaymentOpen,
        });
        let closed = world.latest(&payment).await.record().string("state");
        assert_eq!(closed.as_deref(), Some("unknown"));

        world.set_status(&payment.id, "2", "Paid");
        let again = world.pays_in("trx").await;
        again.is_refused_as(ProblemCode::PaymentProgressed);
        world.shows_paid(&payment, Some("paid")).await;
        let other = world.pays_in("btc").await;
        other.is_refused_as(ProblemCode::PaymentProgressed);
        assert_eq!(world.calls(Endpoint::Cancel), 1, "{by}");
        assert_eq!(world.calls(Endpoint::Create), 1, "{by}");
    }
}

/// What the list says is shown at once, too.
#[tokio::test]
async fn the_list_is_read_before_a_payment_is_cancelled() {
    for (configure, state) in [((|_| {}) as fn(&mut Config), None), (mapped, Some("paid"))] {
        for by in ALL {
            let world = World::with(configure).await;
            let payment = world.begin("INV-1").await;
            world.set_status(&payment.id, "2", "Paid");
            let answer = world.ends(&payment, by).await;
            answer.is_refused_as(ProblemCode::PaymentProgressed);
            assert_eq!(world.calls(Endpoint::Cancel), 0, "{by}");
            world.shows_paid(&payment, state).await;
            assert_eq!(world.calls(Endpoint::Create), 1, "{by}");
        }
    }
}

/// Nothing is sent without a fresh read that shows the payment unchanged.
#[tokio::test]
async fn without_the_list_nothing_is_cancelled() {
    let end = page("[]");
    for (unlisted, code) in [
        (vec![end.clone()], ProblemCode::CancelUnconfirmed),
        (
            vec![page(json!(others(0, 3))).once(), end],
            ProblemCode::CancelUnconfirmed,
        ),
        (
            vec![Fault::respond(StatusCode::BAD_GATEWAY, "{}").on(Endpoint::List)],
            ProblemCode::ServiceFailed,
        ),
    ] {
        let world = World::new().await;
        let payment = world.begin("INV-1").await;
        for by in ALL {
            world.sandbox.controls().clear_faults();
            for fault in &unlisted {
                world.inject(fault.clone());
            }
            let answer = world.ends(&payment, by).await;
            answer.is_refused_as(match by {
                "another token" => ProblemCode::EarlierPaymentOpen,
                _ => code,
            });
            assert_eq!(world.calls(Endpoint::Cancel), 0, "{by}");
        }
        assert_eq!(world.calls(Endpoint::Create), 1);
        let state = world.latest(&payment).await.record().string("state");
        assert_eq!(state, None);
    }
}

/// The payment was created elsewhere, or its attempt is no longer stored.
#[tokio::test]
async fn a_payment_without_an_attempt_is_looked_up_too() {
    let mut world = World::new().await;
    let payment = world.begin("INV-1").await;
    let database = crate::database::database();
    let other = |config: &mut Config| config.store.database = database.parse().unwrap();
    let _before = world.replace_proxy(other).await;
    let first = payment.with_status("1", "Created");
    let second = payment.with_status("2", "Paid");
    world.inject(page(json!([first, second])).once());
    let answer = world.cancel(&payment.id, MERCHANT_KEY).await;
    answer.is_refused_as(ProblemCode::CancelUnconfirmed);
    world.set_status(&payment.id, "2", "Paid");
    let answer = world.cancel(&payment.id, MERCHANT_KEY).await;
    answer.is_refused_as(ProblemCode::PaymentProgressed);
    assert_eq!(world.calls(Endpoint::Cancel), 0);

    world.set_status(&payment.id, "1", "Created");
    world.cancel(&payment.id, MERCHANT_KEY).await.succeeds();
    assert_eq!(world.calls(Endpoint::Cancel), 1);
    // It is cancelled already.
    world.cancel(&payment.id, MERCHANT_KEY).await.succeeds();
    assert_eq!(world.calls(Endpoint::Cancel), 1);
}

/// Before the request to cancel and after it: a payment may be on two pages with two statuses, or the list may not end.
#[tokio::test]
async fn a_list_in_doubt_cancels_nothing() {
    for (requests, has_end) in [(0, true), (1, true), (1, false)] {
        let world = World::new().await;
        let payment = world.begin("INV-1").await;
        let created = json!([payment.with_status("1", "Created")]);
        let paid = json!([payment.with_status("2", "Paid")]);
        if requests > 0 {
            world.inject(page(&created).once());
            world.inject(page("[]").once());
        }
        if !has_end {
            world.inject(page(json!(others(0, 19))).once());
            world.inject(Fault::respond(StatusCode::NOT_FOUND, "{}").on(Endpoint::List));
        }
        for records in [&created, &paid] {
            world.inject(page(records).once());
        }
        world.inject(responds(Endpoint::Cancel, StatusCode::OK, &created));
        let answer = world.cancel(&payment.id, &payment.receipt).await;
        answer.is_refused_as(ProblemCode::CancelUnconfirmed);
        assert_eq!(world.calls(Endpoint::Cancel), requests);
    }
}

/// Nothing tells which one is right.
#[tokio::test]
async fn a_page_with_two_statuses_of_a_payment_says_nothing() {
    let world = World::with(mapped_and_polled).await;
    let payment = world.begin("INV-1").await;
    let mut tab = world.watch(&payment).await;
    let both = ["Paid", "Created"].map(|status| payment.with_status("2", status));
    world.inject(page(json!(both)).once());
    let before = world.calls(Endpoint::List);
    // It was read, and then another one.
    until(async || (world.calls(Endpoint::List) > before + 1).then_some(())).await;
    world.set_status(&payment.id, "9", "Expired");
    assert_eq!(tab.next().await.status(), "Expired");
}

/// Money may arrive for a payment after it was closed, so the list is read before its order is freed.
#[tokio::test]
async fn only_a_payment_that_is_still_closed_frees_its_order() {
    for (later, code) in [
        (Some("Expired"), None),
        (Some("Paid"), Some(ProblemCode::PaymentProgressed)),
        (Some("Created"), Some(ProblemCode::PaymentProgressed)),
        (None, Some(ProblemCode::EarlierPaymentOpen)),
    ] {
        // The other statuses are not mapped.
        let world = World::with(|config| {
            fast_polling(config);
            config.orders.status_closed = vec!["Expired".to_owned()];
        })
        .await;
        let payment = world.begin("INV-1").await;
        let mut tab = world.watch(&payment).await;
        world.set_status(&payment.id, "9", "Expired");
        assert_eq!(tab.next().await.status(), "Expired");
        drop(tab);
        match later {
            Some("Created") => world.set_status(&payment.id, "1", "Created"),
            Some(name) => world.set_status(&payment.id, "9", name),
            None => world.inject(Fault::respond(StatusCode::BAD_GATEWAY, "").on(Endpoint::List)),
        }
        for token in ["btc", "trx"] {
            let second = world.pays_in(token).await;
            match code {
                None => assert_ne!(second.transaction_id(), payment.id),
                Some(code) => second.is_refused_as(code),
            }
        }
        if code.is_some() {
            assert_eq!(world.calls(Endpoint::Create), 1, "{later:?}");
            assert_eq!(world.calls(Endpoint::Cancel), 0, "{later:?}");
        }
    }
}
