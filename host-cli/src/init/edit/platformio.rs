//! `platformio.ini`: the library, and the folder of its configuration.

use super::Outcome;
use crate::init::project::Project;
use crate::init::text::Text;

pub fn edit(project: &Project<'_>, mut text: Text) -> Outcome {
    let (dir, config) = (&project.dir, &project.config_dir);
    let is_code = |it: &str| !it.trim_start().starts_with([';', '#']);
    let library = format!("symlink://{dir}");
    if text.lines().any(|it| is_code(it) && it.contains(&library)) {
        return Outcome::Complete;
    }
    if dir.contains(' ') {
        return Outcome::ByHand(format!(
            "PlatformIO's options have no names with spaces. Name another --dir, then add lib_deps = symlink://{dir} and \
             build_flags = -I{config}"
        ));
    }
    let settings = [("lib_deps", library), ("build_flags", format!("-I{config}"))];
    // The sections from the last on, so that places stay.
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let is_section = |it: &String| it.trim_start().starts_with('[');
    let heads: Vec<usize> =
        lines.iter().enumerate().filter(|(_, it)| is_section(it)).map(|(at, _)| at).collect();
    let mut is_changed = false;
    for (index, begin) in heads.iter().enumerate().rev() {
        let head = lines.get(*begin).map_or("", |it| it.trim());
        if !head.starts_with("[env:") {
            continue;
        }
        let end = heads.get(index + 1).copied().unwrap_or(lines.len());
        let mut additions: Vec<(usize, String)> = Vec::new();
        for (name, value) in &settings {
            let is_it = |line: &String| {
                let rest = line.strip_prefix(name).map(str::trim_start);
                rest.is_some_and(|it| it.starts_with('='))
            };
            let found = lines.iter().take(end).skip(*begin).position(is_it).map(|it| it + begin);
            match found {
                // Values may continue in indented lines.
                Some(at) => additions.push((at + 1, format!("  {value}"))),
                None => {
                    let section = lines.get(*begin..end).unwrap_or_default();
                    let inherited = match inherited(&lines, section, name) {
                        Ok(Inherited::Of(Some(parent))) => format!("${{{parent}.{name}}} "),
                        Ok(Inherited::Of(None)) => String::new(),
                        Ok(Inherited::Changed) => continue,
                        Err(Unclear) => {
                            return Outcome::ByHand(format!(
                                "{head} extends several sections, or one that extends others: add lib_deps = symlink://{dir} \
                                 and build_flags = -I{config} to those that it has"
                            ));
                        }
                    };
                    // The last line that is not empty.
                    let part = lines.iter().take(end).skip(*begin);
                    let last =
                        part.collect::<Vec<_>>().iter().rposition(|it| !it.trim().is_empty());
                    additions.push((
                        begin + last.unwrap_or(0) + 1,
                        format!("{name} = {inherited}{value}"),
                    ));
                }
            }
        }
        // Of equal places the last one first, so that the order of the settings stays.
        additions.reverse();
        additions.sort_by_key(|it| std::cmp::Reverse(it.0));
        for (at, line) in additions {
            text.insert(at, &line);
            is_changed = true;
        }
    }
    if is_changed {
        Outcome::Edited(text)
    } else {
        Outcome::ByHand(format!(
            "it has no [env:...]: add lib_deps = symlink://{dir} and build_flags = -I{config}"
        ))
    }
}

/// Where a section has an option from that it does not set itself.
enum Inherited {
    /// A section with the option, if one has it.
    Of(Option<String>),
    /// A section that gets the lines itself.
    Changed,
}

/// The section of an option cannot be determined.
struct Unclear;

/// An option's name and the beginning of its value in a line.
fn option(line: &str) -> Option<(&str, &str)> {
    if line.starts_with([' ', '\t', ';', '#', '[']) {
        return None;
    }
    line.split_once('=').map(|(name, value)| (name.trim(), value.trim()))
}

/// The lines of the section with this head.
fn section<'l>(lines: &'l [String], name: &str) -> Option<&'l [String]> {
    let head = format!("[{name}]");
    let begin = lines.iter().position(|it| it.trim() == head)?;
    let after = lines.get(begin + 1..)?;
    let len = after.iter().position(|it| it.trim_start().starts_with('['));
    after.get(..len.unwrap_or(after.len()))
}

/// The sections that a section extends.
fn parents(section: &[String]) -> Vec<String> {
    let is_it = |line: &String| option(line).is_some_and(|it| it.0 == "extends");
    let Some(at) = section.iter().position(is_it) else { return Vec::new() };
    let first = section.get(at).and_then(|it| option(it)).map_or("", |it| it.1);
    let more = section.iter().skip(at + 1).take_while(|it| it.starts_with([' ', '\t']));
    let values = [first].into_iter().chain(more.map(String::as_str));
    let values = values.map(|it| it.split([';', '#']).next().unwrap_or_default());
    let names = values.flat_map(|it| it.split(',')).map(|it| it.trim().to_owned());
    names.filter(|it| !it.is_empty()).collect()
}

fn inherited(lines: &[String], own: &[String], name: &str) -> Result<Inherited, Unclear> {
    let has =
        |section: &[String]| section.iter().any(|line| option(line).is_some_and(|it| it.0 == name));
    let of = |parent: &str| section(lines, parent).is_some_and(has).then(|| parent.to_owned());
    match parents(own).as_slice() {
        [] => Ok(Inherited::Of(of("env"))),
        [parent] if parent.starts_with("env:") && section(lines, parent).is_some() => {
            Ok(Inherited::Changed)
        }
        [parent] => match of(parent) {
            Some(it) => Ok(Inherited::Of(Some(it))),
            // The parent may have it from another one, or another file.
            None if section(lines, parent).is_none_or(|it| !parents(it).is_empty()) => Err(Unclear),
            None => Ok(Inherited::Of(of("env"))),
        },
        _ => Err(Unclear),
    }
}
