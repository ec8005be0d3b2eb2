//! Headers that the compiler includes before each source, because an option names them.

use std::path::PathBuf;

use serde_json::Value;

use super::build_file::BuildFile;
use super::paths::{Variables, fold};
use super::{Survey, content, flags};
use crate::syntax::words::words;

/// Where builds of CMake put the commands of the compiler, in the project's folder.
pub const COMMANDS: [&str; 2] = ["compile_commands.json", "build/compile_commands.json"];
/// Options of compilers: GCC and Clang, IAR and Arm, Microsoft.
const OPTIONS: [&str; 6] =
    ["-include", "--include", "-imacros", "--imacros", "--preinclude", "/FI"];
/// Elements of project files: of IAR, and of Eclipse, up to the end of the option.
const OF_IAR: &str = "<name>PreInclude</name>";
const OF_ECLIPSE: [&str; 2] = ["valueType=\"includeFiles\"", "</option>"];

/// Finds these headers of a project, as far as they are in it, in the build files and in the commands of an earlier build.
pub fn find(survey: &Survey) -> Vec<PathBuf> {
    let variables = Variables::of(&survey.build);
    let mut found = Vec::new();
    let mut add = |name: &str, folder: &str| {
        let path = locate(survey, &variables.expand(name, folder), folder);
        found.extend(path.filter(|it| !found.contains(it)));
    };
    for file in &survey.build {
        names_in(file).iter().for_each(|name| add(name, &file.folder));
    }
    for name in COMMANDS {
        let commands = serde_json::from_slice(&content(&survey.root.join(name)));
        let Ok(Value::Array(commands)) = commands else { continue };
        for command in &commands {
            let arguments = match (&command["command"], &command["arguments"]) {
                (Value::String(text), _) => words(text),
                (_, Value::Array(list)) => {
                    list.iter().filter_map(|it| Some(it.as_str()?.to_owned())).collect()
                }
                _ => continue,
            };
            let directory = command["directory"].as_str().unwrap_or_default();
            flags::of_words(&arguments, &OPTIONS).iter().for_each(|name| add(name, directory));
        }
    }
    found
}

/// The names in a build file, as they are there.
fn names_in(file: &BuildFile) -> Vec<String> {
    let mut found = flags::values(file, &OPTIONS);
    let precompiled = file.commands().iter().filter(|it| it.name == "target_precompile_headers");
    let is_header = |it: &&String| it.ends_with(".h") || it.ends_with(".hpp");
    found.extend(precompiled.flat_map(|it| &it.arguments).filter(is_header).cloned());
    let (mut is_state, mut is_list) = (false, false);
    for (_, code) in file.code() {
        let code = code.replace("&quot;", "\"");
        is_list = (is_list || code.contains(OF_ECLIPSE[0])) && !code.contains(OF_ECLIPSE[1]);
        let value = if is_state { between(&code, "<state>", "<") } else { None };
        let value = value.or_else(|| between(&code, "value=\"", "\"/>").filter(|_| is_list));
        found.extend(value.map(|it| it.trim_matches('"').to_owned()).filter(|it| !it.is_empty()));
        is_state = code.contains(OF_IAR);
    }
    found
}

/// Finds a header: in the folder where the compiler runs, in the project, or on a path of the compiler, which is not known here.
fn locate(survey: &Survey, name: &str, folder: &str) -> Option<PathBuf> {
    let name = name.replace('\\', "/");
    let paths = [folder, ""].map(|it| fold(it, &name));
    let named = paths.into_iter().flatten().map(|it| survey.root.join(it)).find(|it| it.is_file());
    named.or_else(|| {
        // After the last variable without a value.
        let end = name.rsplit(|it: char| it.is_control()).next().unwrap_or_default();
        let end = end.trim_start_matches(['/', '.']);
        let is_it = |it: &&PathBuf| !end.is_empty() && it.ends_with(end);
        survey.headers.iter().find(is_it).cloned()
    })
}

/// The text between two others.
fn between<'t>(text: &'t str, begin: &str, end: &str) -> Option<&'t str> {
    Some(text.split_once(begin)?.1.split_once(end)?.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::steps;

    #[test]
    fn options_name_headers() {
        for (file, text, expected) in [
            ("Makefile", "CFLAGS += -O2 -include inc/a.h -g\n", &["inc/a.h"][..]),
            ("Makefile", "CFLAGS=-include a.h\n", &["a.h"]),
            (
                "Makefile",
                "CFLAGS = -g \\\n  -include \"b c/a.h\" \\\n  -imacros d.h\n",
                &["b c/a.h", "d.h"],
            ),
            ("Makefile", "-include $(DEPS)\n\t-include x.d\n", &[]),
            ("Makefile", "# -include a.h\nX = my-include a.h\n", &[]),
            ("platformio.ini", "build_flags = -include src/a.h\n", &["src/a.h"]),
            (
                "CMakeLists.txt",
                "add_compile_options(-include\n  ${CMAKE_SOURCE_DIR}/a.h)\n",
                &["${CMAKE_SOURCE_DIR}/a.h"],
            ),
            (
                "CMakeLists.txt",
                "target_compile_options(a PRIVATE \"SHELL:-include 'b c.h'\")\n",
                &["b c.h"],
            ),
            ("CMakeLists.txt", "set(CMAKE_C_FLAGS \"-Os -include a.h\")\n", &["a.h"]),
            (
                "CMakeLists.txt",
                "set_property(TARGET a PROPERTY COMPILE_OPTIONS \"-include;a.h\")\n",
                &["a.h"],
            ),
            ("CMakeLists.txt", "target_precompile_headers(a PRIVATE a.h <b.h>)\n", &["a.h"]),
            ("CMakeLists.txt", "include(a.h)\n", &[]),
            (
                "a.ewp",
                "<name>PreInclude</name>\n<state>$PROJ_DIR$/a.h</state>\n<state>b.h</state>\n",
                &["$PROJ_DIR$/a.h"],
            ),
            ("a.uvprojx", "<MiscControls>-O1 --preinclude a.h</MiscControls>\n", &["a.h"]),
            (
                ".cproject",
                "<option valueType=\"includeFiles\">\n<listOptionValue value=\"&quot;${ProjDirPath}/a.h&quot;\"/>\n</option>\n<listOptionValue value=\"b.h\"/>\n",
                &["${ProjDirPath}/a.h"],
            ),
            (".cproject", "value=\"-O2 -include a.h\"\n", &["a.h"]),
        ] {
            assert_eq!(names_in(&BuildFile::for_test(file, text)), expected, "{text}");
        }
        steps::assert_linear(|size| {
            let text = "CFLAGS += -include \"a b.h\" \\\n".repeat(size);
            assert!(!names_in(&BuildFile::for_test("Makefile", &text)).is_empty());
        });
    }
}
