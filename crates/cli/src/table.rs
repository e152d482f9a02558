//! Rows as text, in columns.

/// A head and rows as lines, every column as wide as its widest cell, the last one free.
pub(crate) fn text<const N: usize>(head: &[String; N], rows: &[[String; N]]) -> String {
    let all = || std::iter::once(head).chain(rows);
    let width = |column: usize| all().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..N).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(&widths);
        let cells = cells.map(|(cell, &width)| format!("{cell:width$}"));
        let cells: Vec<String> = cells.collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    all().map(line).collect()
}
