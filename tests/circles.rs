//! Neither files nor concepts import each other in a circle: a concept is a file or a folder right below `src`. No folder has
//! more files than a reader can survey.
//!
//! A folder's `mod.rs` and its other files count as one where files are compared, since methods of one type may be in several
//! files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use syn::visit::{self, Visit};
use tband_tests::{read, root, temp_dir, write};
use xtask::command::run_quiet;

const CRATES: [&str; 18] = [
    "tband-format",
    "tband-core",
    "tband-ffi",
    "tband-flux",
    "tband-flux/ffi",
    "tband-import",
    "tband-rust",
    "tband-conv",
    "tband-report",
    "tband-export",
    "tband-tables",
    "tband-query",
    "tband-rules",
    "tband-program",
    "tband-app",
    "tband-web",
    "host-cli",
    "xtask",
];

/// Files that a folder may have at one level.
const MANY: usize = 20;

/// Crates with a circle that is meant, between these and no others.
const MEANT: [(&str, &[&str]); 1] = [
    // An event and its decoder are generated in one place, from the entries of the registry.
    ("tband-format", &["decode", "registry"]),
];

/// A module by its path below the crate.
type Name = Vec<String>;

/// A module, as far as its imports go.
#[derive(Default)]
struct Module {
    /// The path of each name that it imports.
    imports: BTreeMap<String, Name>,
    /// Paths that it uses, from the root of the crate or, if the first segment is a child, from here.
    paths: BTreeSet<Name>,
}

/// Modules of a crate, by their files.
struct Crate {
    modules: BTreeMap<Name, Module>,
}

/// Collects the paths of one file.
struct Paths<'a> {
    at: &'a Name,
    module: Module,
}

impl Paths<'_> {
    /// From the root of the crate; nothing if it is another crate's.
    fn absolute(&self, path: &[String]) -> Name {
        let mut base = self.at.clone();
        let mut rest = path;
        match rest.first().map(String::as_str) {
            Some("crate") => {
                base.clear();
                rest = &rest[1..];
            }
            Some("self") => rest = &rest[1..],
            Some("super") => {
                while rest.first().is_some_and(|it| it == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
            }
            _ => {}
        }
        base.extend_from_slice(rest);
        base
    }

    fn imports(&mut self, before: &[String], tree: &syn::UseTree) {
        let mut path = before.to_vec();
        match tree {
            syn::UseTree::Path(it) => {
                path.push(it.ident.to_string());
                self.imports(&path, &it.tree);
            }
            syn::UseTree::Group(it) => it.items.iter().for_each(|tree| self.imports(before, tree)),
            syn::UseTree::Name(it) if it.ident == "self" => {
                let name = path.last().cloned().unwrap_or_default();
                self.import(name, &path);
            }
            syn::UseTree::Name(it) => {
                path.push(it.ident.to_string());
                self.import(it.ident.to_string(), &path);
            }
            syn::UseTree::Rename(it) => {
                path.push(it.ident.to_string());
                self.import(it.rename.to_string(), &path);
            }
            syn::UseTree::Glob(_) => {
                let path = self.absolute(&path);
                self.module.paths.insert(path);
            }
        }
    }

    fn import(&mut self, name: String, path: &[String]) {
        let path = self.absolute(path);
        self.module.paths.insert(path.clone());
        self.module.imports.insert(name, path);
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|it| match &it.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

impl Visit<'_> for Paths<'_> {
    fn visit_item_mod(&mut self, item: &syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &syn::ItemUse) {
        if item.leading_colon.is_none() && !is_test(&item.attrs) {
            self.imports(&[], &item.tree);
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let segments: Name = path.segments.iter().map(|it| it.ident.to_string()).collect();
        if segments.len() > 1 {
            let path = self.absolute(&segments);
            self.module.paths.insert(path);
        }
        visit::visit_path(self, path);
    }
}

impl Crate {
    fn read(folder: &Path) -> Self {
        let mut modules = BTreeMap::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(at) = folders.pop() {
            for entry in fs::read_dir(&at).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|it| it == "rs") {
                    let below = path.strip_prefix(folder).expect("inside").with_extension("");
                    let mut name: Name =
                        below.iter().map(|it| it.to_string_lossy().into_owned()).collect();
                    match name.last().map(String::as_str) {
                        // A program beside its library imports it as others do.
                        Some("main") if folder.join("lib.rs").exists() => continue,
                        Some("tests") => continue,
                        Some("mod" | "lib" | "main") => drop(name.pop()),
                        _ => {}
                    }
                    let file = syn::parse_file(&read(&path)).expect("Rust");
                    let mut paths = Paths { at: &name, module: Module::default() };
                    paths.visit_file(&file);
                    let module = paths.module;
                    modules.insert(name, module);
                }
            }
        }
        Self { modules }
    }

    /// The file in which what this path names is, after what files import of others.
    fn file(&self, path: &[String], depth: usize) -> Option<&Name> {
        let len = (0..=path.len()).rev().find(|&len| self.modules.contains_key(&path[..len]))?;
        let (name, module) = self.modules.get_key_value(&path[..len])?;
        match path.get(len).and_then(|it| module.imports.get(it)) {
            Some(imported) if depth < 8 && imported[..] != *path => {
                let mut imported = imported.clone();
                imported.extend_from_slice(&path[len + 1..]);
                self.file(&imported, depth + 1)
            }
            _ => Some(name),
        }
    }

    /// Which files each file imports.
    fn arrows(&self) -> BTreeMap<&Name, BTreeSet<&Name>> {
        let mut arrows: BTreeMap<&Name, BTreeSet<&Name>> = BTreeMap::new();
        for (name, module) in &self.modules {
            let targets = module.paths.iter().filter_map(|path| self.file(path, 0));
            arrows.entry(name).or_default().extend(targets.filter(|target| *target != name));
        }
        arrows
    }
}

/// Sets of which each member can be reached from each other.
fn circles<T: Ord + Copy>(arrows: &BTreeMap<T, BTreeSet<T>>) -> BTreeSet<BTreeSet<T>> {
    let reach = |from: T| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(at) = open.pop() {
            for &next in arrows.get(&at).into_iter().flatten() {
                if reached.insert(next) {
                    open.push(next);
                }
            }
        }
        reached
    };
    let reached: BTreeMap<T, BTreeSet<T>> = arrows.keys().map(|&it| (it, reach(it))).collect();
    let is_there = |from: T, to: T| reached.get(&from).is_some_and(|it| it.contains(&to));
    let on_one = arrows.keys().filter(|&&it| is_there(it, it));
    on_one
        .map(|&it| {
            arrows.keys().copied().filter(|&to| is_there(it, to) && is_there(to, it)).collect()
        })
        .collect()
}

fn format_circle(name: &[String]) -> String {
    if name.is_empty() { "(root)".to_owned() } else { name.join("/") }
}

/// The circles of a crate: of files, and of concepts.
fn find_circles(folder: &Path) -> Vec<Vec<String>> {
    let whole = Crate::read(folder);
    let arrows = whole.arrows();
    let is_one = |a: &Name, b: &Name| a.starts_with(b) || b.starts_with(a);
    let files = arrows
        .iter()
        .map(|(from, to)| (*from, to.iter().copied().filter(|to| !is_one(from, to)).collect()))
        .collect();
    let mut concepts: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in &arrows {
        let Some(from) = from.first() else { continue };
        let to = to.iter().filter_map(|it| it.first()).filter(|it| *it != from);
        concepts.entry(from).or_default().extend(to.map(String::as_str));
    }
    let mut found: Vec<Vec<String>> = Vec::new();
    found.extend(circles(&files).iter().map(|it| it.iter().map(|it| format_circle(it)).collect()));
    let of_concepts = circles(&concepts);
    found.extend(of_concepts.iter().map(|it| it.iter().map(|it| (*it).to_owned()).collect()));
    found.dedup();
    found
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut all = Vec::new();
    for name in CRATES {
        let meant = MEANT.iter().find(|it| it.0 == name).map_or(&[][..], |it| it.1);
        let found = find_circles(&root().join(name).join("src"));
        let is_meant = |circle: &Vec<String>| circle.iter().all(|it| meant.contains(&it.as_str()));
        all.extend(found.into_iter().filter(|it| !is_meant(it)).map(|it| (name, it)));
    }
    assert!(all.is_empty(), "{all:#?}");
}

/// A circle is found where there is one: through what a file imports of another, and through a path.
#[test]
fn circles_are_found() {
    let folder = temp_dir();
    let folder = folder.path();
    for (file, text) in [
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::b::B; pub struct A;"),
        ("b/mod.rs", "mod inner; pub use inner::B;"),
        ("b/inner.rs", "pub struct B; fn f() { super::super::c::g() }"),
        ("c.rs", "use super::a::A as Other; #[cfg(test)] mod tests { use crate::d::D; }"),
        ("d.rs", "use crate::a::A;"),
    ] {
        write(folder.join(file), text);
    }
    assert_eq!(find_circles(folder), [["a", "b/inner", "c"], ["a", "b", "c"]]);
}

#[test]
fn no_folder_has_too_many_files() {
    let mut list = Command::new("git");
    let list = run_quiet(list.args(["ls-files", "-z"]).current_dir(root())).expect("git");
    let list = String::from_utf8(list.stdout).expect("UTF-8");
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in list.split('\0').filter(|file| root().join(file).is_file()) {
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        *counts.entry(folder).or_default() += 1;
    }
    assert!(counts.len() > 100, "{counts:?}");
    for (folder, count) in &counts {
        assert!(*count <= MANY, "{folder} has {count} files, more than {MANY}: group them");
    }
}
