//! The guide's pages for vendors' environments: each is short and says what was tried, and what can be had of an
//! environment is built as its page says.

mod cubemx;
mod esp_idf;
mod pack;
mod pages;
mod pico;
mod platformio;

use tband_tests::library::library;

/// A page, for `tband_tests::guide`.
fn page(name: &str) -> String {
    format!("boards/{name}")
}
