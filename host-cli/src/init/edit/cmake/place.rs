//! Where the lines for a program belong in its file of CMake: where tband's own target is compiled with the options of the
//! program, and before the file is left.

use std::ptr;

use crate::init::text::Text;
use crate::syntax::cmake::Command;

/// Commands that change the options of the targets after them, and not of those before them.
const OPTIONS: [&str; 3] = ["add_compile_options", "add_link_options", "link_libraries"];
/// Properties of a folder with the same effect.
const PROPERTIES: [&str; 3] = ["COMPILE_OPTIONS", "LINK_OPTIONS", "LINK_LIBRARIES"];

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The index of the line before which tband is added.
    pub at: usize,
    /// The same for lines about the kernel's target, which is made later than the program in some files.
    pub after: usize,
}

/// Returns the place of the lines for a program, one of the commands of a file of CMake.
///
/// # Errors
/// There is none; the text states what the user does.
pub fn find(text: &Text, commands: &[Command], program: &Command) -> Result<Place, String> {
    let end = Place { at: text.len(), after: text.len() };
    let later = || commands.iter().skip_while(|it| !ptr::eq(*it, program)).skip(1);
    let Some(barrier) = later().find(|it| is_barrier(it)) else { return Ok(end) };
    let line = barrier.outer.map_or(barrier.line, |it| it.line);
    let at = line - 1;
    let name = &barrier.name;
    let begins = |line: &str| {
        let line = line.trim_start().to_ascii_lowercase();
        commands.iter().any(|it| it.line == at + 1 && line.starts_with(&it.name))
    };
    if line <= program.line || !text.lines().nth(at).is_some_and(begins) {
        return Err(format!("line {}: {name}() has no place before it", barrier.line));
    }
    if name == "return" {
        return Ok(Place { at, after: at });
    }
    // The CPU is known from here on only.
    if let Some(flags) = later().find(|it| it.line >= line && sets_flags_of_cpu(it)) {
        return Err(format!(
            "{name}() in line {} is not for the program, which is added before it, and the flags of the CPU in line {} are after it: \
             move add_executable() below both, and run this again",
            barrier.line, flags.line
        ));
    }
    // Before the end, if the file is left before that.
    let is_return = |it: &&Command| is_barrier(it) && it.name == "return";
    let after = later()
        .find(is_return)
        .map_or(text.len(), |it| it.outer.map_or(it.line, |outer| outer.line) - 1);
    Ok(Place { at, after: after.max(at) })
}

/// From this command on, another target has other options than the program, or there is none.
fn is_barrier(command: &Command) -> bool {
    let has = |word: &str| command.arguments.iter().any(|it| it == word);
    let is_called = command.outer.is_some_and(|it| it.is_called);
    !is_called
        && match command.name.as_str() {
            "return" => true,
            "set_property" => has("DIRECTORY") && PROPERTIES.iter().any(|it| has(it)),
            "set_directory_properties" => PROPERTIES.iter().any(|it| has(it)),
            name => OPTIONS.contains(&name),
        }
}

/// The command sets flags of the compiler by which tband finds the library of the CPU.
fn sets_flags_of_cpu(command: &Command) -> bool {
    let is_variable = |it: &String| it.starts_with("CMAKE_C_FLAGS");
    matches!(command.name.as_str(), "set" | "string" | "list")
        && command.arguments.iter().any(is_variable)
        && command.arguments.iter().any(|it| it.contains("-m") || it.contains("--target"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::cmake::read;

    fn place(text: &str) -> Result<(usize, usize), String> {
        let commands = read(text);
        let program = commands.iter().find(|it| it.name == "add_executable").unwrap();
        let found = find(&Text::of(text.as_bytes()).unwrap(), &commands, program)?;
        Ok((found.at, found.after))
    }

    #[test]
    fn tband_is_added_where_the_options_of_the_program_hold() {
        let program = "add_compile_options(-O2)\nadd_executable(a b.c)\n";
        for (rest, expected) in [
            ("add_compile_definitions(X)\ninclude_directories(y)\n", (4, 4)),
            ("\nadd_compile_options(-fsanitize=address)\nx()\n", (3, 5)),
            ("add_link_options(-x)\n", (2, 3)),
            ("if(X)\n  if(Y)\n    link_libraries(z)\n  endif()\nendif()\n", (2, 7)),
            ("function(f)\n  add_compile_options(-x)\n  return()\nendfunction()\n", (6, 6)),
            ("set_property(DIRECTORY APPEND PROPERTY COMPILE_OPTIONS -x)\n", (2, 3)),
            ("set_property(TARGET a PROPERTY COMPILE_OPTIONS -x)\n", (3, 3)),
            ("x()\nif(X)\n  return()\nendif()\ny()\n", (3, 3)),
            ("return()\ny()\n", (2, 2)),
            ("add_compile_options(-x)\nx()\nreturn()\n", (2, 4)),
            ("set(CMAKE_C_FLAGS \"-mcpu=cortex-m3\")\n", (3, 3)),
            ("set(CMAKE_C_FLAGS -mcpu=cortex-m3)\nadd_link_options(-x)\n", (3, 4)),
        ] {
            assert_eq!(place(&format!("{program}{rest}")), Ok(expected), "{rest}");
        }
        for rest in [
            "add_compile_options(-x)\nset(CMAKE_C_FLAGS \"-mcpu=cortex-m3\")\n",
            "x(\n) add_compile_options(-x)\n",
        ] {
            assert!(place(&format!("{program}{rest}")).is_err(), "{rest}");
        }
        assert!(place("add_executable(a b.c) return()\n").is_err());
    }
}
