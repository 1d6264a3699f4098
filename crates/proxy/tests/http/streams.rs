//! Tests of the event stream of a payment.

use crate::listener::until_accepted;
use crate::prelude::*;

#[tokio::test]
async fn a_stream_sends_the_record_and_then_each_change() {
    let world = World::with(fast_polling).await;
    let payment = world.begin("INV-1").await;
    let mut listener = world.listen(&payment).await;
    assert_eq!(listener.response.headers()["cache-control"], "no-store");
    let first = listener.next().await;
    assert_eq!((first.id, &*first.data), (Some(0), &*payment.record));

    world.becomes(&payment, "Confirming");
    let second = listener.next().await;
    assert_eq!(second.status(), "Confirming");
    world.becomes(&payment, "Paid");
    let third = listener.next().await;
    assert_eq!(third.status(), "Paid");
    assert!(first.id < second.id && second.id < third.id);
    assert_eq!(world.latest(&payment).await.body, third.data);

    // A client that knows an event gets only the later ones, once.
    let ids = [&first, &second, &third].map(|event| event.id.unwrap().to_string());
    for (known, news) in [(&ids[0], vec![&second, &third]), (&ids[1], vec![&third])] {
        let mut again = world.listen_after(&payment, known).await;
        for expected in news {
            let event = again.next().await;
            assert_eq!(event, *expected);
        }
        assert!(again.is_silent_for(SEVERAL_CYCLES / 3).await);
    }
    let mut again = world.listen_after(&payment, &ids[2]).await;
    assert!(again.is_silent_for(SEVERAL_CYCLES / 3).await);
    world.becomes(&payment, "Refunded");
    assert_eq!(again.next().await.status(), "Refunded");
    // The change of another payment is none of this one.
    let other = world.begin("INV-2").await;
    world.becomes(&other, "Paid");
    world.until_it_is(&other, "Paid").await;
    assert!(again.is_silent_for(SEVERAL_CYCLES).await);
    // Ids that do not belong to this payment.
    for id in ["99999", "-1", "x"] {
        let mut stranger = world.listen_after(&payment, id).await;
        assert_eq!(stranger.next().await.status(), "Refunded");
    }
}

/// One receipt, or one address, can't take the streams of others.
#[tokio::test]
async fn streams_are_limited_per_payment_and_address() {
    let world = World::with(|config| {
        fast_polling(config);
        config.server.trusted_proxies = 1;
        config.tracking.max_streams_per_payment = 2;
        config.tracking.max_streams_per_address = 3;
    })
    .await;
    let (first, second) = (world.begin("INV-1").await, world.begin("INV-2").await);
    let from = |address: &str, payment: &Followed| {
        world.listening(payment).header("x-forwarded-for", address)
    };
    let mut open = Vec::new();
    for address in ["192.0.2.1", "192.0.2.2"] {
        open.push(Listener::to(from(address, &first)).await);
    }
    let refused = Answer::to(from("192.0.2.3", &first)).await;
    refused.is_refused_as(ProblemCode::StreamsFull);
    open.push(Listener::to(from("192.0.2.1", &second)).await);
    open.push(Listener::to(from("192.0.2.2", &second)).await);
    let third = world.begin("INV-3").await;
    open.push(Listener::to(from("192.0.2.1", &third)).await);
    let refused = Answer::to(from("192.0.2.1", &third)).await;
    refused.is_refused_as(ProblemCode::StreamsFull);
    open.push(Listener::to(from("192.0.2.3", &third)).await);
    // Ended streams make room.
    open.clear();
    until_accepted(|| from("192.0.2.1", &first)).await;
}

/// The stream is at an instance that rarely begins a cycle.
#[tokio::test]
async fn every_instance_publishes_all_changes() {
    let mut world = World::persistent(fast_polling).await;
    let payment = world.begin("INV-1").await;
    let seldom = |config: &mut Config| config.tracking.poll_interval = Duration::from_secs(1);
    let reader = world.replace_proxy(seldom).await;
    let mut listener = world.watch(&payment).await;
    for status in ["Seen", "Confirming", "Confirmed", "Paid", "Settled"] {
        world.becomes(&payment, status);
        assert_eq!(listener.next().await.status(), status);
    }
    assert!(reader.stop().await);
}
