//! The headers and the C sources that users compile: each header alone, each switch in both positions, everything off, and the
//! compiler's messages when a setting is missing.
//!
//! In C99 to C23 and C++11 to C++20 with strict warnings as errors; the sources in C only.

mod alone;
mod cxx;
mod freertos;
mod missing;
mod off;
mod release;
mod switches;

use std::path::{Path, PathBuf};

use tband_tests::c::{STRICT, Standard, compile_text};
use tband_tests::{read, root, temp_dir, write};

/// A project's folder with its configuration, a port, and its compiled files.
struct Project {
    folder: tempfile::TempDir,
    includes: Vec<PathBuf>,
}

impl Project {
    /// With the fake port, and `tband_config.h` of this text.
    fn new(config: &str) -> Self {
        let project = Self::without_port(config);
        Self { includes: vec![root().join("tests/c"), root().join("tests/c/fake_port")], ..project }
    }

    fn without_port(config: &str) -> Self {
        let folder = temp_dir();
        write(folder.path().join("tband_config.h"), config);
        Self { folder, includes: vec![] }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Compiles a text to `unit.o`; returns the compiler's messages if it fails.
    fn try_compile(&self, standard: Standard, options: &[&str], text: &str) -> Result<(), String> {
        let mut includes: Vec<&Path> = vec![self.folder.path()];
        includes.extend(self.includes.iter().map(PathBuf::as_path));
        let options = [STRICT, options].concat();
        compile_text(standard, &options, &includes, text, &self.path("unit.o"))
    }

    #[track_caller]
    fn compile(&self, standard: Standard, options: &[&str], text: &str) {
        if let Err(complaint) = self.try_compile(standard, options, text) {
            panic!("{standard:?}, {}:\n{complaint}", read(self.path("tband_config.h")));
        }
    }
}

/// Text that includes a file of the repository.
fn including(path: &str) -> String {
    format!("#include \"{}\"\n", root().join(path).display())
}
