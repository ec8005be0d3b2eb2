//! Checks whether bindgen works here. The tests read the C headers back with it.
//!
//! bindgen loads libclang when it runs, from where the crate clang-sys finds it. So this uses the same crate, and tries the
//! library that it finds: a file of the right name may be another library, for another CPU, or without the compiler's own
//! headers, which are a separate package.

use std::env;
use std::ffi::CStr;
use std::ptr;

use anyhow::{Context, Result, bail, ensure};
use clang_sys::{CXDiagnostic_Error, CXUnsavedFile, Version};

/// The oldest that bindgen works with.
const OLDEST: Version = Version::V9_0;

/// Headers that every header of tband includes, directly or not.
const PROBE: &CStr = c"#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n";

/// If set, libclang is searched only there, so no package can help.
const VARIABLE: &str = "LIBCLANG_PATH";

/// Loads libclang and reads a header with it.
///
/// # Errors
/// That does not work; the text has the reason.
pub fn probe() -> Result<()> {
    clang_sys::load().map_err(anyhow::Error::msg)?;
    let result = read_header();
    clang_sys::unload().map_err(anyhow::Error::msg)?;
    result
}

/// As [`probe`], where installing libclang would not help.
///
/// # Errors
/// `LIBCLANG_PATH` leads nowhere.
pub fn check_variable() -> Result<()> {
    let Some(path) = env::var_os(VARIABLE) else { return Ok(()) };
    probe().with_context(|| {
        format!(
            "{VARIABLE} is {}, where no libclang works; correct it, or unset it to have libclang installed",
            path.display()
        )
    })
}

fn read_header() -> Result<()> {
    let library = clang_sys::get_library().context("libclang is not loaded")?;
    let path = library.path().display();
    let version = library.version();
    ensure!(version >= Some(OLDEST), "{path} is older than bindgen can use");
    let name = c"probe.h";
    let length = PROBE.to_bytes().len();
    let mut file = CXUnsavedFile {
        Filename: name.as_ptr(),
        Contents: PROBE.as_ptr(),
        Length: length.try_into().context("a header's length")?,
    };
    // SAFETY: the library is loaded, and has these functions from a version before `OLDEST` on. The file,
    // its name and its text live until the end of the block. What the library made is freed once, in
    // the reverse order.
    let errors = unsafe {
        let index = clang_sys::clang_createIndex(0, 0);
        let unit = clang_sys::clang_parseTranslationUnit(
            index,
            name.as_ptr(),
            ptr::null(),
            0,
            &raw mut file,
            1,
            0,
        );
        let mut errors = u32::from(unit.is_null());
        if !unit.is_null() {
            for number in 0..clang_sys::clang_getNumDiagnostics(unit) {
                let diagnostic = clang_sys::clang_getDiagnostic(unit, number);
                let severity = clang_sys::clang_getDiagnosticSeverity(diagnostic);
                errors += u32::from(severity >= CXDiagnostic_Error);
                clang_sys::clang_disposeDiagnostic(diagnostic);
            }
            clang_sys::clang_disposeTranslationUnit(unit);
        }
        clang_sys::clang_disposeIndex(index);
        errors
    };
    if errors > 0 {
        bail!("{path} does not find the standard headers of C, which are in a package beside it");
    }
    Ok(())
}
