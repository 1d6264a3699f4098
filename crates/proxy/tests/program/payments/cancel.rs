//! `payments cancel`.

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_protocol::Status;
use tender_sandbox::{Endpoint, Fault, Outcome};

use super::World;

fn outcomes(json: &Value) -> Vec<(&str, &str, &Value)> {
    let cases = json.as_array().unwrap().iter();
    cases
        .map(|case| {
            let text = |name: &str| case[name].as_str().unwrap();
            (text("transactionId"), text("outcome"), &case["after"])
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_new_status_comes_from_the_list() {
    let world = World::new().await;
    let ids = world.pay_often(25).await;
    let done = world.run(&["cancel", "--yes", &ids[0], &ids[24], &ids[0]]);
    // The service's response says "Created".
    done.is(0)
        .reports(&format!("{}: was Created, is now Cancelled", ids[0]))
        .reports(&format!("{}: was Created, is now Cancelled", ids[24]))
        .reports("The status or state of 2 of 2 has changed.");
    assert_eq!(done.out, "");
    assert_eq!(
        (world.status_of(&ids[0]), world.calls(Endpoint::Cancel)),
        ("Cancelled".to_owned(), 2)
    );

    let done = world.run(&["cancel", "--yes", "--json", &ids[1]]);
    let case = json!([{
        "transactionId": ids[1], "outcome": "changed", "before": "Created", "after": "Cancelled",
        "problem": null,
    }]);
    assert_eq!(done.is(0).json(), case);
}

#[tokio::test(flavor = "multi_thread")]
async fn closed_and_unknown_payments_are_not_cancelled() {
    let world = World::new().await;
    let [paid, open] = [world.pay(json!({})).await, world.pay(json!({})).await];
    let status = Status::new("7", "Paid").unwrap();
    world.sandbox.controls().set_status(&paid, status).unwrap();
    let done = world.run(&["cancel", "--yes", &paid]);
    done.is(1).reports("is Paid, so it was not cancelled");
    let done = world.run(&["cancel", "--yes", "unknown"]);
    done.is(3)
        .reports("unknown: is not in the list of 2 payments");
    assert_eq!(world.calls(Endpoint::Cancel), 0);
    let done = world.run(&["cancel", "--yes", "unknown", &open]);
    done.is(3)
        .reports("The status or state of 1 of 2 has changed.");
    let done = world.run(&["cancel", "--yes", "--json", "unknown", &open, &paid]);
    let expected = [
        ("unknown", "not-found", &Value::Null),
        (&*open, "left-alone", &Value::Null),
        (&*paid, "left-alone", &Value::Null),
    ];
    assert_eq!(outcomes(&done.is(1).json()), expected);
    assert_eq!(world.calls(Endpoint::Cancel), 1);
    // The request is sent if that is wanted, but the proxy cancels nothing that may have been paid.
    let done = world.run(&["cancel", "--yes", "--any-status", &paid]);
    done.is(1)
        .reports("the list still shows Paid. The request to cancel it failed: The payment may");
    assert_eq!(world.calls(Endpoint::Cancel), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_response_does_not_decide_the_result() {
    let world = World::new().await;
    let ids = world.pay_often(2).await;
    let lost = Fault::new(Outcome::DropAnswer).on(Endpoint::Cancel);
    world.inject(lost.once());
    let done = world.run(&["cancel", "--yes", &ids[0]]);
    done.is(0)
        .reports("was Created, is now Cancelled. The request to cancel it failed: The payment service can't be");

    // The request did not reach the service.
    let lost = Fault::new(Outcome::DropRequest).on(Endpoint::Cancel);
    world.inject(lost);
    let done = world.run(&["cancel", "--yes", "--json", &ids[1]]);
    let created = json!("Created");
    let expected = [(&*ids[1], "unchanged", &created)];
    assert_eq!(outcomes(&done.is(1).json()), expected);
    done.reports("still shows Created. The request to cancel it failed: ")
        .reports("The status or state of 0 of 1 has changed.");
}

/// The service documents that a cancelled payment has the status "Created".
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_the_proxy_closed_counts_as_changed() {
    let world = World::new().await;
    let id = world.pay(json!({})).await;
    let record = json!([{ "transactionId": id, "statusId": "1", "statusText": "Created" }]);
    let documented = Fault::respond(StatusCode::OK, record.to_string()).on(Endpoint::Cancel);
    world.inject(documented);
    let done = world.run(&["cancel", "--yes", &id]);
    done.is(0)
        .reports(&format!("{id}: is closed; the list still shows Created"))
        .reports("The status or state of 1 of 1 has changed.");
    assert_eq!(world.status_of(&id), "Created");
    let done = world.run(&["cancel", "--yes", "--json", &id]);
    let expected = [(&*id, "changed", &json!("Created"))];
    assert_eq!(outcomes(&done.is(0).json()), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_list_leaves_the_result_unknown() {
    let world = World::new().await;
    let id = world.pay(json!({})).await;
    // Only the reads of the list before the cancel succeed: the first page, and the next one.
    let succeeding = Fault::new(Outcome::Handle).times(2.try_into().unwrap());
    for fault in [succeeding, Fault::respond(StatusCode::BAD_GATEWAY, "")] {
        world.inject(fault.on(Endpoint::List));
    }
    let done = world.run(&["cancel", "--yes", &id]);
    done.is(1)
        .reports("its new status is not known")
        .reports("The list can't be read");
    assert_eq!(world.status_of(&id), "Cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminal_asks_for_confirmation_and_without_one_yes_is_required() {
    let world = World::new().await;
    let id = world
        .pay(json!({ "invoiceNumber": "INV-\u{202e}[7m" }))
        .await;
    let pay = world.run(&["list", "--json"]).json()[0]["quantityPay"].to_string();
    for typed in ["n\n", "\n", "yess\n", "\u{4}"] {
        let done = world.at_terminal(&["cancel", &id], 80, typed);
        done.is(1)
            .reports(&format!(
                r"invoice INV-\u{{202e}}[7m: {pay} TRX for 25.00 USDTT, Created, {id}"
            ))
            .reports("Cancel 1 payment? [y/N]")
            .reports("Nothing was cancelled.");
    }
    world.run(&["cancel", &id]).is(2).reports("--yes");
    assert_eq!(world.calls(Endpoint::Cancel), 0);
    let done = world.at_terminal(&["cancel", &id], 80, "y\n");
    done.is(0).reports("was Created, is now Cancelled");
}
