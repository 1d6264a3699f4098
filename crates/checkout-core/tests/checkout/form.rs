//! The form, and the request that it creates.

use proptest::prelude::*;
use tender_checkout_core::{Config, Form, FormProblem};
use tender_protocol::client::typed::DecimalSeparator;

use crate::support::{Checkout, code, config, jwt, signed};

/// A valid form.
fn filled() -> Form {
    Form {
        payment_token: Some(code("trx")),
        email: " buyer@example.com ".to_owned(),
        name: " A. Buyer ".to_owned(),
        amount: " 12.50 ".to_owned(),
    }
}

fn json(form: &Form, config: &Config) -> String {
    serde_json::to_string(&form.request(config).unwrap()).unwrap()
}

#[test]
fn a_plain_order_makes_the_documented_request() {
    assert_eq!(
        json(
            &filled(),
            &config(&[("item-number", "2"), ("ask", "email name")])
        ),
        r#"{"token":"usdtt","quantity":25.50,"paymentToken":"trx","invoiceNumber":"INV-1042","purchaseEmail":"buyer@example.com","purchaseName":"A. Buyer","itemNumber":"2"}"#
    );
    assert_eq!(
        json(&filled(), &config(&[])),
        r#"{"token":"usdtt","quantity":25.50,"paymentToken":"trx","invoiceNumber":"INV-1042"}"#
    );
}

#[test]
fn a_signed_order_is_passed_on_and_the_page_sets_no_price() {
    let claims = r#"{"token":"usdtt","quantity":"25.50","invoiceNumber":"I"}"#;
    let order = jwt(claims);
    assert_eq!(
        json(&filled(), &signed(claims, &[]).unwrap()),
        format!(r#"{{"order":"{order}","paymentToken":"trx"}}"#)
    );
}

#[test]
fn the_payer_chooses_the_amount_where_the_item_number_is_zero() {
    let plain = config(&[("item-number", "0"), ("quantity", "5.0")]);
    assert_eq!(Form::new(&plain).amount, "5.0");
    assert!(json(&filled(), &plain).contains(r#""quantity":12.50,"#));
    assert!(json(&filled(), &plain).ends_with(r#""itemNumber":"0"}"#));

    let claims = r#"{"token":"usdtt","invoiceNumber":"I","itemNumber":"0"}"#;
    let order = jwt(claims);
    assert_eq!(Form::new(&signed(claims, &[]).unwrap()).amount, "");
    assert_eq!(
        json(&filled(), &signed(claims, &[]).unwrap()),
        format!(r#"{{"order":"{order}","paymentToken":"trx","quantity":12.50}}"#)
    );
}

/// As an input method writes it, and with the digits of other languages.
#[test]
fn what_is_typed_in_other_characters_is_read() {
    let payer_chooses = config(&[("item-number", "0"), ("ask", "email name")]);
    for amount in ["１２．５０", "١٢٫٥٠", "۱۲.۵۰", "१२.५०", "　12.50　"] {
        let form = Form {
            amount: amount.to_owned(),
            email: "ｂｕｙｅｒ＠example.com".to_owned(),
            name: "Ａ".to_owned(),
            ..filled()
        };
        let sent = json(&form, &payer_chooses);
        assert!(sent.contains(r#""quantity":12.50,"#), "{amount}: {sent}");
        assert!(
            sent.contains(r#""purchaseEmail":"buyer@example.com""#),
            "{sent}"
        );
        assert!(sent.contains(r#""purchaseName":"Ａ""#), "{sent}");
    }
}

#[test]
fn a_form_starts_with_the_values_of_the_shop() {
    let config = config(&[
        ("payment-token", "btc"),
        ("purchase-email", "known@example.com"),
        ("purchase-name", "Known"),
        ("item-number", "0"),
        ("quantity", "0.00"),
    ]);
    let form = Form {
        payment_token: Some(code("btc")),
        email: "known@example.com".to_owned(),
        name: "Known".to_owned(),
        amount: String::new(),
    };
    assert_eq!(Form::new(&config), form);
}

#[test]
fn a_hidden_field_has_the_value_of_the_shop() {
    let known = [
        ("purchase-email", "not checked"),
        ("purchase-name", "Known"),
    ];
    let sent = json(&filled(), &config(&known));
    assert!(sent.contains(r#""purchaseEmail":"not checked""#), "{sent}");
    assert!(sent.contains(r#""purchaseName":"Known""#), "{sent}");

    let asked = config(&[known[0], known[1], ("ask", "email name")]);
    let sent = json(&filled(), &asked);
    assert!(
        sent.contains(r#""purchaseEmail":"buyer@example.com""#),
        "{sent}"
    );
    assert!(sent.contains(r#""purchaseName":"A. Buyer""#), "{sent}");
}

#[test]
fn an_optional_field_may_stay_empty_and_a_required_one_may_not() {
    let empty = Form {
        email: " ".to_owned(),
        name: "\t".to_owned(),
        ..filled()
    };
    let sent = json(&empty, &config(&[("ask", "email name")]));
    assert!(sent.ends_with(r#""invoiceNumber":"INV-1042"}"#), "{sent}");

    let problem = |ask| empty.request(&config(&[("ask", ask)])).unwrap_err();
    assert_eq!(problem("email!"), FormProblem::EmailMissing);
    assert_eq!(problem("name!"), FormProblem::NameMissing);
    assert_eq!(problem("name! email!"), FormProblem::EmailMissing);
}

#[test]
fn problems_come_in_the_order_of_the_fields() {
    let config = config(&[("item-number", "0"), ("ask", "email! name!")]);
    let mut form = Form::default();
    let mut next = |change: fn(&mut Form)| {
        change(&mut form);
        form.request(&config).err()
    };
    assert_eq!(next(|_| ()), Some(FormProblem::AmountMissing));
    assert_eq!(
        next(|form| form.amount = "1,5".to_owned()),
        Some(FormProblem::AmountInvalid)
    );
    assert_eq!(
        next(|form| form.amount = "1.5".to_owned()),
        Some(FormProblem::NoToken)
    );
    assert_eq!(
        next(|form| form.payment_token = Some(code("btc"))),
        Some(FormProblem::EmailMissing)
    );
    assert_eq!(
        next(|form| form.email = "me".to_owned()),
        Some(FormProblem::EmailInvalid)
    );
    assert_eq!(
        next(|form| form.email = "me@home".to_owned()),
        Some(FormProblem::NameMissing)
    );
    assert_eq!(next(|form| form.name = "Me".to_owned()), None);
}

/// The quantity that a form with this amount requests.
fn quantity(amount: &str, config: &Config) -> Result<String, FormProblem> {
    let form = Form {
        amount: amount.to_owned(),
        ..filled()
    };
    let request = serde_json::to_string(&form.request(config)?).unwrap();
    let rest = request.split_once(r#""quantity":"#).unwrap().1;
    Ok(rest.split_once(',').unwrap().0.to_owned())
}

fn with_comma(more: &[(&str, &str)]) -> Config {
    Config {
        decimal_separator: DecimalSeparator::Comma,
        ..config(&[&[("item-number", "0")], more].concat())
    }
}

#[test]
fn an_amount_is_a_plain_decimal_above_zero() {
    let config = config(&[("item-number", "0")]);
    for amount in ["1", "0.00000001", "12.50", "123456789012.12345678"] {
        assert_eq!(quantity(amount, &config).as_deref(), Ok(amount));
    }
    for amount in ["", " ", "\n"] {
        let problem = Err(FormProblem::AmountMissing);
        assert_eq!(quantity(amount, &config), problem, "{amount:?}");
    }
    for amount in [
        "0", "0.0", "-0", "-1", "+1", "1e3", "1E-3", "1,5", "1.000,5", "1 000", ".5", "5.", "$5",
        "five",
    ] {
        let problem = Err(FormProblem::AmountInvalid);
        assert_eq!(quantity(amount, &config), problem, "{amount}");
    }
}

#[test]
fn a_decimal_comma_is_accepted_where_it_cannot_separate_thousands() {
    for (typed, amount) in [
        ("12,5", "12.5"),
        ("12,50", "12.50"),
        ("12.50", "12.50"),
        ("12", "12"),
        ("0,125", "0.125"),
        ("0.125", "0.125"),
        ("1500,125", "1500.125"),
        ("1,5000", "1.5000"),
    ] {
        assert_eq!(
            quantity(typed, &with_comma(&[])).as_deref(),
            Ok(amount),
            "{typed}"
        );
    }
    for typed in [
        "1,500",
        "1.500",
        "999,999",
        "1.000,5",
        "1,000.5",
        "1,000,000",
        "1.000.000",
        "1 000,5",
        ",5",
        "5,",
        "1,5e3",
        "12,5 ,",
        "0,0",
    ] {
        let problem = Err(FormProblem::AmountInvalid);
        assert_eq!(quantity(typed, &with_comma(&[])), problem, "{typed}");
    }
    // The shop's own amount is no text of the buyer.
    let preset = with_comma(&[("quantity", "1.500")]);
    assert_eq!(quantity("1.500", &preset).as_deref(), Ok("1.500"));
}

#[test]
fn an_email_needs_a_user_and_a_host() {
    let config = config(&[("ask", "email")]);
    let problem = |email: &str| {
        let form = Form {
            email: email.to_owned(),
            ..filled()
        };
        form.request(&config).err()
    };
    for email in [
        "a@b",
        "first.last+tag@sub.example.com",
        "\"a@b\"@example.com",
        "ü@müller.example",
    ] {
        assert_eq!(problem(email), None, "{email}");
    }
    for email in [
        "a",
        "@b",
        "a@",
        "@",
        "a b@example.com",
        "a@exam ple.com",
        "a@b\nc",
    ] {
        assert_eq!(problem(email), Some(FormProblem::EmailInvalid), "{email}");
    }
}

#[test]
fn each_submit_with_a_problem_is_another_one() {
    let mut checkout = Checkout::choosing(config(&[("ask", "name!")]));
    for submits in 1..=2 {
        assert_eq!(checkout.submit("first"), None);
        let form = checkout.form();
        assert_eq!(
            (form.problem, form.submits),
            (Some(FormProblem::NoToken), submits)
        );
    }
}

proptest! {
    #[test]
    fn any_typed_text_is_a_request_with_exactly_that_amount_or_a_problem(
        typed in prop_oneof![any::<String>(), r" ?[0-9]{1,6}([.,][0-9]{0,9})?([.,][0-9]{0,3})?(e[0-9])? ?"],
        separator in prop_oneof![Just(DecimalSeparator::Point), Just(DecimalSeparator::Comma)],
        email: String,
        name: String,
    ) {
        let mut config = config(&[("item-number", "0"), ("quantity", "5"), ("ask", "email name!")]);
        config.decimal_separator = separator;
        let form = Form { amount: typed.clone(), email, name, ..filled() };
        if let Ok(request) = form.request(&config) {
            let sent = serde_json::to_string(&request).unwrap();
            let typed = typed.trim();
            prop_assert!(typed.matches(['.', ',']).count() <= 1, "{}", typed);
            prop_assert!(separator == DecimalSeparator::Comma || !typed.contains(','), "{}", typed);
            let typed = typed.replace(',', ".");
            prop_assert!(sent.contains(&format!(r#""quantity":{typed},"#)), "{} {}", typed, sent);
        }
    }
}
