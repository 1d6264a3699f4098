//! Holds the state diagram in `docs/ARCHITECTURE.md` equal to the rules.

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use strum::VariantArray as _;
    use tender_ledger::{
        Asked, Cancelled, Created, Evidence, Found, Goal, Listed, OrderFacts, OrderMoney,
        PaymentFate, Requester, Stage, decide,
    };

    const ARCHITECTURE: &str = include_str!("../../../docs/ARCHITECTURE.md");

    fn stages() -> Vec<Stage<u8>> {
        vec![
            Stage::Requested(Asked::First),
            Stage::Requested(Asked::Unanswered),
            Stage::Created(1),
            Stage::Cancelling(1, Asked::First),
            Stage::Cancelling(1, Asked::Unanswered),
            Stage::Cancelling(1, Asked::Answered),
            Stage::Ended(Some(1)),
            Stage::Ended(None),
            Stage::Contradictory(1),
            Stage::Refused,
        ]
    }

    fn all_facts() -> Vec<OrderFacts> {
        let endings = PaymentFate::VARIANTS
            .iter()
            .copied()
            .map(Some)
            .chain([None]);
        let facts = |fate| {
            [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|bits| OrderFacts {
                fate,
                has_moved: bits & 1 > 0,
                is_marked: bits & 2 > 0,
                order: (bits & 4 > 0).then_some(OrderMoney::Seen),
                is_contradicted: bits & 8 > 0,
            })
        };
        endings.flat_map(facts).collect()
    }

    fn goals() -> Vec<Goal<u8>> {
        vec![
            Goal::Create,
            Goal::Replace(None),
            Goal::Replace(Some(1)),
            Goal::Find,
            Goal::Cancel(Requester::Buyer),
            Goal::Cancel(Requester::Merchant),
            Goal::Release,
        ]
    }

    /// All evidence, with the words of the diagram.
    fn evidence() -> Vec<(Evidence<u8>, &'static str)> {
        let listed = Listed::VARIANTS.iter().flat_map(|listed| {
            [Evidence::Listed(*listed), Evidence::Confirmed(*listed)]
                .map(|evidence| (evidence, "the list"))
        });
        let cancelled = Cancelled::VARIANTS.iter();
        let cancelled = cancelled.map(|answer| (Evidence::Cancelled(*answer), "the response"));
        let created = [
            Created::Payment(1),
            Created::Contradictory(1),
            Created::Nothing,
            Created::Unclear,
        ];
        let created = created.map(|answer| (Evidence::Created(answer), "the response"));
        let searched = [Found::One(1), Found::Nothing, Found::Unclear];
        let searched = searched.map(|found| (Evidence::Searched(found), "a search"));
        [(Evidence::Resumed, "the request")]
            .into_iter()
            .chain(listed)
            .chain(cancelled)
            .chain(created)
            .chain(searched)
            .collect()
    }

    #[test]
    fn the_diagram_is_that_of_the_rules() {
        let mut edges = BTreeMap::<_, BTreeSet<_>>::new();
        for stage in stages() {
            for facts in all_facts() {
                for goal in goals() {
                    for (evidence, word) in evidence() {
                        let word = match (&goal, &evidence) {
                            (Goal::Release, Evidence::Resumed) => "the merchant releases the order",
                            // A release ends with its first answer.
                            (Goal::Release, _) => continue,
                            _ => word,
                        };
                        let (after, _) = decide(&stage, facts, &goal, &evidence);
                        let [from, to] = [&stage, &after].map(<&str>::from);
                        if from != to {
                            edges.entry((from, to)).or_default().insert(word);
                        }
                    }
                }
            }
        }
        let line = |((from, to), words): (&(&str, &str), &BTreeSet<&str>)| {
            let words = words.iter().copied().collect::<Vec<_>>().join(", ");
            format!("    {from} --> {to}: {words}\n")
        };
        let lines: String = edges.iter().map(line).collect();
        let diagram = format!("stateDiagram-v2\n    [*] --> requested\n{lines}```\n");
        assert!(ARCHITECTURE.contains(&diagram), "{diagram}");
    }
}
