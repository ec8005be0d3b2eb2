//! `include/tband_flux.h`: the prototypes and structs of `tband-flux-ffi`.

use std::path::Path;

use anyhow::{Context, Result};

const HEADER: &str = "\
/* tband_flux: an emitter of flux, the format of toem's impulse, for signals of your firmware.
 *
 * Generated from tband-flux-ffi by `cargo xtask header`; do not edit. Needs libtband_flux.a (CMake: tband::flux), and
 * nothing of tband.h, its configuration or its port. Handlers for files and UARTs are in tband_flux_handlers.h. */";

/// The text of the header.
///
/// # Errors
/// cbindgen cannot read the crate.
pub(super) fn header(root: &Path) -> Result<String> {
    let config = cbindgen::Config {
        language: cbindgen::Language::C,
        header: Some(HEADER.to_owned()),
        include_guard: Some("TBAND_FLUX_H".to_owned()),
        no_includes: true,
        sys_includes: ["stddef.h", "stdint.h"].map(str::to_owned).to_vec(),
        cpp_compat: true,
        usize_is_size_t: true,
        style: cbindgen::Style::Both,
        line_length: 100,
        tab_width: 2,
        documentation_style: cbindgen::DocumentationStyle::Doxy,
        ..Default::default()
    };
    let mut text = Vec::new();
    cbindgen::Builder::new()
        .with_config(config)
        .with_crate(root.join("tband-flux/ffi"))
        .generate()
        .context("cbindgen cannot read tband-flux-ffi")?
        .write(&mut text);
    let text = String::from_utf8(text).context("cbindgen wrote no UTF-8")?;
    // Rust's section on unsafety applies to C callers too, under another heading.
    Ok(text.replace(" * # Safety\n", " * Requirements:\n"))
}
