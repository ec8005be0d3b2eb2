//! The files of CMake that a project's own `CMakeLists.txt` leads to. Others, as those of examples in a vendor's library, belong to
//! other projects.

use std::collections::BTreeSet;

use super::build_file::BuildFile;
use super::paths::{Variables, fold, folder_of};

const LISTS: &str = "CMakeLists.txt";

/// Returns the names of those `CMakeLists.txt` that are not reached from the one in the project's folder.
pub fn unreached(build: &[BuildFile]) -> BTreeSet<String> {
    let lists = || build.iter().filter(|it| it.file_name() == LISTS);
    let Some(root) = lists().find(|it| it.name == LISTS) else { return BTreeSet::new() };
    // Their build systems find the folders of components without a command.
    if root.has("project.cmake") || root.has("find_package(Zephyr") {
        return BTreeSet::new();
    }
    let variables = Variables::of(build);
    let mut open: Vec<&BuildFile> = build.iter().filter(|it| it.name.ends_with(".cmake")).collect();
    open.push(root);
    let mut reached = BTreeSet::from([LISTS.to_owned()]);
    while let Some(file) = open.pop() {
        let added = Added::of(file, &variables);
        for file in lists().filter(|it| added.has(folder_of(&it.name))) {
            if reached.insert(file.name.clone()) {
                open.push(file);
            }
        }
    }
    lists().map(|it| it.name.clone()).filter(|it| !reached.contains(it)).collect()
}

/// The folders that a file adds.
#[derive(Default)]
struct Added {
    folders: BTreeSet<String>,
    /// Those in whose paths a variable is unknown: the folders where such a path may begin, and its end.
    unknown: Vec<(Vec<String>, String)>,
}

impl Added {
    fn of(file: &BuildFile, variables: &Variables) -> Self {
        let mut added = Self::default();
        let here = folder_of(&file.name);
        // A file that is included adds folders of the file that includes it.
        let is_included = file.file_name() != LISTS;
        for argument in
            file.commands().iter().filter(|it| adds_folders(&it.name)).flat_map(|it| &it.arguments)
        {
            let path = variables.expand(argument, here);
            match fold(here, &path) {
                Some(folder) => {
                    added.folders.insert(folder);
                    added.folders.extend(fold("", &path).filter(|_| is_included));
                }
                None => {
                    let Some((start, rest)) = argument.split_once('$') else { continue };
                    let mut starts = Vec::new();
                    if !start.is_empty() {
                        starts.extend(fold(here, start));
                        starts.extend(fold("", start).filter(|_| is_included));
                    }
                    let end = rest.rsplit_once(['}', ')']).map_or("", |it| it.1);
                    added.unknown.push((starts, end.to_owned()));
                }
            }
        }
        added
    }

    fn has(&self, folder: &str) -> bool {
        let path = format!("/{folder}");
        let may_be = |(starts, end): &(Vec<String>, String)| {
            let begins =
                starts.is_empty() || starts.iter().any(|start| folder.starts_with(start.as_str()));
            begins && path.ends_with(end.as_str())
        };
        self.folders.contains(folder) || self.unknown.iter().any(may_be)
    }
}

/// A command that adds a folder with a `CMakeLists.txt`; some projects name their own after that of CMake.
fn adds_folders(command: &str) -> bool {
    command.contains("subdirectory")
        || command.starts_with("externalproject")
        || command.starts_with("fetchcontent")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_added_folders_are_reached() {
        let files = [
            ("CMakeLists.txt", "add_subdirectory(app)\ninclude(cmake/all.cmake)\n"),
            ("cmake/all.cmake", "my_add_subdirectory_if(boards/${BOARD})\n"),
            (
                "app/CMakeLists.txt",
                "add_subdirectory(${CMAKE_CURRENT_LIST_DIR}/../lib lib)\nadd_subdirectory(${SDK}/sdk)\n",
            ),
            ("lib/CMakeLists.txt", ""),
            ("vendor/sdk/CMakeLists.txt", ""),
            ("boards/one/CMakeLists.txt", ""),
            ("Drivers/DSP/CMakeLists.txt", "add_subdirectory(example)\n"),
            ("Drivers/DSP/example/CMakeLists.txt", ""),
        ];
        let build: Vec<_> =
            files.iter().map(|(name, text)| BuildFile::for_test(name, text)).collect();
        let found: Vec<String> = unreached(&build).into_iter().collect();
        assert_eq!(found, ["Drivers/DSP/CMakeLists.txt", "Drivers/DSP/example/CMakeLists.txt"]);
        assert!(unreached(&build[1..]).is_empty());
    }
}
