//! Medians and their spread, and the goals that they are compared with.

use std::fmt;

/// Measurements of one quantity, in one unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures(Vec<f64>);

impl Figures {
    pub(crate) fn add(&mut self, figure: f64) {
        self.0.push(figure);
        self.0.sort_by(f64::total_cmp);
    }

    /// The median; of two middle values, the lower one.
    pub(crate) fn median(&self) -> f64 {
        let middle = self.0.len().saturating_sub(1) / 2;
        self.0.get(middle).copied().unwrap_or_default()
    }

    pub(crate) fn largest(&self) -> f64 {
        self.bounds().1
    }

    fn bounds(&self) -> (f64, f64) {
        let first = self.0.first().copied().unwrap_or_default();
        (first, self.0.last().copied().unwrap_or_default())
    }
}

impl FromIterator<f64> for Figures {
    fn from_iter<T: IntoIterator<Item = f64>>(figures: T) -> Self {
        let mut all = Self::default();
        figures.into_iter().for_each(|figure| all.add(figure));
        all
    }
}

/// The ratios of values that were measured in the same round, because a temporary slowdown of the
/// machine affects both.
pub(crate) fn ratios(ours: &[f64], others: &[f64]) -> Figures {
    ours.iter()
        .zip(others)
        .map(|(our, other)| our / other)
        .collect()
}

/// Formats as `1234 (1200 to 1250)`, with the formatter's precision.
impl fmt::Display for Figures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = formatter.precision().unwrap_or(0);
        let (low, high) = self.bounds();
        let median = self.median();
        write!(
            formatter,
            "{median:.places$} ({low:.places$} to {high:.places$})"
        )
    }
}

/// Rows of goals, as Markdown.
#[derive(Default)]
pub(crate) struct Goals(Vec<String>);

impl Goals {
    pub(crate) fn add(
        &mut self,
        what: impl fmt::Display,
        goal: impl fmt::Display,
        reached: impl fmt::Display,
        is_met: bool,
    ) {
        let verdict = if is_met { "met" } else { "missed" };
        self.0
            .push(format!("| {what} | {goal} | {reached} | {verdict} |\n"));
    }
}

impl fmt::Display for Goals {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        let heading = "#### The goals\n\n| | goal | reached | |\n|---|--:|--:|---|";
        write!(formatter, "\n{heading}\n{}", self.0.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_does_not_depend_on_the_order() {
        let mut figures = Figures::default();
        for figure in [5.0, 1.0, 9.0, 3.0] {
            figures.add(figure);
        }
        assert_eq!(format!("{figures:.1}"), "3.0 (1.0 to 9.0)");
        figures.add(4.0);
        assert_eq!(format!("{figures}"), "4 (1 to 9)");
    }

    #[test]
    fn ratios_compare_figures_of_the_same_round() {
        // In the second round the machine was ten times slower for both.
        let ratios = ratios(&[1.0, 10.0, 1.5], &[2.0, 20.0, 2.0]);
        assert_eq!(format!("{ratios:.2}"), "0.50 (0.50 to 0.75)");
    }
}
