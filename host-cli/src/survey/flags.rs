//! Options of the compiler in build files.

use super::build_file::BuildFile;
use crate::syntax::words::words;

/// Options whose value needs no space before it.
const JOINED: [&str; 2] = ["/FI", "@"];

/// Returns the values of options in a build file, as they are there.
pub fn values(file: &BuildFile, options: &[&str]) -> Vec<String> {
    if file.is_cmake() {
        return file
            .commands()
            .iter()
            .flat_map(|it| of_arguments(&it.arguments, options))
            .collect();
    }
    let mut found = Vec::new();
    let (mut line, mut is_continued) = (String::new(), false);
    for (_, code) in file.code() {
        let code = code.trim().replace("&quot;", "\"");
        // A line of make that begins so includes another file of make.
        let is_of_make = !is_continued && code.starts_with("-include");
        line.push_str(if is_of_make { "" } else { &code });
        is_continued = line.ends_with('\\');
        if is_continued {
            line.pop();
            line.push(' ');
            continue;
        }
        found.extend(of_line(&line, options));
        line.clear();
    }
    // The last line may end with a backslash.
    found.extend(of_line(&line, options));
    found
}

/// The values in a line.
fn of_line(line: &str, options: &[&str]) -> Vec<String> {
    if !options.iter().any(|it| line.contains(it)) {
        return Vec::new();
    }
    let whole = words(&line.replace("/>", " ").replace(['<', '>'], " "));
    let mut found = of_words(&whole, options);
    // The whole value may be in quotation marks.
    let quoted = whole.iter().filter(|it| it.contains(char::is_whitespace));
    found.extend(quoted.flat_map(|it| of_words(&words(it), options)));
    found
}

/// The values in the arguments of a command of CMake.
fn of_arguments(arguments: &[String], options: &[&str]) -> Vec<String> {
    let split = |it: &String| match it.strip_prefix("SHELL:") {
        Some(text) => words(text),
        None if options.iter().any(|option| has(it, option)) => words(it),
        None => it.split(';').map(str::to_owned).collect(),
    };
    of_words(&arguments.iter().flat_map(split).collect::<Vec<_>>(), options)
}

/// The argument has the option among others.
fn has(argument: &str, option: &str) -> bool {
    let (before, after) = if option == "@" { (" ", "") } else { ("", " ") };
    argument.contains(&format!("{before}{option}{after}"))
}

/// The values of options in words.
pub fn of_words(words: &[String], options: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        // Assignments of make and attributes of XML have no space.
        let assigned = ["=-", "=@"].iter().find_map(|it| word.rfind(it));
        let word = assigned.and_then(|at| word.get(at + 1..)).unwrap_or(word);
        let Some(option) = options.iter().rev().find(|it| word.starts_with(**it)) else { continue };
        let value = match word.get(option.len()..).unwrap_or_default() {
            "" => words.get(at + 1).filter(|_| *option != "@").cloned(),
            rest => rest
                .strip_prefix('=')
                .map(str::to_owned)
                .or_else(|| JOINED.contains(option).then(|| rest.to_owned())),
        };
        let value = value.map(|it| it.trim_end_matches([',', ';', ')']).to_owned());
        found.extend(value.filter(|it| !it.is_empty()));
    }
    found
}
