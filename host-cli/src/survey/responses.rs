//! Response files: files with further options of the compiler, which build files name as `@flags.rsp`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::build_file::BuildFile;
use super::paths::{Variables, fold, folder_of};
use crate::syntax::words::words;

/// Finds the response files that build files name, once each. `root`: the project's folder.
pub fn find(build: &[BuildFile], root: &Path) -> BTreeSet<PathBuf> {
    let variables = Variables::of(build);
    let mut found = BTreeSet::new();
    for file in build {
        let folder = folder_of(&file.name);
        let lines = file.code().filter(|(_, line)| line.contains('@') && !file.is_cmake());
        let arguments = file.commands().iter().flat_map(|it| it.arguments.clone());
        for word in lines.flat_map(|(_, line)| words(line)).chain(arguments) {
            let Some(name) = word.strip_prefix('@').filter(|it| !it.is_empty()) else { continue };
            // Relative to the folder in which the compiler runs: that of the file, or the project's.
            let expanded = variables.expand(name, folder).replace('\\', "/");
            let paths = [folder, ""].map(|it| fold(it, &expanded));
            let path = paths.into_iter().flatten().map(|it| root.join(it)).find(|it| it.is_file());
            found.extend(path.filter(|it| build.iter().all(|file| file.path != *it)));
        }
    }
    found
}
