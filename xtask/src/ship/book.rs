//! `cargo xtask docs`: builds the book as web pages, which need no network, with one version of mdBook.
//!
//! Links that lead out of the book, to sources of the project, are removed there: the page names the file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::command::{run_quiet, run_with_output};
use crate::sdk;

/// The version of mdBook: another one creates other pages.
const MDBOOK: &str = "0.5.4";

/// Builds the book from the sources in `root` in the folder `out`, which is emptied first.
///
/// # Errors
/// mdBook cannot be installed, it fails, or a link of a page is broken.
pub fn build(root: &Path, out: &Path) -> Result<()> {
    let program = mdbook()?;
    let pages = tempfile::tempdir().context("no folder for the pages")?;
    sdk::copy(&root.join("docs"), pages.path())?;
    keep_inside(&pages.path().join("src"), Path::new(""))?;
    if out.exists() {
        fs::remove_dir_all(out).with_context(|| format!("cannot remove {}", out.display()))?;
    }
    let out = std::path::absolute(out)?;
    run_quiet(Command::new(program).arg("build").arg(pages.path()).arg("-d").arg(&out))?;
    let count = check_links(&out)?;
    ensure!(count > 100, "only {count} links in {}", out.display());
    Ok(())
}

/// Where mdBook is; installed below `target/tools` if it is not there yet.
fn mdbook() -> Result<PathBuf> {
    let folder = crate::workspace_root().join("target/tools").join(format!("mdbook-{MDBOOK}"));
    let program = folder.join("bin/mdbook");
    if !program.is_file() {
        eprintln!("Installing mdBook {MDBOOK} into {}", folder.display());
        let mut cargo = Command::new("cargo");
        cargo.args(["install", "mdbook", "--locked", "--version", &format!("={MDBOOK}")]);
        cargo.args(["--no-default-features", "--features", "search", "--root"]).arg(&folder);
        // Separate from the project's own build.
        cargo.arg("--target-dir").arg(folder.join("build"));
        run_with_output(&mut cargo)?;
        fs::remove_dir_all(folder.join("build"))
            .context("cannot remove what mdBook was built of")?;
    }
    Ok(program)
}

/// Names the files that links of pages lead to outside of the book. `inside` is where the pages are in it.
fn keep_inside(folder: &Path, inside: &Path) -> Result<()> {
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        let entry = entry?;
        let path = entry.path();
        if path.is_dir() {
            keep_inside(&path, &inside.join(entry.file_name()))?;
        } else if path.extension().is_some_and(|it| it == "md") {
            let text = fs::read_to_string(&path)?;
            fs::write(&path, without_links_out(&text, inside.components().count()))?;
        }
    }
    Ok(())
}

/// Returns a page, this many folders deep in the book, without links out of the book.
fn without_links_out(page: &str, depth: usize) -> String {
    // Out of the book, which is `docs/src`.
    let up = "../".repeat(depth + 2);
    let mut out = String::new();
    let mut rest = page;
    while let Some((before, link)) = rest.split_once(&format!("]({up}")) {
        let Some((path, after)) = link.split_once(')') else { break };
        let text = before.rfind('[').unwrap_or(before.len());
        let (before, text) = before.split_at(text);
        out.push_str(before);
        out.push_str(text.strip_prefix('[').unwrap_or(text));
        out.push_str(&format!(" (`{path}`)"));
        rest = after;
    }
    out + rest
}

/// Checks the target of each link of each page; returns their number.
fn check_links(out: &Path) -> Result<usize> {
    let mut count = 0;
    let mut folders = vec![out.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            // The error page is shown from any address; the others are by their own places.
            let is_page = path.extension().is_some_and(|it| it == "html");
            if !is_page || path.ends_with("404.html") || path.ends_with("print.html") {
                continue;
            }
            let text = fs::read_to_string(&path)?;
            for link in links(&text) {
                let file = link.split(['#', '?']).next().unwrap_or_default();
                let is_there = file.is_empty() || folder.join(file).exists();
                ensure!(is_there, "{}: {link} leads nowhere", path.display());
                count += 1;
            }
        }
    }
    Ok(count)
}

/// Links of a page to other files of the book.
fn links(html: &str) -> impl Iterator<Item = &str> {
    let parts = [" href=\"", " src=\""].into_iter().flat_map(|it| html.split(it).skip(1));
    let links = parts.filter_map(|part| Some(part.split_once('"')?.0));
    links.filter(|link| !link.contains(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_out_of_the_book_is_named() {
        let page =
            "See [the ring](../../../port/tband_ring.h), [here](../a.md) and [`x`](../../../y.md).";
        let expected = "See the ring (`port/tband_ring.h`), [here](../a.md) and `x` (`y.md`).";
        assert_eq!(without_links_out(page, 1), expected);
        assert_eq!(without_links_out("[a](../../README.md)", 0), "a (`README.md`)");
    }

    #[test]
    fn a_link_that_leads_nowhere_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let page = |link: &str| {
            let text = format!("<a href=\"{link}\">a</a> <a href=\"https://x.org/y\">b</a>");
            fs::write(folder.path().join("index.html"), text).unwrap();
            check_links(folder.path())
        };
        assert_eq!(page("index.html#a").unwrap(), 1);
        assert!(page("gone.html").unwrap_err().to_string().contains("gone.html leads nowhere"));
    }
}
