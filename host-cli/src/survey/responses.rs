//! Response files: files with further options of the compiler, which build files name as `@flags.rsp`, `--via flags.txt` (Arm) or
//! `-f flags.xcl` (IAR).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::build_file::BuildFile;
use super::flags;
use super::paths::{Variables, fold};

/// Options of GCC, Clang and Arm.
const OPTIONS: [&str; 2] = ["@", "--via"];
/// Options of IAR. Other programs have another meaning for the first one, so outside of IAR's files the name must be one of IAR too.
const OF_IAR: [&str; 2] = ["-f", "--f"];
const ENDING_OF_IAR: &str = ".xcl";

/// Finds the response files that build files name, once each, and the folders of the paths in them. `root`: the project's folder;
/// `seen`: the number of build files whose names are known.
pub fn find(build: &[BuildFile], seen: usize, root: &Path) -> BTreeMap<PathBuf, String> {
    let variables = Variables::of(build);
    let mut found = BTreeMap::new();
    for file in build.iter().skip(seen) {
        for name in names_in(file) {
            // Relative to the folder in which the compiler runs: that of the file, or the project's.
            let expanded = variables.expand(&name, &file.folder).replace('\\', "/");
            let paths = [&file.folder, ""].map(|it| fold(it, &expanded));
            let path = paths.into_iter().flatten().map(|it| root.join(it)).find(|it| it.is_file());
            let path = path.filter(|it| build.iter().all(|file| file.path != *it));
            found.extend(path.map(|it| (it, file.folder.clone())));
        }
    }
    found
}

/// The names in a build file, as they are there.
fn names_in(file: &BuildFile) -> Vec<String> {
    let mut found = flags::values(file, &OPTIONS);
    let is_of_iar = [".ewp", ENDING_OF_IAR].iter().any(|it| file.name.ends_with(it));
    let of_iar = flags::values(file, &OF_IAR);
    found.extend(of_iar.into_iter().filter(|it| is_of_iar || it.ends_with(ENDING_OF_IAR)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_name_response_files() {
        for (file, text, expected) in [
            ("Makefile", "CFLAGS += -O2 @a.rsp\n\t@echo @\n", &["a.rsp", "echo"][..]),
            ("Makefile", "CFLAGS = --via=a.txt -fno-common --fpu=VFPv4\n", &["a.txt"]),
            ("Makefile", "\trm -f a.h && make -f a.mk\nCFLAGS += -f a.xcl\n", &["a.xcl"]),
            ("CMakeLists.txt", "add_compile_options(\"SHELL:--via 'a b.txt'\")\n", &["a b.txt"]),
            ("CMakeLists.txt", "add_compile_options(\"@a b.rsp\")\n", &["a b.rsp"]),
            ("CMakeLists.txt", "set(CMAKE_C_FLAGS \"-Os @a.rsp\")\n", &["a.rsp"]),
            (".cproject", "value=\"-O2 @a.rsp\"\n", &["a.rsp"]),
            (".cproject", "<a value=\"@a.rsp\"/>\n", &["a.rsp"]),
            ("a.uvprojx", "<MiscControls>--via .\\a.txt</MiscControls>\n", &[".\\a.txt"]),
            ("a.uvprojx", "<MiscControls>--via &quot;a b.txt&quot;</MiscControls>\n", &["a b.txt"]),
            ("a.ewp", "<state>-f $PROJ_DIR$\\a.txt</state>\n", &["$PROJ_DIR$\\a.txt"]),
            ("a.ewp", "<state>--f a.xcl</state>\n", &["a.xcl"]),
        ] {
            assert_eq!(names_in(&BuildFile::for_test(file, text)), expected, "{text}");
        }
    }
}
