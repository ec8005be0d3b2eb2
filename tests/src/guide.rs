//! Pages of the guide, whose blocks of code are put into users' projects as they are there.

use crate::{read, root};

/// The text of a page of the guide, by its file below the guide's folder.
#[must_use]
pub fn page(name: &str) -> String {
    read(root().join("docs/src/guide").join(name).with_extension("md"))
}

/// Blocks of one language in one section of a page, in order; there is at least one.
#[must_use]
pub fn blocks(name: &str, section: &str, language: &str) -> Vec<String> {
    let page = page(name);
    let heading = format!("\n## {section}\n");
    let text = page.split_once(&heading).unwrap_or_else(|| panic!("no section {section}")).1;
    let text = text.split("\n## ").next().unwrap_or(text);
    let fence = format!("```{language}\n");
    let blocks: Vec<_> = text
        .split(&fence)
        .skip(1)
        .map(|block| block.split("```").next().unwrap_or(block).to_owned())
        .collect();
    assert!(!blocks.is_empty(), "no {language} in {section}");
    blocks
}

/// The one block of a language in a section of a page.
#[must_use]
pub fn block(name: &str, section: &str, language: &str) -> String {
    let mut blocks = blocks(name, section, language);
    assert_eq!(blocks.len(), 1, "{section}: {blocks:?}");
    blocks.remove(0)
}
