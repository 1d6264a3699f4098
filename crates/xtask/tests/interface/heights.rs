//! The height of the card: each place that has one agrees with the formula in the guide, which a test in the browser compares with
//! the form (`the_form_is_as_high_as_the_guide_says`).

use super::{CHECKOUT, PLAYGROUND, part};

/// The height for this many tokens, by the guide.
fn height(tokens: usize) -> usize {
    let formula = part(CHECKOUT.guide, "avoids layout shifts: ", " for each token");
    let (others, token) = formula.split_once(" plus ").unwrap();
    pixels(others) + tokens * pixels(token)
}

fn pixels(length: &str) -> usize {
    length.trim().strip_suffix("px").unwrap().parse().unwrap()
}

#[test]
fn each_height_of_the_card_is_that_of_the_guide() {
    // The default fits six.
    for (path, before, after) in [
        (CHECKOUT.guide, "| `--tender-min-height` | `", "`"),
        ("style/checkout.css", "var(--tender-min-height, ", ")"),
        (
            &format!("{PLAYGROUND}.rs"),
            "(\"--tender-min-height\", \"",
            "\"",
        ),
    ] {
        assert_eq!(pixels(&part(path, before, after)), height(6), "{path}");
    }
    let sheet = "shop/shop.css";
    let offered = part(sheet, "tender-checkout[accept=\"", "\"]");
    let offered = offered.split(' ').count();
    let lower = part(sheet, "--tender-min-height: ", ";");
    assert_eq!(pixels(&lower), height(offered), "{sheet}");
}
