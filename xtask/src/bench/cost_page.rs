//! `docs/src/reference/cost.md`: each of its tables of measured numbers follows a line with its name, `<!-- bench: NAME -->`.
//! Benches write them, and tests compare them with their results.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// One table of the page.
#[derive(Clone, Debug)]
pub struct Table {
    /// As its mark has it.
    pub name: &'static str,
    /// Markdown, complete lines.
    pub text: String,
}

/// The page.
#[derive(Clone, Debug)]
pub struct CostPage {
    path: PathBuf,
    text: String,
}

impl CostPage {
    /// Reads it.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(root: &Path) -> Result<Self> {
        let path = root.join("docs/src/reference/cost.md");
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Self { path, text })
    }

    /// Returns the text, with its marks.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the table of a name begins and ends.
    fn place(&self, name: &str) -> Result<(usize, usize)> {
        let mark = format!("<!-- bench: {name} -->\n");
        let at = self.text.find(&mark);
        let at = at.with_context(|| format!("{} has no {}", self.path.display(), mark.trim()))?;
        let start = at + mark.len();
        // Markdown takes a table that is right after for part of the comment.
        let start = start + self.text[start..].len() - self.text[start..].trim_start().len();
        let rows = self.text[start..].split_inclusive('\n').take_while(|it| it.starts_with('|'));
        Ok((start, start + rows.map(str::len).sum::<usize>()))
    }

    /// Returns a table of the page.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn table(&self, name: &str) -> Result<&str> {
        let (start, end) = self.place(name)?;
        Ok(&self.text[start..end])
    }

    /// Replaces a table.
    ///
    /// # Errors
    /// As for [`table`](Self::table).
    pub fn put(&mut self, table: &Table) -> Result<()> {
        let (start, end) = self.place(table.name)?;
        self.text.replace_range(start..end, &table.text);
        Ok(())
    }

    /// Replaces the text in parentheses after `the same compilers`.
    ///
    /// # Errors
    /// The text is not found.
    pub fn put_compilers(&mut self, compilers: &str) -> Result<()> {
        let (start, end) = self.compilers_place()?;
        self.text.replace_range(start..end, compilers);
        Ok(())
    }

    /// The compilers whose numbers it has.
    ///
    /// # Errors
    /// It names none.
    pub fn compilers(&self) -> Result<&str> {
        let (start, end) = self.compilers_place()?;
        Ok(&self.text[start..end])
    }

    fn compilers_place(&self) -> Result<(usize, usize)> {
        const BEFORE: &str = "the same compilers (here ";
        let start = self.text.find(BEFORE).context("cost.md names no compilers")? + BEFORE.len();
        let len = self.text[start..].find(')').context("cost.md names no compilers")?;
        Ok((start, start + len))
    }

    /// Every table is as it was measured.
    ///
    /// # Errors
    /// One is not; the text has both.
    pub fn ensure_has(&self, tables: &[Table]) -> Result<()> {
        for table in tables {
            let there = self.table(table.name)?;
            ensure!(
                there == table.text,
                "{} does not contain the measured figures; `cargo xtask bench target --docs` writes them.\n\
                 {}, as it is there:\n{there}\nas it was measured:\n{}",
                self.path.display(),
                table.name,
                table.text,
            );
        }
        Ok(())
    }

    /// Returns a page with another text.
    #[cfg(test)]
    pub(super) fn with_text(&self, text: String) -> Self {
        Self { text, ..self.clone() }
    }

    /// Writes it back, and its figures into the page of the guide that quotes them.
    ///
    /// # Errors
    /// A file cannot be read or written; the page quotes a row that is not there.
    pub fn write(&self) -> Result<()> {
        fs::write(&self.path, &self.text)
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        let docs = self.path.parent().and_then(Path::parent).context("no folder")?;
        let path = docs.join("guide/recording/choosing.md");
        let page =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let quoted = self.quoted(&page).with_context(|| format!("in {}", path.display()))?;
        fs::write(&path, quoted).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Returns a page whose table after `<!-- cost: TABLE... -->` has the values of these tables: a row for each of their rows
    /// that it names, a column for each table.
    fn quoted(&self, page: &str) -> Result<String> {
        let (before, rest) = page.split_once("<!-- cost: ").context("nothing is quoted")?;
        let (names, rest) = rest.split_once(" -->").context("the mark has no end")?;
        let mut text = format!("{before}<!-- cost: {names} -->");
        let (mut rows, mut ended) = (0, false);
        for line in rest.split_inclusive('\n') {
            let is_row = !ended && line.starts_with('|');
            ended |= rows > 0 && !is_row;
            rows += usize::from(is_row);
            // The head and the line below it.
            if !is_row || rows <= 2 {
                text.push_str(line);
                continue;
            }
            let name = cells(line).next().unwrap_or_default();
            text.push_str(&format!("| {name} |"));
            for table in names.split(' ') {
                let found = self.table(table)?.lines().find(|row| cells(row).next() == Some(name));
                let value = found.and_then(|row| cells(row).nth(1));
                let value = value.with_context(|| format!("{table} has no row “{name}”"))?;
                text.push_str(&format!(" {value} |"));
            }
            text.push('\n');
        }
        Ok(text)
    }
}

/// Cells of a row.
pub(super) fn cells(row: &str) -> impl Iterator<Item = &str> {
    row.trim().trim_matches('|').split('|').map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> CostPage {
        CostPage { path: "cost.md".into(), text: text.into() }
    }

    #[test]
    fn a_table_is_what_comes_after_its_mark() {
        let text = "a\n\n<!-- bench: one -->\n\n| 1 |\n| 2 |\n\n<!-- bench: two -->\n\n| 3 |\n";
        let mut page = page(text);
        assert_eq!(page.table("one").unwrap(), "| 1 |\n| 2 |\n");
        assert_eq!(page.table("two").unwrap(), "| 3 |\n");
        let error = page.table("three").unwrap_err().to_string();
        assert!(error.contains("<!-- bench: three -->"), "{error}");
        let table = Table { name: "one", text: "| 4 |\n".into() };
        let error = page.ensure_has(std::slice::from_ref(&table)).unwrap_err().to_string();
        assert!(error.contains("| 2 |") && error.contains("| 4 |"), "{error}");
        page.put(&table).unwrap();
        assert!(page.ensure_has(&[table]).is_ok());
        assert_eq!(page.text, text.replace("| 1 |\n| 2 |\n", "| 4 |\n"));
    }

    #[test]
    fn other_pages_quote_rows() {
        let head = "| | m | b |\n|---|---|---|\n";
        let text = format!(
            "<!-- bench: a -->\n\n{head}| one | 1 | 9 |\n| two | 2 | 9 |\n\n<!-- bench: b -->\n\n{head}| two | 4 | 9 |\n"
        );
        let page = page(&text);
        let guide = "x\n<!-- cost: a b -->\n\n| | a | b |\n|---|---|---|\n| two | 0 | 0 |\n\ny\n| one | 7 |\n";
        assert_eq!(page.quoted(guide).unwrap(), guide.replace("| 0 | 0 |", "| 2 | 4 |"));
        let error = page.quoted(&guide.replace("two", "one")).unwrap_err().to_string();
        assert!(error.contains("b has no row “one”"), "{error}");
    }

    #[test]
    fn the_compilers_are_named_in_the_text() {
        let mut page = page("with the same compilers (here rustc 1.0 and\nGCC 2.0), and so on");
        assert_eq!(page.compilers().unwrap(), "rustc 1.0 and\nGCC 2.0");
        page.put_compilers("rustc 3.0 and GCC 4.0").unwrap();
        assert_eq!(page.text, "with the same compilers (here rustc 3.0 and GCC 4.0), and so on");
    }
}
