//! A goal and what was reached.

use std::fmt;

use crate::figures::Figures;

pub(super) struct Goal {
    pub(super) what: String,
    /// The largest figure that meets the goal.
    pub(super) limit: f64,
    /// With a space before it; empty for numbers without a unit.
    pub(super) unit: &'static str,
    pub(super) judged_by: Judge,
    pub(super) reached: Figures,
}

/// The figure that must not be above the limit.
#[derive(Clone, Copy)]
pub(super) enum Judge {
    Median,
    /// The largest, for what must never happen.
    Largest,
}

impl Goal {
    fn is_met(&self) -> bool {
        let reached = match self.judged_by {
            Judge::Median => self.reached.median(),
            Judge::Largest => self.reached.largest(),
        };
        reached <= self.limit
    }
}

/// A row of the table.
impl fmt::Display for Goal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what,
            limit,
            unit,
            judged_by,
            reached,
        } = self;
        let places = match (unit.is_empty(), *limit > 0.0) {
            (true, true) => 2,
            // What must be zero is small.
            (true, false) => 4,
            (false, _) => 1,
        };
        let scope = match judged_by {
            Judge::Median => "",
            Judge::Largest => " in each round",
        };
        let verdict = if self.is_met() { "met" } else { "missed" };
        write!(
            formatter,
            "| {what} | {limit}{unit}{scope} | {reached:.places$} | {verdict} |"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goal(limit: f64, judged_by: Judge, reached: [f64; 3]) -> Goal {
        Goal {
            what: "tasks".to_owned(),
            limit,
            unit: "",
            judged_by,
            reached: reached.into_iter().collect(),
        }
    }

    #[test]
    fn a_goal_is_judged_by_the_median_or_by_each_round() {
        let reached = [0.9, 1.04, 1.2];
        assert_eq!(
            goal(1.04, Judge::Median, reached).to_string(),
            "| tasks | 1.04 | 1.04 (0.90 to 1.20) | met |"
        );
        assert_eq!(
            goal(1.04, Judge::Largest, reached).to_string(),
            "| tasks | 1.04 in each round | 1.04 (0.90 to 1.20) | missed |"
        );
    }

    #[test]
    fn the_smallest_layout_shift_is_shown_and_misses_the_goal() {
        assert_eq!(
            goal(0.0, Judge::Largest, [0.0, 0.0, 0.0004]).to_string(),
            "| tasks | 0 in each round | 0.0000 (0.0000 to 0.0004) | missed |"
        );
    }
}
