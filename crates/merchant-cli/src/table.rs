//! Text tables.

use tender_protocol::sanitize;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The gap between two columns.
const GAP: &str = "  ";

/// The minimum width of a truncated text.
const MIN_WIDTH: usize = 12;

/// What happens to a column if the terminal is too narrow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhenNarrow {
    Keep,
    /// Truncates its texts with `…`.
    Truncate,
    /// Hides the column; the lowest number is hidden first.
    Hide(u8),
}

struct Column {
    title: &'static str,
    is_right_aligned: bool,
    when_narrow: WhenNarrow,
    cells: Vec<String>,
}

impl Column {
    fn width(&self) -> usize {
        let cells = self.cells.iter().map(|cell| cell.width());
        cells.fold(self.title.width(), usize::max)
    }

    fn is_truncated(&self) -> bool {
        self.when_narrow == WhenNarrow::Truncate
    }
}

pub(crate) struct Table(Vec<Column>);

impl Table {
    /// A column has a title, whether its cells are aligned to the right, and what happens to it in a narrow terminal. A
    /// row has a cell for each. Characters that could mislead a reader are escaped.
    pub(crate) fn new(
        columns: &[(&'static str, bool, WhenNarrow)],
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Self {
        let column = |&(title, is_right_aligned, when_narrow)| Column {
            title,
            is_right_aligned,
            when_narrow,
            cells: Vec::new(),
        };
        let mut columns: Vec<_> = columns.iter().map(column).collect();
        for row in rows {
            for (column, cell) in columns.iter_mut().zip(row) {
                column.cells.push(sanitize(&cell));
            }
        }
        Self(columns)
    }

    /// Formats the table for a terminal of this width. Also returns the titles of the hidden
    /// columns. Without a width, nothing is hidden or truncated.
    pub(crate) fn text(mut self, width: Option<usize>) -> (String, Vec<&'static str>) {
        let hidden = width.map_or_else(Vec::new, |width| self.fit(width));
        let rows = self.0.first().map_or(0, |column| column.cells.len());
        let mut lines = vec![String::new(); 1 + rows];
        for column in &self.0 {
            let width = column.width();
            let cells = column.cells.iter().map(String::as_str);
            for (line, cell) in lines
                .iter_mut()
                .zip([column.title].into_iter().chain(cells))
            {
                let blank = " ".repeat(width.saturating_sub(cell.width()));
                line.extend(if column.is_right_aligned {
                    [&blank, cell, GAP]
                } else {
                    [cell, &blank, GAP]
                });
            }
        }
        let lines = lines.iter().map(|line| format!("{}\n", line.trim_end()));
        (lines.collect(), hidden)
    }

    /// Hides columns until the others can be truncated to this width, and truncates them. Returns the titles of those hidden.
    fn fit(&mut self, width: usize) -> Vec<&'static str> {
        let mut hidden = Vec::new();
        while self.over(width) > self.spare()
            && let Some(index) = self.next_to_hide()
        {
            hidden.push(self.0.remove(index).title);
        }
        let mut over = self.over(width);
        for column in self.0.iter_mut().filter(|column| column.is_truncated()) {
            let own = column.width();
            let most = own.saturating_sub(over).max(MIN_WIDTH);
            for cell in &mut column.cells {
                *cell = truncated(cell, most);
            }
            over = over.saturating_sub(own - column.width());
        }
        hidden
    }

    /// By how much the table is too wide.
    fn over(&self, width: usize) -> usize {
        let widths: usize = self.0.iter().map(Column::width).sum();
        let gaps = GAP.len() * self.0.len().saturating_sub(1);
        (widths + gaps).saturating_sub(width)
    }

    /// By how much its texts can be truncated.
    fn spare(&self) -> usize {
        let truncated = self.0.iter().filter(|column| column.is_truncated());
        truncated
            .map(|column| column.width().saturating_sub(MIN_WIDTH))
            .sum()
    }

    fn next_to_hide(&self) -> Option<usize> {
        let columns = self.0.iter().enumerate();
        let hideable = columns.filter_map(|(index, column)| match column.when_narrow {
            WhenNarrow::Hide(order) => Some((order, index)),
            _ => None,
        });
        hideable.min().map(|(_, index)| index)
    }
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
        Table::new(&columns, rows.map(|row| row.map(str::to_owned).to_vec()))
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
