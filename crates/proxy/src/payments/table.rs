//! A table as text.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Between two columns.
const GAP: &str = "  ";

/// A text is not made shorter than this.
const SHORTEST: usize = 12;

/// A column: its title, and what may become of it.
pub(super) struct Column {
    pub(super) title: &'static str,
    pub(super) right: bool,
    pub(super) when_narrow: WhenNarrow,
}

/// What becomes of a column where the terminal is too narrow for all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WhenNarrow {
    Stays,
    /// Its texts end with `…`.
    Shortens,
    /// It is left out, the first one in this order first.
    Leaves(u8),
}

/// Rows of cells, one cell for each column.
pub(super) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(columns: Vec<Column>, rows: Vec<Vec<String>>) -> Self {
        Self { columns, rows }
    }

    /// The table as text, in a terminal of that width, and the titles of the columns that it is too
    /// narrow for. Without a width, everything is there.
    pub(super) fn text(mut self, width: Option<usize>) -> (String, Vec<&'static str>) {
        let mut left_out = Vec::new();
        while let Some(place) = self
            .too_wide(width)
            .then(|| self.first_to_leave())
            .flatten()
        {
            left_out.push(self.columns.remove(place).title);
            for row in &mut self.rows {
                row.remove(place);
            }
        }
        if let Some(width) = width {
            self.shorten(width);
        }
        let widths = self.widths();
        let titles: Vec<_> = self.columns.iter().map(|column| column.title).collect();
        let mut text = self.line(titles.iter().copied(), &widths);
        for row in &self.rows {
            text.push_str(&self.line(row.iter().map(String::as_str), &widths));
        }
        (text, left_out)
    }

    fn too_wide(&self, width: Option<usize>) -> bool {
        width.is_some_and(|width| total(&self.widths()) > width && !self.can_be_shortened(width))
    }

    fn can_be_shortened(&self, width: usize) -> bool {
        let widths = self.widths();
        let spare =
            self.columns
                .iter()
                .zip(&widths)
                .map(|(column, width)| match column.when_narrow {
                    WhenNarrow::Shortens => width.saturating_sub(SHORTEST),
                    _ => 0,
                });
        total(&widths).saturating_sub(spare.sum()) <= width
    }

    fn first_to_leave(&self) -> Option<usize> {
        let order = |column: &Column| match column.when_narrow {
            WhenNarrow::Leaves(order) => Some(order),
            _ => None,
        };
        let leaving = self.columns.iter().enumerate();
        let leaving = leaving.filter_map(|(place, column)| Some((order(column)?, place)));
        leaving.min().map(|(_, place)| place)
    }

    fn shorten(&mut self, width: usize) {
        for place in 0..self.columns.len() {
            let widths = self.widths();
            let over = total(&widths).saturating_sub(width);
            let shortens = |column: &Column| column.when_narrow == WhenNarrow::Shortens;
            if over == 0 || !self.columns.get(place).is_some_and(shortens) {
                continue;
            }
            let own = widths.get(place).copied().unwrap_or_default();
            let most = own.saturating_sub(over).max(SHORTEST);
            for cell in self.rows.iter_mut().filter_map(|row| row.get_mut(place)) {
                *cell = shortened(cell, most);
            }
        }
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<_> = self
            .columns
            .iter()
            .map(|column| column.title.width())
            .collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.width());
            }
        }
        widths
    }

    fn line<'a>(&self, cells: impl Iterator<Item = &'a str>, widths: &[usize]) -> String {
        let cells = cells.zip(widths).zip(&self.columns);
        let cells = cells.map(|((cell, width), column)| {
            let blank = " ".repeat(width.saturating_sub(cell.width()));
            if column.right {
                format!("{blank}{cell}")
            } else {
                format!("{cell}{blank}")
            }
        });
        let line = cells.collect::<Vec<_>>().join(GAP);
        format!("{}\n", line.trim_end())
    }
}

fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1)
}

/// The beginning of a text that is wider.
fn shortened(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    let mut width = 0;
    let fits = |character: &char| {
        width += character.width().unwrap_or(0);
        width < most
    };
    let beginning: String = text.chars().take_while(fits).collect();
    format!("{beginning}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let column = |title, right, when_narrow| Column {
            title,
            right,
            when_narrow,
        };
        let columns = vec![
            column("id", false, WhenNarrow::Stays),
            column("amount", true, WhenNarrow::Stays),
            column("buyer", false, WhenNarrow::Shortens),
            column("date", false, WhenNarrow::Leaves(2)),
            column("dollars", true, WhenNarrow::Leaves(1)),
        ];
        let rows = [
            ["a", "1.10", "Ada Lovelace of London", "2026/11/21", "3"],
            ["bb", "20.000001", "李雷", "2026/11/21", "10.5"],
        ];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        Table::new(columns, rows.to_vec())
    }

    #[test]
    fn without_a_terminal_everything_is_there() {
        let expected = "\
id     amount  buyer                   date        dollars
a        1.10  Ada Lovelace of London  2026/11/21        3
bb  20.000001  李雷                    2026/11/21     10.5
";
        assert_eq!(table().text(None), (expected.to_owned(), vec![]));
        assert_eq!(table().text(Some(58)), (expected.to_owned(), vec![]));
    }

    #[test]
    fn a_narrow_terminal_shows_less_and_amounts_whole() {
        let (text, left_out) = table().text(Some(50));
        let expected = "\
id     amount  buyer           date        dollars
a        1.10  Ada Lovelace …  2026/11/21        3
bb  20.000001  李雷            2026/11/21     10.5
";
        assert_eq!((&*text, left_out), (expected, vec![]));
        let (text, left_out) = table().text(Some(40));
        assert!(
            text.contains("2026/11/21") && !text.contains("10.5"),
            "{text}"
        );
        assert_eq!(left_out, ["dollars"]);
        let (text, left_out) = table().text(Some(10));
        assert!(text.contains("a        1.10  Ada Lovelac…\n"), "{text}");
        assert_eq!(left_out, ["dollars", "date"]);
    }
}
