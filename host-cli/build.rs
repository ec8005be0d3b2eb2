//! Takes the web page in, if `TBAND_WEB_DIR` names the folder that `cargo xtask web` has made.

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

const FILES: [&str; 4] = ["index.html", "manifest.webmanifest", "sw.js", "icon.svg"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=TBAND_WEB_DIR");
    let mut list = String::from("&[");
    if let Some(folder) = env::var_os("TBAND_WEB_DIR").filter(|it| !it.is_empty()) {
        for name in FILES {
            let path = PathBuf::from(&folder).join(name);
            let path = fs::canonicalize(&path)
                .unwrap_or_else(|error| panic!("TBAND_WEB_DIR: {}: {error}", path.display()));
            println!("cargo:rerun-if-changed={}", path.display());
            // Writing to a string cannot fail.
            let _ = write!(list, "({name:?}, include_bytes!({path:?})), ");
        }
    }
    list.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("page.rs");
    fs::write(&out, list).unwrap_or_else(|error| panic!("{}: {error}", out.display()));
}
