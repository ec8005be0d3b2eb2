//! Puts the web page into the program, if `TBAND_WEB_DIR` names the folder that `cargo xtask web` has made, and the SDK, if
//! `TBAND_SDK` names the archive that `cargo xtask dist` has made of it.

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

const FILES: [&str; 4] = ["index.html", "manifest.webmanifest", "sw.js", "icon.svg"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    write("page.rs", &page());
    write("sdk.rs", &sdk());
}

/// The files of the page, as an expression.
fn page() -> String {
    println!("cargo:rerun-if-env-changed=TBAND_WEB_DIR");
    let mut list = String::from("&[");
    if let Some(folder) = env::var_os("TBAND_WEB_DIR").filter(|it| !it.is_empty()) {
        for name in FILES {
            let path = given("TBAND_WEB_DIR", PathBuf::from(&folder).join(name));
            // Writing to a string cannot fail.
            let _ = write!(list, "({name:?}, include_bytes!({path:?})), ");
        }
    }
    list.push(']');
    list
}

/// The archive, as an expression; empty if there is none.
fn sdk() -> String {
    println!("cargo:rerun-if-env-changed=TBAND_SDK");
    let Some(archive) = env::var_os("TBAND_SDK").filter(|it| !it.is_empty()) else {
        return "&[]".to_owned();
    };
    format!("include_bytes!({:?})", given("TBAND_SDK", PathBuf::from(archive)))
}

/// The absolute path of a file that is put into the program.
fn given(variable: &str, path: PathBuf) -> PathBuf {
    let path = fs::canonicalize(&path)
        .unwrap_or_else(|error| panic!("{variable}: {}: {error}", path.display()));
    println!("cargo:rerun-if-changed={}", path.display());
    path
}

fn write(name: &str, expression: &str) {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join(name);
    fs::write(&out, expression).unwrap_or_else(|error| panic!("{}: {error}", out.display()));
}
