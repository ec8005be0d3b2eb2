//! The guide's pages for vendors' environments: each is short and states which parts were tested, and the available parts of an
//! environment are built as its page describes.

mod cubemx;
mod esp_idf;
mod pack;
mod pages;
mod pico;
mod platformio;
mod validators;
mod without_library;

use tband_tests::library::library;

/// A page, for `tband_tests::guide`.
fn page(name: &str) -> String {
    format!("boards/{name}")
}
