//! Tests which attempt a request belongs to, and what the request gets.

use super::*;
use crate::store::payments::Ending;

on_each_database! {
    an_attempt_is_found_by_key_and_by_order
    an_order_is_identified_by_its_invoice_number
    a_later_choice_wins_over_a_request_that_waited
    waiting_requests_get_the_failure
    a_refused_attempt_frees_its_key_and_order
    a_payment_belongs_to_one_attempt
    a_known_payment_is_not_given_to_another_attempt
    a_payment_that_was_paid_before_is_not_new
}

async fn an_attempt_is_found_by_key_and_by_order(database: config::Database) {
    let store = store(&database).await;
    let both = attempt_for(Some("key"), "I", "btc", Some(0));
    answer_with(&store, &both, "t").await;
    let record = |begun| match begun {
        BeginOutcome::Created(created, _) => serde_json::to_string(&created.record).unwrap(),
        other => panic!("{}", kind(&other)),
    };
    let whole = serde_json::to_string(&created("t").record).unwrap();
    assert!(whole.contains("1.10") && whole.contains("1e-8"));
    for attempt in [
        &both,
        &signed("I", "btc"),
        &attempt_for(Some("other"), "I", "btc", Some(0)),
    ] {
        assert_eq!(record(begin(&store, attempt).await), whole);
    }
    // Each key that was used to find the attempt is bound to it.
    for key in ["key", "other"] {
        let another = attempt_for(Some(key), "I", "trx", Some(0));
        let refused = store.begin(&another, 0).await;
        assert!(matches!(refused, Err(BeginError::Mismatch)), "{key}");
    }
    assert!(
        leased(begin(&store, &keyed("third", "I")).await)
            .attempt
            .id
            .len()
            == 32
    );
}

async fn an_order_is_identified_by_its_invoice_number(database: config::Database) {
    let store = store(&database).await;
    answer_with(&store, &signed("I", "btc"), "t").await;
    let begun = begin(&store, &signed("I", "trx")).await;
    let BeginOutcome::CancelFirst(lease) = begun else {
        panic!("{}", kind(&begun));
    };
    // Meanwhile every request waits, unless the result is known.
    assert_eq!(
        kind(&begin(&store, &signed("I", "bnb")).await),
        "in progress"
    );
    let cancelling = Stage::Cancelling(created("t"));
    let mut lease = lease;
    store.advance(&mut lease, cancelling).await.unwrap();
    assert_eq!(
        kind(&begin(&store, &signed("I", "btc")).await),
        "in progress"
    );
    let ended = Outcome::Stage(Stage::Ended(Some("t".to_owned())));
    store.release(&lease, &ended).await.unwrap();
    answer_with(&store, &signed("I", "trx"), "u").await;
    answer_with(&store, &signed("J", "trx"), "v").await;
    assert_eq!(answer(begin(&store, &signed("I", "trx")).await), "u");
}

async fn a_later_choice_wins_over_a_request_that_waited(database: config::Database) {
    let store = store(&database).await;
    let arrived = store.clock().await.unwrap().now - 1;
    answer_with(&store, &signed("I", "trx"), "t").await;
    let late = attempt_for(Some("key"), "I", "btc", Some(0));
    assert_eq!(kind(&store.begin(&late, arrived).await.unwrap()), "ended");
    // A repeat of the request gets the same answer.
    assert_eq!(kind(&begin(&store, &late).await), "ended");
    let begun = store.begin(&signed("I", "trx"), arrived).await.unwrap();
    assert_eq!(answer(begun), "t");
}

async fn waiting_requests_get_the_failure(database: config::Database) {
    let store = store(&database).await;
    let lease = leased(begin(&store, &signed("I", "btc")).await);
    let BeginOutcome::InProgress(held) = begin(&store, &signed("I", "btc")).await else {
        panic!("another request holds the lease");
    };
    assert_eq!(store.failure(&held).await.unwrap(), None);
    store.release(&lease, &lost()).await.unwrap();
    let failure = Some(ProblemCode::ServiceTimeout);
    assert_eq!(store.failure(&held).await.unwrap(), failure);
    // A later request tries again and does not get the earlier failure.
    let again = leased(begin(&store, &signed("I", "btc")).await);
    assert!(again.in_doubt);
    assert_eq!(store.failure(&held).await.unwrap(), None);
    store.release(&again, &answered("t")).await.unwrap();
    assert_eq!(store.failure(&held).await.unwrap(), None);
}

async fn a_refused_attempt_frees_its_key_and_order(database: config::Database) {
    let store = store(&database).await;
    let both = attempt_for(Some("key"), "I", "btc", Some(0));
    let lease = leased(begin(&store, &both).await);
    store.release(&lease, &refused()).await.unwrap();
    let another = attempt_for(Some("key"), "I", "trx", Some(0));
    let lease = leased(begin(&store, &another).await);
    assert!(!lease.in_doubt);
    store.release(&lease, &lost()).await.unwrap();
    assert!(matches!(
        store.begin(&both, 0).await,
        Err(BeginError::Mismatch)
    ));
    // A refusal does not resolve the earlier call.
    let lease = leased(begin(&store, &another).await);
    store.release(&lease, &refused()).await.unwrap();
    assert!(leased(begin(&store, &another).await).in_doubt);
}

async fn a_payment_belongs_to_one_attempt(database: config::Database) {
    let store = store(&database).await;
    let mut one = leased(begin(&store, &keyed("one", "I")).await);
    let mut other = leased(begin(&store, &keyed("other", "I")).await);
    let claim = Stage::Created(created("t"));
    store.advance(&mut one, claim.clone()).await.unwrap();
    let refused = store.advance(&mut other, claim).await;
    assert!(matches!(refused, Err(WriteError::Claimed)));
    store
        .advance(&mut other, Stage::Created(created("u")))
        .await
        .unwrap();
    assert!(store.has_payment("t").await.unwrap() && !store.has_payment("v").await.unwrap());
}

/// A payment that this proxy has ended is not shown again, and one has only one owner.
async fn a_known_payment_is_not_given_to_another_attempt(database: config::Database) {
    let store = store(&database).await;
    let is_taken = async |id: &str, key: &str| {
        let mut lease = leased(begin(&store, &keyed(key, "I")).await);
        let claim = store.claim(id, &lease.attempt).await.unwrap();
        assert_eq!(claim, Claim::Taken, "{id}");
        let released = store.release(&lease, &answered(id)).await;
        assert!(matches!(released, Err(WriteError::Claimed)), "{id}");
        let found = Stage::Created(created(id));
        let found = store.advance(&mut lease, found).await;
        assert!(matches!(found, Err(WriteError::Claimed)), "{id}");
        assert!(store.has_payment(id).await.unwrap());
    };
    answer_with(&store, &keyed("one", "I"), "t").await;
    is_taken("t", "two").await;
    let CancelStart::Leased(lease, _) = store.begin_cancel("t").await.unwrap() else {
        panic!("the payment is an attempt's");
    };
    assert_eq!(lease.attempt.id, id_of(&store, "one").await);
    let ended = Outcome::Stage(Stage::Ended(Some("t".to_owned())));
    store.release(&lease, &ended).await.unwrap();
    is_taken("t", "three").await;
    // Its attempt was archived, and then its record deleted.
    let now = store.clock().await.unwrap().now;
    assert_eq!(store.prune_batch(now + 2 * MONTH, 1).await.unwrap(), 1);
    is_taken("t", "four").await;
    store.database.execute("DELETE FROM payments", None).await;
    is_taken("t", "five").await;
    // A closed payment without an attempt.
    answer_with(&store, &keyed("six", "I"), "u").await;
    for statement in [
        "UPDATE payments SET ending = 'closed'",
        "DELETE FROM attempt_keys",
        "DELETE FROM attempts",
    ] {
        store.database.execute(statement, None).await;
    }
    is_taken("u", "seven").await;
    let ending = store.latest_record("u").await.unwrap().unwrap().ending;
    assert_eq!(ending, Some(Ending::Closed));
}

/// A payment that the service has just created can't be paid; one that it created earlier can.
async fn a_payment_that_was_paid_before_is_not_new(database: config::Database) {
    let store = store(&database).await;
    answer_with(&store, &keyed("one", "I"), "t").await;
    for statement in [
        "UPDATE payments SET ending = 'paid'",
        "DELETE FROM attempt_keys",
        "DELETE FROM attempts",
    ] {
        store.database.execute(statement, None).await;
    }
    let mut lease = leased(begin(&store, &keyed("two", "I")).await);
    store.record_call(&mut lease).await.unwrap();
    let released = store.release(&lease, &answered("t")).await;
    assert!(matches!(released, Err(WriteError::Claimed)));
    let lease = leased(begin(&store, &keyed("three", "I")).await);
    store.release(&lease, &answered("t")).await.unwrap();
}

async fn id_of(store: &AttemptStore, key: &str) -> String {
    let key = key.to_owned();
    let id = store.database.read(async move |session| {
        let sql = "SELECT attempt_id FROM attempt_keys WHERE idempotency_key = $1";
        session.row::<(String,)>(query!(sql, key)).await
    });
    id.await.unwrap().unwrap().0
}
