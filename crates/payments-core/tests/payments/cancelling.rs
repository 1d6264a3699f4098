//! One payment and several: asked first, and told by a fresh read of the list.

use serde_json::json;
use tender_payments_core::{Cancelling, Effect, Event, Outcome, Seen};
use tender_protocol::Status;

use crate::world::{World, answer, ok};

fn outcomes(world: &World) -> &[Outcome] {
    match &world.desk().cancelling {
        Cancelling::Done(outcomes) => outcomes,
        other => panic!("it is not done: {other:?}"),
    }
}

fn cancel(world: &mut World, ids: &[&str]) {
    let ids = ids.iter().map(|id| (*id).to_owned()).collect();
    world.does(Event::CancelWanted(ids));
    world.does(Event::CancelConfirmed);
}

fn cancelled() -> Seen {
    Seen::Reads(Status::new("9", "Cancelled").unwrap())
}

#[test]
fn nothing_is_asked_before_it_is_meant() {
    let mut world = World::open(3);
    world.does(Event::CancelWanted(vec!["t-2".to_owned()]));
    assert!(
        matches!(&world.desk().cancelling, Cancelling::Asking(payments) if payments.len() == 1)
    );
    world.does(Event::CancelKept);
    world.does(Event::CancelConfirmed);
    assert_eq!(world.desk().cancelling, Cancelling::No);
    assert!(world.list.iter().all(|row| row["statusId"] == "1"));
}

#[test]
fn the_outcome_is_what_the_list_says() {
    let mut world = World::open(3);
    cancel(&mut world, &["t-2"]);
    let [outcome] = outcomes(&world) else {
        panic!()
    };
    assert_eq!((&outcome.seen, &outcome.refusal), (&cancelled(), &None));
    assert_eq!(outcome.before.status, Status::Created);
    let row = world.desk().book.get("t-2").unwrap();
    assert_eq!(row.status.text(), "Cancelled", "the row says it too");
}

#[test]
fn an_answer_that_says_cancelled_is_not_believed() {
    let mut world = World::open(3);
    world.cancel =
        |_, id| ok(&json!([{ "transactionId": id, "statusId": "9", "statusText": "Cancelled" }]));
    cancel(&mut world, &["t-2"]);
    assert_eq!(outcomes(&world)[0].seen, Seen::Reads(Status::Created));
}

#[test]
fn one_that_is_unknown_or_cancelled_already_is_told_plainly() {
    let mut world = World::open(3);
    world.list.retain(|row| row["transactionId"] != "t-2");
    cancel(&mut world, &["t-2"]);
    let [outcome] = outcomes(&world) else {
        panic!()
    };
    assert_eq!(outcome.seen, Seen::Missing);
    assert_eq!(
        outcome.refusal.as_ref().unwrap().message,
        "No such payment."
    );
}

#[test]
fn several_go_one_after_the_other_and_what_failed_is_known() {
    let mut world = World::open(45);
    world.does(Event::Older);
    let shown = world.shown();
    for id in &shown[..3] {
        world.does(Event::Selected(id.clone(), true));
    }
    world.cancel = |list, id| {
        if id == "t-24" {
            return answer(504, "");
        }
        for row in list.iter_mut().filter(|row| row["transactionId"] == id) {
            row["statusId"] = json!("9");
            row["statusText"] = json!("Cancelled");
        }
        ok(&json!([]))
    };
    // Meanwhile others pay: what is looked for has moved to the next page.
    world.does(Event::CancelSelectedWanted);
    world.send(Event::CancelConfirmed);
    let waiting = |world: &World| {
        world
            .requests
            .iter()
            .filter(|effect| matches!(effect, Effect::Cancel { .. }))
            .count()
    };
    assert_eq!(waiting(&world), 1);
    world.create(19);
    world.answer_all();
    let told: Vec<_> = outcomes(&world)
        .iter()
        .map(|outcome| {
            (
                outcome.before.transaction_id.as_str(),
                outcome.refusal.is_some(),
                outcome.seen.clone(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("t-25", false, cancelled()),
            ("t-24", true, Seen::Reads(Status::Created)),
            ("t-23", false, cancelled()),
        ]
    );
    world.does(Event::CancelRead);
    assert_eq!(world.desk().cancelling, Cancelling::No);
}

#[test]
fn a_list_that_can_not_be_read_leaves_it_open() {
    let mut world = World::open(3);
    world.does(Event::CancelWanted(vec!["t-2".to_owned()]));
    world.send(Event::CancelConfirmed);
    world.answer_one();
    let Some(Effect::ReadList(ask)) = world.requests.pop_front() else {
        panic!("it reads the list");
    };
    world.send(Event::ListAnswered(ask, answer(503, "")));
    assert!(matches!(outcomes(&world)[0].seen, Seen::Unread(_)));
}
