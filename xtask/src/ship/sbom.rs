//! Bills of materials: the packages in each part that ships, in the JSON of CycloneDX.
//!
//! They have no time and no random number, so that equal sources give equal bytes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::address::REPOSITORY;
use crate::dist::VERSION;
use crate::licenses::{self, PARTS, Package, Part};

/// The version of the format.
const CYCLONE_DX: &str = "1.6";

/// Writes a file for each part into the folder `out`.
///
/// # Errors
/// Cargo does not know a part, or a file cannot be written.
pub fn write(root: &Path, out: &Path) -> Result<()> {
    for part in &PARTS {
        let bill = bill(root, part).with_context(|| format!("no packages of {}", part.package))?;
        let file = out.join(format!("{}-{VERSION}.cdx.json", part.package));
        fs::write(&file, format!("{bill:#}\n"))
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// The bill of a part. Its packages are those that the notices name, for all systems that it ships for.
fn bill(root: &Path, part: &Part) -> Result<Value> {
    let notices = fs::read_to_string(root.join(part.notices))?;
    let licences = licenses::of_packages(&notices);
    let lock = fs::read_to_string(root.join("Cargo.lock"))?;
    Ok(components_of(part.package, &licences, &checksums(&lock)))
}

fn components_of(
    name: &str,
    licences: &BTreeMap<Package, String>,
    checksums: &BTreeMap<Package, String>,
) -> Value {
    let components = licences.iter().map(|(package, licence)| {
        let (name, version) = package;
        let address = format!("pkg:cargo/{name}@{}", version.replace('+', "%2B"));
        let mut component = json!({
            "type": "library",
            "bom-ref": address,
            "name": name,
            "version": version,
            "purl": address,
            "licenses": [{ "expression": licence }],
        });
        if let (Some(sum), Some(component)) = (checksums.get(package), component.as_object_mut()) {
            component.insert("hashes".into(), json!([{ "alg": "SHA-256", "content": sum }]));
        }
        component
    });
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": CYCLONE_DX,
        "version": 1,
        "metadata": {
            "component": {
                "type": if name == "tband-cli" { "application" } else { "library" },
                "bom-ref": name,
                "name": name,
                "version": VERSION,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
                "externalReferences": [{ "type": "vcs", "url": REPOSITORY }],
            },
        },
        "components": components.collect::<Vec<_>>(),
    })
}

/// The checksums of the packages in a lock file.
fn checksums(lock: &str) -> BTreeMap<Package, String> {
    let value = |entry: &str, key: &str| {
        let line = entry.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""))?;
        Some(line.strip_suffix('"')?.to_owned())
    };
    let entries = lock.split("[[package]]\n").skip(1);
    let sums = entries.filter_map(|entry| {
        let package = (value(entry, "name")?, value(entry, "version")?);
        Some((package, value(entry, "checksum")?))
    });
    sums.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A test of the notices compares their packages with cargo's.
    #[test]
    fn each_part_has_the_packages_of_its_notices() {
        let root = crate::workspace_root();
        for part in &PARTS {
            let bill = bill(&root, part).unwrap_or_else(|error| panic!("{error:#}"));
            let components = bill["components"].as_array().unwrap();
            for component in components {
                let sum = &component["hashes"][0]["content"];
                assert_eq!(sum.as_str().map(str::len), Some(64), "{component}");
                assert_ne!(component["licenses"][0]["expression"], "", "{component}");
            }
            // The recorder is this project's code only.
            assert_eq!(components.is_empty(), part.package == "tband-ffi", "{}", part.package);
            assert!(part.package != "tband-web" || components.len() > 20, "{components:?}");
        }
    }

    #[test]
    fn packages_in_a_bill_and_their_checksums() {
        let package = ("a".to_owned(), "1.0.0+b".to_owned());
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0+b\"\nsource = \"x\"\nchecksum = \"0f\"\n\n\
                    [[package]]\nname = \"tband\"\nversion = \"0.1.0\"\n";
        let sums = checksums(lock);
        assert_eq!(sums, BTreeMap::from([(package.clone(), "0f".to_owned())]));
        let bill =
            components_of("tband-web", &BTreeMap::from([(package, "Zlib".to_owned())]), &sums);
        let component = &bill["components"][0];
        assert_eq!(component["purl"], "pkg:cargo/a@1.0.0%2Bb");
        assert_eq!(component["licenses"][0]["expression"], "Zlib");
        assert_eq!(component["hashes"][0]["content"], "0f");
    }
}
