//! The description of a CMSIS-Pack names files that are there, a library for each core that it accepts, and this version.

use std::collections::BTreeSet;
use std::process::Command;

use tband_tests::{finish, read, root};
use xtask::dist;

const FILE: &str = "tband.tband.pdsc";

/// Prints elements with their attributes, one a line, as Python's reader of XML finds them.
const READER: &str = r#"
import sys, xml.etree.ElementTree as tree
for it in tree.parse(sys.argv[1]).iter():
    print(it.tag, *(f"{name}={value}" for name, value in it.attrib.items()), sep="\t")
"#;

fn elements() -> Vec<(String, Vec<(String, String)>)> {
    let ran = finish(Command::new("python3").args(["-c", READER]).arg(root().join(FILE)));
    assert!(ran.ok, "{}", ran.stderr);
    let text = String::from_utf8(ran.stdout).expect("text");
    let line = |line: &str| {
        let mut parts = line.split('\t');
        let tag = parts.next().expect("a name").to_owned();
        let attribute = |it: &str| it.split_once('=').map(|(a, b)| (a.to_owned(), b.to_owned()));
        (tag, parts.filter_map(attribute).collect())
    };
    text.lines().map(line).collect()
}

fn get<'e>(attributes: &'e [(String, String)], name: &str) -> Option<&'e str> {
    attributes.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
}

#[test]
fn the_pack_names_what_is_there() {
    let elements = elements();
    let of =
        |tag: &'static str| elements.iter().filter(move |(it, _)| it == tag).map(|(_, all)| all);
    let versions: BTreeSet<_> = of("release")
        .filter_map(|all| get(all, "version"))
        .chain(of("component").filter_map(|all| get(all, "Cversion")))
        .collect();
    assert_eq!(versions, BTreeSet::from([dist::VERSION]));
    let conditions: BTreeSet<_> = of("condition").filter_map(|all| get(all, "id")).collect();
    let mut libraries = BTreeSet::new();
    for file in of("file") {
        let name = get(file, "name").expect("a name");
        match name.strip_prefix("lib/").and_then(|it| it.strip_suffix("/libtband.a")) {
            Some(triple) => assert!(libraries.insert(triple), "{triple} twice"),
            None => assert!(root().join(name).exists(), "{name}"),
        }
    }
    for (tag, attributes) in &elements {
        if let Some(condition) = get(attributes, "condition") {
            assert!(conditions.contains(condition), "{tag}: {condition}");
        }
    }
    // Each one for Arm in the tarball, where the description is beside `include`.
    let arm = dist::FIRMWARE_TARGETS.iter().filter(|it| it.starts_with("thumb"));
    assert_eq!(libraries, arm.copied().collect());
    assert!(read(root().join("cmake/TbandInstall.cmake")).contains(FILE));
}
