//! The real kernel, as a program for the POSIX port sees it.

use std::path::PathBuf;

pub use xtask::kernel::FREERTOS_CONFIG;

use crate::root;

/// Folder of the kernel's sources.
#[must_use]
pub fn sources() -> PathBuf {
    xtask::kernel::path(root()).expect("the kernel")
}

/// Folders of a program that uses the kernel, but for the library's.
#[must_use]
pub fn includes() -> [PathBuf; 2] {
    [sources().join("include"), sources().join("portable/ThirdParty/GCC/Posix")]
}
