//! The commands of all CMake files of a project, with their places.

use std::path::{Path, PathBuf};

use crate::survey::variables::Variables;
use crate::syntax::cmake;

/// A command and its arguments, unquoted.
pub struct Command {
    pub file: PathBuf,
    pub line: usize,
    pub name: String,
    pub arguments: Vec<String>,
}

impl Command {
    /// It has this name and first argument.
    pub fn is(&self, name: &str, first: &str) -> bool {
        self.name == name && self.arguments.first().is_some_and(|it| it == first)
    }

    pub fn has(&self, argument: &str) -> bool {
        self.arguments.iter().any(|it| it == argument)
    }

    pub fn place(&self) -> String {
        format!("{}:{}", self.file.display(), self.line)
    }

    /// Returns the path that an argument names; `None` if it has a variable that is not known.
    pub fn path(&self, argument: &str) -> Option<PathBuf> {
        // Paths are relative to the folder of the file.
        let folders = ["CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR", "CMAKE_SOURCE_DIR"];
        let relative = folders
            .iter()
            .fold(argument.to_owned(), |text, it| text.replace(&format!("${{{it}}}"), "."));
        let parent = self.file.parent()?;
        (!relative.contains('$')).then(|| parent.join(&relative))
    }

    /// It comes after another one of the same file.
    pub fn is_after(&self, other: &Self) -> bool {
        self.file == other.file && self.line > other.line
    }
}

/// Returns the commands of a file.
pub fn commands(file: &Path, text: &str) -> Vec<Command> {
    let placed = |it: cmake::Command| {
        let cmake::Command { name, arguments, line, .. } = it;
        Command { file: file.to_owned(), line, name, arguments }
    };
    cmake::read(text).into_iter().map(placed).collect()
}

/// Replaces variables that have one value in all files. Others stay: conditions may choose between their values.
pub fn expand(commands: &mut [Command]) {
    let variables =
        Variables::of(commands.iter().map(|it| (it.name.as_str(), it.arguments.as_slice())));
    for argument in commands.iter_mut().flat_map(|it| &mut it.arguments) {
        if argument.contains("${") {
            *argument = variables.expand_text(argument);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::variables::MAX_LEN;
    use crate::syntax::steps;

    #[test]
    fn commands_have_their_lines_and_arguments() {
        let text = "set(A b)\nadd_executable (app\n  \"main file.c\" $<TARGET_OBJECTS:x(y)>\n  tasks.c)\n\nIF(A)\nendif()\n";
        let found = commands(Path::new("f"), text);
        let names: Vec<_> = found.iter().map(|it| (it.line, it.name.as_str())).collect();
        assert_eq!(names, [(1, "set"), (2, "add_executable"), (6, "if"), (7, "endif")]);
        let Some(app) = found.get(1) else { panic!("two") };
        assert!(app.is("add_executable", "app") && app.has("main file.c") && app.has("tasks.c"));
        for odd in ["", "(", ")", "\"", "a(\"", "a((b", "\u{e9}(\u{e9})"] {
            assert!(commands(Path::new("f"), odd).len() < 2, "{odd}");
        }
    }

    #[test]
    fn brackets_and_escapes_are_those_of_cmake() {
        let text = "m([=[ a \"b\n ) ]=] \"\\\"\" x\\)y)\nn()\n";
        let found = commands(Path::new("f"), text);
        let [m, n] = found.as_slice() else { panic!("two commands") };
        assert_eq!(m.arguments, [" a \"b\n ) ", "\"", "x)y"]);
        assert_eq!((n.name.as_str(), n.line), ("n", 3));
    }

    #[test]
    fn variables_with_one_value_are_replaced() {
        let text = "project(app C)\nset(A x)\nset(B 1)\nset(B 2)\nset(C ${A})\nset(D d CACHE STRING \"\")\nlist(APPEND A y)\n\
            f(${PROJECT_NAME}_${D} ${A} ${B} ${C})\nset(E ${E}${E})\n";
        let mut found = commands(Path::new("f"), text);
        expand(&mut found);
        let last = found.iter().find(|it| it.name == "f").expect("f");
        assert_eq!(last.arguments, ["app_d", "${A}", "${B}", "${C}"]);
    }

    #[test]
    fn variables_in_names_of_variables_are_replaced() {
        let text = "set(A x)\nset(V_x y)\nf(${V_${A}} ${V_${N}} ${A ${A}}} $${A})\n";
        let mut found = commands(Path::new("f"), text);
        expand(&mut found);
        let last = found.iter().find(|it| it.name == "f").expect("f");
        assert_eq!(last.arguments, ["y", "${V_${N}}", "${A", "x}}", "$x"]);
        let long = format!("set(A {})\nf({}b)\n", "a".repeat(100), "${A}".repeat(100));
        let mut found = commands(Path::new("f"), &long);
        expand(&mut found);
        assert!(found.iter().all(|it| it.arguments.iter().all(|it| it.len() <= MAX_LEN)));
    }

    #[test]
    fn arguments_are_expanded_once_however_many_variables_there_are() {
        steps::assert_linear(|size| {
            let set: String = (0..size).map(|it| format!("set(V{it} x)\n")).collect();
            let mut found = commands(Path::new("f"), &(set + &"f(${V1} ${NO})\n".repeat(size)));
            expand(&mut found);
            assert_eq!(found.last().map(|it| it.arguments.join(" ")), Some("x ${NO}".to_owned()));
        });
    }
}
