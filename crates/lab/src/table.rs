//! Tables as data, and their printers: text for people, CSV and JSON for programs.

use serde_json::{Map, Value};

/// A table: a title, a head, rows as long as the head, and notes below.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Above the table; empty if there is nothing to say.
    pub title: String,
    /// The names of the columns.
    pub head: Vec<String>,
    /// The cells, row by row.
    pub rows: Vec<Vec<String>>,
    /// Below the table, a paragraph each.
    pub notes: Vec<String>,
}

impl Table {
    /// A table without title and notes.
    pub fn new<const N: usize>(
        head: [&str; N],
        rows: impl IntoIterator<Item = [String; N]>,
    ) -> Table {
        Table {
            title: String::new(),
            head: head.map(String::from).to_vec(),
            rows: rows.into_iter().map(Vec::from).collect(),
            notes: Vec::new(),
        }
    }

    /// All of it as text, empty lines between title, columns and notes.
    pub fn text(&self) -> String {
        let mut text = match self.title.is_empty() {
            true => String::new(),
            false => format!("{}\n\n", self.title),
        };
        text += &self.columns();
        for note in &self.notes {
            text += &format!("\n{note}\n");
        }
        text
    }

    /// Head and rows as lines, every column as wide as its widest cell, the last one free.
    pub fn columns(&self) -> String {
        let width = |column: usize| self.lines().map(|row| row[column].chars().count()).max();
        let widths = (0..self.head.len()).map(|column| width(column).unwrap_or(0));
        let widths: Vec<usize> = widths.collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths);
            let cells = cells.map(|(cell, &width)| format!("{cell:width$}"));
            let cells: Vec<String> = cells.collect();
            format!("{}\n", cells.join("  ").trim_end())
        };
        self.lines().map(line).collect()
    }

    /// Head and rows as CSV.
    pub fn csv(&self) -> String {
        let line = |row: &Vec<String>| {
            let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
            cells.join(",") + "\n"
        };
        self.lines().map(line).collect()
    }

    /// The rows as an array of objects, keyed by the head.
    pub fn json(&self) -> Value {
        let object = |row: &Vec<String>| -> Value {
            let cells = self.head.iter().cloned().zip(row.iter().cloned());
            let cells = cells.map(|(key, cell)| (key, Value::String(cell)));
            Value::Object(cells.collect::<Map<String, Value>>())
        };
        self.rows.iter().map(object).collect()
    }

    fn lines(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.head).chain(&self.rows)
    }
}

/// A cell of CSV, in quotes where it needs them.
fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let row = |cells: [&str; 2]| cells.map(String::from);
        let rows = [row(["nim", "a, \"b\""]), row(["hex", ""])];
        Table {
            title: "Games".to_string(),
            notes: vec!["2 games".to_string()],
            ..Table::new(["game", "roles"], rows)
        }
    }

    #[test]
    fn text_has_the_title_columns_and_notes() {
        let text = "Games\n\ngame  roles\nnim   a, \"b\"\nhex\n\n2 games\n";
        assert_eq!(table().text(), text);
    }

    #[test]
    fn csv_quotes_cells_that_need_it() {
        let csv = "game,roles\nnim,\"a, \"\"b\"\"\"\nhex,\n";
        assert_eq!(table().csv(), csv);
    }

    #[test]
    fn json_is_an_object_a_row() {
        let json = serde_json::json!([
            {"game": "nim", "roles": "a, \"b\""},
            {"game": "hex", "roles": ""}
        ]);
        assert_eq!(table().json(), json);
    }
}
