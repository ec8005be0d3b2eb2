//! The converter for the web page: the functions of `tband-cli`, requested in JSON.
//!
//! A [`Host`] has the files and takes the output. In a browser that is the page's worker (`exports.rs`, with `web/worker.js` at
//! the other side); elsewhere only tests use it.

mod archive;
mod command;
#[cfg(target_family = "wasm")]
mod exports;
mod host;
mod live;
mod request;
mod view;

pub use command::run;
pub use host::Host;
pub use live::LivePage;
