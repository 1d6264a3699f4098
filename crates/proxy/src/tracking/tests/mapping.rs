//! What a new mapping of statuses says of the payments that are stored.

use super::*;
use crate::store::database::query;
use crate::tracking::poller::Poller;

#[tokio::test]
async fn a_mapping_is_applied_to_all_payments_in_batches() {
    let mut store = store().await;
    let fill = "WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number <= 1000)
        INSERT INTO payments (transaction_id, record, event_id, wanted_until, kept_until, listed_id)
        SELECT 'p' || number, '{\"statusText\":\"Paid\"}', 0, 0, 9000000000000, 0 FROM numbers";
    assert_eq!(store.database.execute(fill).await, 1001);
    let config = Arc::make_mut(&mut store.config);
    config.orders.status_paid = vec!["Paid".to_owned()];
    let mut config = config.clone();
    let shared = shared(store.clone());
    let mut poller = Poller {
        tracking: Tracking::new(&shared),
        published: 0,
        state: polling(&store).await,
        is_unread: false,
        applied: None,
        commits: store.database.commits(),
    };
    let paid = async || {
        let count = query!("SELECT COUNT(*) FROM payments WHERE ending = 'paid'");
        store.database.number(count).await.unwrap()
    };
    for expected in [BATCH, 2 * BATCH, 1001] {
        assert!(!poller.apply_mapping().await.unwrap());
        assert_eq!(paid().await, expected);
    }
    for _ in 0..2 {
        assert!(poller.apply_mapping().await.unwrap());
    }

    // Another mapping begins again.
    shared.statuses.replace_mapping(&config);
    assert!(!poller.apply_mapping().await.unwrap());
    config.orders.status_paid.clear();
    shared.statuses.replace_mapping(&config);
    assert!(poller.apply_mapping().await.unwrap());
}
