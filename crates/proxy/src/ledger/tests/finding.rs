//! Which attempt a request belongs to, and what it is told.

use super::*;

on_each_database! {
    a_key_and_an_order_find_their_attempt
    an_order_is_its_invoice_number
    a_request_that_waited_gives_way_to_a_later_choice
    those_who_waited_get_the_failure
    a_refusal_frees_the_key_and_the_order
    a_payment_is_one_attempts
    a_payment_that_the_service_gives_twice_is_the_later_attempts
}

async fn a_key_and_an_order_find_their_attempt(database: config::Database) {
    let ledger = ledger(&database).await;
    let both = wish(Some("key"), "I", "btc", Some(0));
    answer_with(&ledger, &both, "t").await;
    let record = |begun| match begun {
        Begun::Answered(created) => serde_json::to_string(&created.record).unwrap(),
        other => panic!("{}", named(&other)),
    };
    let whole = serde_json::to_string(&created("t").record).unwrap();
    assert!(whole.contains("1.10") && whole.contains("1e-8"));
    for attempt in [
        &both,
        &signed("I", "btc"),
        &wish(Some("other"), "I", "btc", Some(0)),
    ] {
        assert_eq!(record(begin(&ledger, attempt).await), whole);
    }
    // Each key that found it is its name from now on.
    for key in ["key", "other"] {
        let another = wish(Some(key), "I", "trx", Some(0));
        let refused = ledger.begin(&another, 0).await;
        assert!(matches!(refused, Err(BeginError::Mismatch)), "{key}");
    }
    assert!(
        mine(begin(&ledger, &keyed("third", "I")).await)
            .entry
            .id
            .len()
            == 32
    );
}

async fn an_order_is_its_invoice_number(database: config::Database) {
    let ledger = ledger(&database).await;
    answer_with(&ledger, &signed("I", "btc"), "t").await;
    let begun = begin(&ledger, &signed("I", "trx")).await;
    let Begun::Occupied(lease) = begun else {
        panic!("{}", named(&begun));
    };
    // Meanwhile everyone waits, but those who know the answer.
    assert_eq!(named(&begin(&ledger, &signed("I", "bnb")).await), "busy");
    let cancelling = Stage::Cancelling(created("t"));
    let mut lease = lease;
    ledger.advance(&mut lease, cancelling).await.unwrap();
    assert_eq!(named(&begin(&ledger, &signed("I", "btc")).await), "busy");
    let ended = Outcome::Stage(Stage::Ended(Some("t".to_owned())));
    ledger.settle(&lease, &ended).await.unwrap();
    answer_with(&ledger, &signed("I", "trx"), "u").await;
    answer_with(&ledger, &signed("J", "trx"), "v").await;
    assert_eq!(answer(begin(&ledger, &signed("I", "trx")).await), "u");
}

async fn a_request_that_waited_gives_way_to_a_later_choice(database: config::Database) {
    let ledger = ledger(&database).await;
    let arrived = ledger.clock().await.unwrap().now - 1;
    answer_with(&ledger, &signed("I", "trx"), "t").await;
    let late = wish(Some("key"), "I", "btc", Some(0));
    assert_eq!(named(&ledger.begin(&late, arrived).await.unwrap()), "ended");
    // Another copy of it, which arrives after all, is the same request still.
    assert_eq!(named(&begin(&ledger, &late).await), "ended");
    let begun = ledger.begin(&signed("I", "trx"), arrived).await.unwrap();
    assert_eq!(answer(begun), "t");
}

async fn those_who_waited_get_the_failure(database: config::Database) {
    let ledger = ledger(&database).await;
    let lease = mine(begin(&ledger, &signed("I", "btc")).await);
    let Begun::Busy(watched) = begin(&ledger, &signed("I", "btc")).await else {
        panic!("someone is at work");
    };
    assert_eq!(ledger.failure(&watched).await.unwrap(), None);
    ledger.settle(&lease, &lost()).await.unwrap();
    let failure = Some(ProblemCode::ServiceTimeout);
    assert_eq!(ledger.failure(&watched).await.unwrap(), failure);
    // Who comes later tries again, and what comes of that is another matter.
    let again = mine(begin(&ledger, &signed("I", "btc")).await);
    assert!(again.in_doubt);
    assert_eq!(ledger.failure(&watched).await.unwrap(), None);
    ledger.settle(&again, &answered("t")).await.unwrap();
    assert_eq!(ledger.failure(&watched).await.unwrap(), None);
}

async fn a_refusal_frees_the_key_and_the_order(database: config::Database) {
    let ledger = ledger(&database).await;
    let both = wish(Some("key"), "I", "btc", Some(0));
    let lease = mine(begin(&ledger, &both).await);
    ledger.settle(&lease, &refused()).await.unwrap();
    let another = wish(Some("key"), "I", "trx", Some(0));
    let lease = mine(begin(&ledger, &another).await);
    assert!(!lease.in_doubt);
    ledger.settle(&lease, &lost()).await.unwrap();
    assert!(matches!(
        ledger.begin(&both, 0).await,
        Err(BeginError::Mismatch)
    ));
    // A refusal says nothing of the call before.
    let lease = mine(begin(&ledger, &another).await);
    ledger.settle(&lease, &refused()).await.unwrap();
    assert!(mine(begin(&ledger, &another).await).in_doubt);
}

async fn a_payment_is_one_attempts(database: config::Database) {
    let ledger = ledger(&database).await;
    let mut one = mine(begin(&ledger, &keyed("one", "I")).await);
    let mut other = mine(begin(&ledger, &keyed("other", "I")).await);
    let claim = Stage::Answered(created("t"));
    ledger.advance(&mut one, claim.clone()).await.unwrap();
    let refused = ledger.advance(&mut other, claim).await;
    assert!(matches!(refused, Err(WriteError::Claimed)));
    ledger
        .advance(&mut other, Stage::Answered(created("u")))
        .await
        .unwrap();
    assert!(ledger.has("t").await.unwrap() && !ledger.has("v").await.unwrap());
}

async fn a_payment_that_the_service_gives_twice_is_the_later_attempts(database: config::Database) {
    let ledger = ledger(&database).await;
    for key in ["one", "other"] {
        answer_with(&ledger, &keyed(key, "I"), "t").await;
    }
    for key in ["one", "other"] {
        assert_eq!(answer(begin(&ledger, &keyed(key, "I")).await), "t");
    }
    let Cancelling::Mine(lease, _) = ledger.begin_cancel("t").await.unwrap() else {
        panic!("the payment is an attempt's");
    };
    assert_eq!(lease.entry.id, id_of(&ledger, "other").await);
}

async fn id_of(ledger: &Ledger, key: &str) -> String {
    let key = key.to_owned();
    let id = ledger.database.look(move |session| {
        Box::pin(async move {
            let values = [(&key).into()];
            let sql = "SELECT attempt_id FROM attempt_keys WHERE name = $1";
            session.row(sql, &values, |row| row.text(0)).await
        })
    });
    let id: database::Result<_> = id.await;
    id.unwrap().unwrap()
}
