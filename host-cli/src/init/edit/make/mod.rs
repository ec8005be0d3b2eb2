//! `Makefile`: compiles tband's sources with the project's, and links the library.

mod lines;

use std::path::{Path, PathBuf};

use self::lines::{Line, LineKind, Makefile};
use super::Outcome;
use crate::init::config::POSIX_PORT;
use crate::init::environment;
use crate::init::project::Project;
use crate::init::text::Text;

/// Usual names of variables, the most frequent first.
const SOURCES: [&str; 9] =
    ["C_SOURCES", "SRC_FILES", "SRCS", "SOURCES", "SRC", "CSRCS", "CSRC", "C_SRCS", "SOURCE_FILES"];
const OBJECTS: [&str; 4] = ["OBJS", "OBJECTS", "OBJ", "OBJ_FILES"];
const FLAGS: [&str; 4] = ["CFLAGS", "CPPFLAGS", "C_FLAGS", "CCFLAGS"];
/// Names of variables with the flags for C++ only.
const CXX_FLAGS: [&str; 4] = ["CXXFLAGS", "CPPFLAGS", "CPP_FLAGS", "CXX_FLAGS"];
/// Parts of a recipe that compiles C++.
const CXX: [&str; 3] = ["CXX", "CPP", "++"];
const LIBRARIES: [&str; 5] = ["LIBS", "LDLIBS", "LIB_FILES", "LIBRARIES", "LOADLIBES"];
/// Programs that link.
const LINKERS: [&str; 6] = ["$(CC)", "$(LD)", "$(CXX)", "${CC}", "gcc", "clang"];

/// Returns the file that builds the firmware.
pub fn file(project: &Project<'_>) -> Result<PathBuf, String> {
    match environment::makefiles(&project.survey).as_slice() {
        [one] => Ok(one.path.clone()),
        several => {
            let names: Vec<_> = several.iter().map(|it| it.name.as_str()).collect();
            Err(format!("in one of {}: {}", names.join(", "), manual_steps(project, "")))
        }
    }
}

fn manual_steps(project: &Project<'_>, up: &str) -> String {
    format!(
        "after the flags of the compiler add\n{}compile $(TBAND_SOURCES){} with $(TBAND_CPPFLAGS), which the kernel's files need \
         too, and link $(TBAND_LIBRARY) after the objects",
        include(project, up),
        if project.recorded().is_some() { " and $(TBAND_FREERTOS_SOURCES)" } else { "" }
    )
}

fn include(project: &Project<'_>, up: &str) -> String {
    let folders: Vec<String> =
        project.config_folders().iter().map(|it| format!("{up}{it}")).collect();
    let dir = &project.dir;
    let port = if project.cpu.is_posix() {
        format!("TBAND_SOURCES += {up}{dir}/port/{POSIX_PORT}/tband_port.c\n")
    } else {
        String::new()
    };
    format!("TBAND_CONFIG := {}\ninclude {up}{dir}/tband.mk\n{port}", folders.join(" "))
}

pub fn edit(project: &Project<'_>, path: &Path, mut text: Text) -> Outcome {
    let file = Makefile::of(&text);
    if file.lines.iter().any(|it| it.code.contains("tband.mk")) {
        return Outcome::Complete;
    }
    let up = "../".repeat(project.survey.name(path).matches('/').count());
    let step = manual_steps(project, &up);
    if project.dir.contains(' ') {
        return Outcome::ByHand(format!(
            "make has no names with spaces; name another --dir. Then {step}"
        ));
    }
    let Some(variables) = Variables::of(&file) else { return Outcome::ByHand(step) };
    let Some(places) = variables.places(&file) else { return Outcome::ByHand(step) };
    // From the end on, so that places stay.
    if let Some(at) = variables.recipe {
        let line = text.lines().nth(at).unwrap_or_default().to_owned();
        text.replace(at, &format!("{} $(TBAND_LIBRARY)", line.trim_end()));
    }
    let vpath = if finds_sources_by_vpath(&file) {
        "VPATH += $(dir $(TBAND_SOURCES) $(TBAND_FREERTOS_SOURCES))\n"
    } else {
        ""
    };
    let head =
        format!("\n# tband, the trace recorder; by tband-cli init\n{}", include(project, &up));
    let sources = variables.source_lines(project.recorded().is_some()) + vpath;
    let others = variables.other_lines();
    match places {
        Places::One(at) => text.insert(at, &format!("{head}{sources}{others}\n")),
        Places::Two(first, second) => {
            text.insert(second, &format!("\n# tband\n{others}\n"));
            text.insert(first, &format!("{head}{sources}\n"));
        }
    }
    Outcome::Edited(text)
}

/// Objects lose the folders of their sources, which only the variable `VPATH` has then.
fn finds_sources_by_vpath(file: &Makefile) -> bool {
    let has = |text: &str| file.lines.iter().any(|it| it.code.contains(text));
    let has_variable = file.assignments("VPATH").next().is_some();
    has_variable && has("$(notdir ") && !has("vpath %.c")
}

/// Where lines are inserted.
enum Places {
    One(usize),
    /// For the sources, and later for the flags.
    Two(usize, usize),
}

/// The variables of a Makefile that tband is added to.
struct Variables {
    sources: String,
    /// The variable has objects, not sources.
    are_objects: bool,
    flags: String,
    /// Variables with the flags of sources in C++, which `flags` is not part of.
    cxx_flags: Vec<String>,
    /// `None`: the library is added to the recipe.
    libraries: Option<String>,
    /// The line of the recipe that links.
    recipe: Option<usize>,
}

impl Variables {
    /// `None` if the Makefile is unlike others.
    fn of(file: &Makefile) -> Option<Self> {
        let has = |name: &str| file.assignments(name).next().is_some();
        let with = |end: &str| {
            let is_it = |value: &str| value.split([' ', '\t', ')']).any(|it| it.ends_with(end));
            let mut names = file.lines.iter().filter_map(|line| match &line.kind {
                LineKind::Assignment(name, _, value) if is_it(value) && !name.contains("FLAGS") => {
                    Some(name)
                }
                _ => None,
            });
            let first = names.next()?;
            names.all(|it| it == first).then(|| first.clone())
        };
        let usual = |names: &[&str]| names.iter().find(|it| has(it)).map(|it| (*it).to_owned());
        let named = SOURCES.iter().find(|it| has(it) && file.names_sources(it));
        let sources = named.map(|it| (*it).to_owned()).or_else(|| with(".c"));
        if sources.as_ref().is_some_and(|it| file.has_source_folder(it)) {
            return None;
        }
        let are_objects = sources.is_none();
        let sources = sources.or_else(|| usual(&OBJECTS)).or_else(|| with(".o"))?;

        let recipes = || file.lines.iter().filter(|it| it.kind == LineKind::Recipe);
        let has_word = |line: &Line, word: &str| line.code.split_whitespace().any(|it| it == word);
        let compiling: Vec<&Line> = recipes().filter(|it| has_word(it, "-c")).collect();
        let is_in = |name: &str, lines: &[&Line]| {
            let names = file.with_users(name);
            lines.iter().any(|it| it.is_used_in(&names))
        };
        let is_used = |name: &&&str| compiling.is_empty() || is_in(name, &compiling);
        let flags =
            FLAGS.iter().filter(|it| has(it)).find(is_used).or(FLAGS.iter().find(is_used))?;
        let with_flags = file.with_users(flags);
        let of_cxx: Vec<&Line> = compiling
            .iter()
            .copied()
            .filter(|it| CXX.iter().any(|part| it.code.contains(part)))
            .filter(|it| !it.is_used_in(&with_flags))
            .collect();
        // Without recipes, make's own one for C++ has CXXFLAGS and CPPFLAGS.
        let is_of_cxx = |name: &str| {
            let has_own = compiling.is_empty() && name == "CXXFLAGS" && *flags != "CPPFLAGS";
            has(name) && !with_flags.contains(name) && (has_own || is_in(name, &of_cxx))
        };
        let cxx_flags = CXX_FLAGS.iter().filter(|it| is_of_cxx(it)).map(|it| (*it).to_owned());
        let cxx_flags: Vec<String> = cxx_flags.collect();

        let links = |line: &&Line| {
            let is_linker = LINKERS.iter().any(|it| line.code.contains(it));
            is_linker && has_word(line, "-o") && !has_word(line, "-c")
        };
        let linking: Vec<&Line> = recipes().filter(links).collect();
        // nRF5's files have the recipes elsewhere.
        let is_linked = |name: &&&str| {
            let is_set = has(name) && linking.is_empty();
            is_set || is_in(name, &linking)
        };
        let libraries = LIBRARIES.iter().find(is_linked).map(|it| (*it).to_owned());
        let recipe = match (&libraries, linking.as_slice()) {
            (Some(_), _) => None,
            // At the end of other recipes the library is no argument of the linker.
            (None, [line])
                if line.end == line.begin + 1 && !line.code.contains(['&', ';', '|', '>', '#']) =>
            {
                Some(line.begin)
            }
            // Make's own rule uses this variable.
            (None, []) if compiling.is_empty() => {
                return Some(Self {
                    sources,
                    are_objects,
                    flags: (*flags).to_owned(),
                    cxx_flags,
                    libraries: Some("LDLIBS".to_owned()),
                    recipe: None,
                });
            }
            _ => return None,
        };
        let flags = (*flags).to_owned();
        Some(Self { sources, are_objects, flags, cxx_flags, libraries, recipe })
    }

    /// Finds places where the variables have their values and are not used yet.
    fn places(&self, file: &Makefile) -> Option<Places> {
        let flags = std::iter::once(&self.flags).chain(&self.cxx_flags);
        let others: Vec<&str> = flags.chain(&self.libraries).map(String::as_str).collect();
        let after = |names: &[&str]| {
            let last = names.iter().map(|it| file.after(it)).max().unwrap_or(0);
            file.outside(last)
        };
        let before = |names: &[&str]| names.iter().filter_map(|it| file.first_use(it)).min();
        let is_free = |at: usize, names: &[&str]| before(names).is_none_or(|it| at <= it);
        let all: Vec<&str> =
            [self.sources.as_str(), "CC"].into_iter().chain(others.iter().copied()).collect();
        let at = after(&all);
        if is_free(at, &[self.sources.as_str()]) && is_free(at, &others) {
            return Some(Places::One(at));
        }
        let (first, second) = (after(&[self.sources.as_str()]), after(&others));
        let is_possible =
            first < second && is_free(first, &[self.sources.as_str()]) && is_free(second, &others);
        is_possible.then_some(Places::Two(first, second))
    }

    fn source_lines(&self, has_kernel: bool) -> String {
        let end = if self.are_objects { ":.c=.o" } else { "" };
        let kernel =
            if has_kernel { format!(" $(TBAND_FREERTOS_SOURCES{end})") } else { String::new() };
        format!("{} += $(TBAND_SOURCES{end}){kernel}\n", self.sources)
    }

    fn other_lines(&self) -> String {
        let flags = std::iter::once(&self.flags).chain(&self.cxx_flags);
        let flags: String = flags.map(|it| format!("{it} += $(TBAND_CPPFLAGS)\n")).collect();
        let libraries = self.libraries.as_ref().map(|it| format!("{it} += $(TBAND_LIBRARY)\n"));
        flags + &libraries.unwrap_or_default()
    }
}
