//! `record`: from each source, until its end.

#[cfg(unix)]
mod ends;
mod files;
#[cfg(unix)]
mod foreign;
#[cfg(unix)]
mod links;
#[cfg(target_os = "linux")]
mod long;
#[cfg(unix)]
mod servers;
#[cfg(unix)]
mod sources;
#[path = "../support/mod.rs"]
mod support;
#[cfg(unix)]
mod triggers;
