//! What records of the service say: of a known payment, of a response, and of a list that is searched.

#[cfg(test)]
mod tests {
    use tender_ledger::{
        Cancelled, Found, Listed, Mapping, Owner, Search, cancelled, contradiction, is_created,
        is_dated_before, is_same_status, is_valid_id, proves_refusal, sighting, transaction_id,
    };
    use tender_protocol::{CreatePayment, Payment, Record, TokenCode};

    fn with_status(id: &str, status: &str) -> String {
        format!(r#"{{"transactionId":"{id}","statusId":"7","statusText":"{status}"}}"#)
    }

    fn record(json: &str) -> Record {
        Record::parse(json, "a payment record").unwrap()
    }

    /// Records with these transactionIds and statuses.
    fn records(listed: &[(&str, &str)]) -> Vec<Record> {
        let texts = listed.iter().map(|(id, status)| with_status(id, status));
        texts.map(|text| record(&text)).collect()
    }

    fn mapping() -> Mapping {
        Mapping {
            closed: vec!["Expired".to_owned()],
            ..Mapping::default()
        }
    }

    /// The payment is "a", which was created as "New".
    #[test]
    fn a_payment_is_seen_in_the_list_if_it_has_one_status() {
        let created = record(&with_status("a", "New"));
        for (listed, expected) in [
            (vec![], Listed::Unclear),
            (vec![("b", "New")], Listed::Unclear),
            (vec![("a", "New")], Listed::Unchanged),
            (
                vec![("b", "Paid"), ("a", "New"), ("b", "New")],
                Listed::Unchanged,
            ),
            (vec![("a", "New"), ("a", "New")], Listed::Unchanged),
            (vec![("a", "New"), ("a", "Paid")], Listed::Unclear),
            (vec![("a", "Expired")], Listed::Closed),
            (vec![("a", "Paid")], Listed::Changed),
        ] {
            let records = records(&listed);
            let (seen, found) = sighting(&records, "a", &created, &mapping());
            assert_eq!(seen, expected, "{listed:?}");
            let id = found.and_then(|found| transaction_id(&found));
            let is_found = expected != Listed::Unclear;
            assert_eq!(id.as_deref(), is_found.then_some("a"), "{listed:?}");
        }
    }

    #[test]
    fn a_record_without_a_status_says_nothing() {
        let [none, new] = [
            r#"{"transactionId":"a","statusId":null}"#,
            &with_status("a", "New"),
        ]
        .map(record);
        let seen = |records: &[Record]| sighting(records, "a", &new, &mapping()).0;
        assert_eq!(seen(std::slice::from_ref(&none)), Listed::Unclear);
        assert_eq!(seen(&[none.clone(), new.clone()]), Listed::Unchanged);
    }

    #[test]
    fn a_documented_response_has_the_payment_no_further_than_cancelled() {
        let created = record(&with_status("a", "New"));
        for (listed, expected) in [
            (vec![("a", "New")], Cancelled::Documented),
            (vec![("b", "Paid"), ("a", "Expired")], Cancelled::Documented),
            (vec![("a", "New"), ("a", "Paid")], Cancelled::Odd),
            (vec![("a", "Paid")], Cancelled::Odd),
            (vec![("b", "New")], Cancelled::Odd),
            (vec![], Cancelled::Odd),
        ] {
            let records = records(&listed);
            let said = cancelled(&records, "a", &created, &mapping());
            assert_eq!(said, expected, "{listed:?}");
        }
    }

    #[test]
    fn only_statuses_about_the_request_itself_prove_a_refusal() {
        for status in [
            400, 401, 403, 404, 405, 411, 413, 414, 415, 417, 421, 422, 426, 428, 431,
        ] {
            assert!(proves_refusal(status), "{status}");
        }
        for status in [200, 302, 402, 408, 409, 425, 429, 499, 500, 502, 503, 504] {
            assert!(!proves_refusal(status), "{status}");
        }
    }

    fn request() -> CreatePayment {
        CreatePayment {
            token: TokenCode::from("usdtt"),
            quantity: "25".parse().unwrap(),
            payment_token: TokenCode::from("trx"),
            invoice_number: "INV-1".to_owned(),
            purchase_email: None,
            purchase_name: None,
            item_number: None,
        }
    }

    const EXACT: &str = r#"{"transactionId":"a","token":"USDT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-1","statusId":"1","statusText":"Created","wallet":"w","createdAt":"2026/11/20"}"#;

    /// What a search of these records finds, each with its owner, after 2026/11/18.
    fn found(is_signed: bool, records: &[(&str, Owner)]) -> Found<String> {
        found_for(&request(), is_signed, records)
    }

    fn found_for(
        request: &CreatePayment,
        is_signed: bool,
        records: &[(&str, Owner)],
    ) -> Found<String> {
        let mut search = Search::new(request, is_signed, false, "2026/11/18");
        for (json, owner) in records {
            let record = record(json);
            if search.concerns(&record) {
                search.add(&record, *owner);
            }
        }
        match search.found() {
            Ok(Some((id, _))) => Found::One(id),
            Ok(None) => Found::Nothing,
            Err(_) => Found::Unclear,
        }
    }

    #[test]
    fn a_payment_is_found_only_if_no_other_record_could_be_it() {
        let other = |from: &str, to: &str| {
            assert!(EXACT.contains(from), "{from}");
            EXACT.replace(from, to)
        };
        let second = other(r#""a""#, r#""b""#);
        let paid = other("Created", "Paid");
        let another_invoice = other("INV-1", "INV-2");
        let another_order = another_invoice.replace("25", "26");
        let old_with_another_invoice = another_invoice.replace("2026/11/20", "2026/11/17");
        let another_token = other(r#""TRX""#, r#""BTC""#);
        let unreadable = other("25", "[]");
        let no_invoice = r#"{"transactionId":"c","createdAt":"2026/11/20"}"#;
        let old_without_invoice = r#"{"transactionId":"c","createdAt":"2026/11/17"}"#;
        let free = Owner::None;
        let one = || Found::One("a".to_owned());
        for (records, expected) in [
            (vec![], Found::Nothing),
            (vec![(EXACT, free)], one()),
            (vec![(EXACT, Owner::Other)], Found::Nothing),
            (vec![(EXACT, Owner::Unclear)], Found::Unclear),
            (vec![(EXACT, free), (&*another_invoice, free)], one()),
            (vec![(&*another_invoice, free), (EXACT, free)], one()),
            // The service says that it lists invoice numbers as they were sent. If it doesn't, this is the payment.
            (vec![(&*another_invoice, free)], Found::Unclear),
            (vec![(&*another_invoice, Owner::Other)], Found::Nothing),
            (vec![(&*another_order, free)], Found::Nothing),
            (vec![(&*old_with_another_invoice, free)], Found::Nothing),
            // It has moved to the next page.
            (vec![(EXACT, free), (EXACT, free)], one()),
            (vec![(EXACT, free), (&*paid, free)], Found::Unclear),
            (vec![(EXACT, free), (&*second, free)], Found::Unclear),
            (vec![(EXACT, free), (&*second, Owner::Other)], one()),
            (vec![(&*paid, free)], Found::Unclear),
            (vec![(&*unreadable, free)], Found::Unclear),
            (vec![(no_invoice, free)], Found::Unclear),
            (vec![(old_without_invoice, free)], Found::Nothing),
        ] {
            for is_signed in [true, false] {
                assert_eq!(found(is_signed, &records), expected, "{records:?}");
            }
        }
        // In another form, with another status, or unreadable; alone, and before or after the exact one.
        for (from, to) in [
            ("INV-1", " inv-1 "),
            ("Created", "Cancelled"),
            (
                r#""statusId":"1","statusText":"Created""#,
                r#""statusId":null"#,
            ),
            (r#""w""#, r#""""#),
            (r#""w""#, "null"),
            (r#""a""#, "null"),
            (r#""a""#, "{}"),
            (r#""INV-1""#, r#""""#),
            (r#""INV-1""#, r#"{"number":"INV-1"}"#),
        ] {
            let doubtful = other(from, to);
            let (doubtful, exact) = ((&*doubtful, free), (EXACT, free));
            for records in [vec![doubtful], vec![exact, doubtful], vec![doubtful, exact]] {
                for is_signed in [true, false] {
                    assert_eq!(found(is_signed, &records), Found::Unclear, "{records:?}");
                }
            }
        }
        // Several buyers may use one invoice number without a signed order.
        let bought = other(
            r#""wallet""#,
            r#""purchaseEmail":"bob@shop.example","wallet""#,
        );
        let named = other(r#""wallet""#, r#""purchaseName":"Bob","wallet""#);
        let dearer = other(":25,", ":25.01,");
        let another_price = other(r#""USDT""#, r#""USDTE""#);
        for record in [another_token, bought, named, dearer, another_price] {
            let records = [(&*record, free)];
            assert_eq!(found(true, &records), Found::Unclear, "{record}");
            assert_eq!(found(false, &records), Found::Nothing, "{record}");
        }
        let request = request();
        let search = Search::new(&request, true, false, "2026/11/18");
        assert!(!search.concerns(&record(&another_order)));
    }

    #[test]
    fn a_payment_is_found_with_its_buyer_and_a_rounded_price() {
        let ada = EXACT.replace(
            r#""wallet""#,
            r#""purchaseEmail":"ada@shop.example","purchaseName":"Ada","wallet""#,
        );
        let rounded = EXACT.replace(":25,", ":25.12345679,");
        let precise = CreatePayment {
            quantity: "25.123456785".parse().unwrap(),
            ..request()
        };
        for (request, record) in [(bought(), ada), (precise, rounded)] {
            for is_signed in [true, false] {
                let found = found_for(&request, is_signed, &[(&record, Owner::None)]);
                assert_eq!(found, Found::One("a".to_owned()), "{record}");
            }
        }
    }

    /// The request that [`EXACT`] answers, with a buyer.
    fn bought() -> CreatePayment {
        CreatePayment {
            purchase_email: Some("ada@shop.example".to_owned()),
            purchase_name: Some("Ada".to_owned()),
            ..request()
        }
    }

    fn contradicts(request: &CreatePayment, json: &str) -> Option<&'static str> {
        contradiction(request, &Payment::try_from(&record(json)).unwrap())
    }

    #[test]
    fn an_answer_that_is_not_about_the_request_names_the_field() {
        let with_buyer = EXACT.replace(
            r#""wallet""#,
            r#""purchaseEmail":"ada@shop.example","purchaseName":"Ada","wallet""#,
        );
        assert_eq!(contradicts(&bought(), &with_buyer), None);
        // The service may omit the buyer and the invoice.
        assert_eq!(contradicts(&bought(), EXACT), None);
        let without_invoice = EXACT.replace(r#""invoiceNumber":"INV-1","#, "");
        assert_eq!(contradicts(&request(), &without_invoice), None);
        // It may write a value in another form.
        for (from, to) in [
            ("INV-1", " inv-1 "),
            (":25,", r#":"25.000","#),
            (r#""USDT""#, r#""USDTT""#),
            (r#""TRX""#, r#""Tron""#),
        ] {
            assert_eq!(
                contradicts(&request(), &EXACT.replacen(from, to, 1)),
                None,
                "{to}"
            );
        }
        for (from, to, field) in [
            ("INV-1", "INV-2", "invoiceNumber"),
            ("INV-1", "INV-10", "invoiceNumber"),
            (":25,", ":25.01,", "quantity"),
            (r#""USDT""#, r#""BTC""#, "token"),
            (r#""USDT""#, r#""USDTE""#, "token"),
            (r#""TRX""#, r#""BTC""#, "paymentToken"),
            (r#""TRX""#, r#""USDT""#, "paymentToken"),
            (r#""a""#, r#""a\n""#, "transactionId"),
            (":80,", ":0,", "quantityPay"),
            (":80,", ":-0.0,", "quantityPay"),
            ("ada@", "bob@", "purchaseEmail"),
            ("Ada", "Bob", "purchaseName"),
        ] {
            assert!(with_buyer.contains(from), "{from}");
            let answer = with_buyer.replacen(from, to, 1);
            assert_eq!(contradicts(&bought(), &answer), Some(field), "{answer}");
        }
    }

    #[test]
    fn the_payer_of_some_orders_chooses_the_amount() {
        let mut request = request();
        let chosen = EXACT.replace(":25,", ":7,").replace(":80,", ":0,");
        assert_eq!(contradicts(&request, &chosen), Some("quantity"));
        request.item_number = Some("0".to_owned());
        assert_eq!(contradicts(&request, &chosen), None);
    }

    #[test]
    fn only_a_date_in_the_documented_form_is_compared() {
        let dated = |date: &str| record(&format!(r#"{{"createdAt":"{date}"}}"#));
        assert!(is_dated_before(&dated("2026/11/17"), "2026/11/18"));
        for date in ["2026/11/18", "2026/11/19", "2026-11-17", "2026/11/1", ""] {
            assert!(!is_dated_before(&dated(date), "2026/11/18"), "{date}");
        }
        assert!(!is_dated_before(&record("{}"), "2026/11/18"));
    }

    #[test]
    fn white_space_around_a_status_means_nothing() {
        let [created, spaced, paid] = ["Created", " Created ", "Paid"]
            .map(|name| record(&format!(r#"{{"statusId":1,"statusText":"{name}"}}"#)));
        assert!(is_same_status(&created, &spaced) && !is_same_status(&created, &paid));
        assert!(is_created(&created) && is_created(&spaced) && !is_created(&paid));
    }

    #[test]
    fn an_id_is_short_and_printable() {
        for (id, is_valid) in [
            ("", false),
            ("a", true),
            (&*"a".repeat(256), true),
            (&*"a".repeat(257), false),
            (&*"é".repeat(129), false),
            ("é/?", true),
            ("a\nb", false),
            ("a\0b", false),
            ("a\u{85}", false),
        ] {
            assert_eq!(is_valid_id(id), is_valid, "{id:?}");
        }
    }
}
