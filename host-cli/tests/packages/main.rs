//! Shipped files: archives and packages, and the program for other hosts.

#[cfg(target_os = "linux")]
mod kinds;
#[cfg(target_os = "linux")]
mod other_hosts;
#[path = "../support/mod.rs"]
mod support;
