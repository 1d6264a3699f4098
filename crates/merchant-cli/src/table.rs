//! Text tables.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The gap between two columns.
const GAP: &str = "  ";

/// The minimum width of a truncated text.
const MIN_WIDTH: usize = 12;

/// A column: its title, whether its cells are aligned to the right, and what happens to it in a narrow terminal.
pub(crate) type Column = (&'static str, bool, WhenNarrow);

/// What happens to a column if the terminal is too narrow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhenNarrow {
    Keep,
    /// Truncates its texts with `…`.
    Truncate,
    /// Hides the column; the lowest number is hidden first.
    Hide(u8),
}

/// Rows of cells, with one cell per column.
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: &[Column], rows: Vec<Vec<String>>) -> Self {
        let columns = columns.to_vec();
        Self { columns, rows }
    }

    /// Formats the table for a terminal of this width. Also returns the titles of the hidden
    /// columns. Without a width, nothing is hidden or truncated.
    pub(crate) fn text(mut self, width: Option<usize>) -> (String, Vec<&'static str>) {
        let mut hidden = Vec::new();
        while let Some(index) = self.too_wide(width).then(|| self.next_to_hide()).flatten() {
            let (title, ..) = self.columns.remove(index);
            hidden.push(title);
            for row in &mut self.rows {
                row.remove(index);
            }
        }
        if let Some(width) = width {
            self.truncate(width);
        }
        let widths = self.widths();
        let titles: Vec<_> = self.columns.iter().map(|(title, ..)| *title).collect();
        let mut text = self.line(titles.iter().copied(), &widths);
        for row in &self.rows {
            text.push_str(&self.line(row.iter().map(String::as_str), &widths));
        }
        (text, hidden)
    }

    fn too_wide(&self, width: Option<usize>) -> bool {
        width.is_some_and(|width| total(&self.widths()) > width && !self.can_be_truncated(width))
    }

    fn can_be_truncated(&self, width: usize) -> bool {
        let widths = self.widths();
        let spare = self
            .columns
            .iter()
            .zip(&widths)
            .map(|((.., when_narrow), width)| match when_narrow {
                WhenNarrow::Truncate => width.saturating_sub(MIN_WIDTH),
                _ => 0,
            });
        total(&widths).saturating_sub(spare.sum()) <= width
    }

    fn next_to_hide(&self) -> Option<usize> {
        let order = |(.., when_narrow): &Column| match when_narrow {
            WhenNarrow::Hide(order) => Some(*order),
            _ => None,
        };
        let hideable = self.columns.iter().enumerate();
        let hideable = hideable.filter_map(|(index, column)| Some((order(column)?, index)));
        hideable.min().map(|(_, index)| index)
    }

    fn truncate(&mut self, width: usize) {
        for index in 0..self.columns.len() {
            let widths = self.widths();
            let over = total(&widths).saturating_sub(width);
            let truncates = |(.., when_narrow): &Column| *when_narrow == WhenNarrow::Truncate;
            if over == 0 || !self.columns.get(index).is_some_and(truncates) {
                continue;
            }
            let own = widths.get(index).copied().unwrap_or_default();
            let most = own.saturating_sub(over).max(MIN_WIDTH);
            for cell in self.rows.iter_mut().filter_map(|row| row.get_mut(index)) {
                *cell = truncated(cell, most);
            }
        }
    }

    fn widths(&self) -> Vec<usize> {
        let titles = self.columns.iter();
        let mut widths: Vec<_> = titles.map(|(title, ..)| title.width()).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.width());
            }
        }
        widths
    }

    fn line<'a>(&self, cells: impl Iterator<Item = &'a str>, widths: &[usize]) -> String {
        let cells = cells.zip(widths).zip(&self.columns);
        let cells = cells.map(|((cell, width), (_, right, _))| {
            let blank = " ".repeat(width.saturating_sub(cell.width()));
            if *right {
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

/// Truncates a text that is too wide.
fn truncated(text: &str, most: usize) -> String {
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
        let columns = [
            ("id", false, WhenNarrow::Keep),
            ("amount", true, WhenNarrow::Keep),
            ("buyer", false, WhenNarrow::Truncate),
            ("date", false, WhenNarrow::Hide(2)),
            ("dollars", true, WhenNarrow::Hide(1)),
        ];
        let rows = [
            ["a", "1.10", "Ada Lovelace of London", "2026/11/21", "3"],
            ["bb", "20.000001", "李雷", "2026/11/21", "10.5"],
        ];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        Table::new(&columns, rows.to_vec())
    }

    #[test]
    fn without_a_terminal_nothing_is_hidden() {
        let expected = "\
id     amount  buyer                   date        dollars
a        1.10  Ada Lovelace of London  2026/11/21        3
bb  20.000001  李雷                    2026/11/21     10.5
";
        assert_eq!(table().text(None), (expected.to_owned(), vec![]));
        assert_eq!(table().text(Some(58)), (expected.to_owned(), vec![]));
    }

    #[test]
    fn a_narrow_terminal_hides_columns_but_keeps_amounts() {
        let (text, hidden) = table().text(Some(50));
        let expected = "\
id     amount  buyer           date        dollars
a        1.10  Ada Lovelace …  2026/11/21        3
bb  20.000001  李雷            2026/11/21     10.5
";
        assert_eq!((&*text, hidden), (expected, vec![]));
        let (text, hidden) = table().text(Some(40));
        assert!(
            text.contains("2026/11/21") && !text.contains("10.5"),
            "{text}"
        );
        assert_eq!(hidden, ["dollars"]);
        let (text, hidden) = table().text(Some(10));
        assert!(text.contains("a        1.10  Ada Lovelac…\n"), "{text}");
        assert_eq!(hidden, ["dollars", "date"]);
    }
}
