//! The call that starts the recording, in a project's sources.

use std::path::{Path, PathBuf};

use super::Diagnosis;
use super::cost::Backend;
use super::files::Files;
use super::headers::{is_without_settings, text_of};
use crate::syntax::c::{directives, without_comments};

/// Functions that start a recording. The last one executes commands of the host, which may start it.
const STARTS: [&str; 5] = [
    "tband_trigger_snapshot",
    "tband_start_streaming",
    "tband_restart_streaming",
    "tband_start_post_mortem",
    "tband_obey",
];

/// The parts of the sources that decide.
#[derive(Default)]
struct Sources {
    /// The first file with a function `main`, `app_main` or a similar one.
    main: Option<PathBuf>,
    /// A file starts the recording, or may do it.
    may_start: bool,
    /// Headers of others, which the program is compiled with.
    includes: Vec<String>,
}

impl Sources {
    fn add(&mut self, path: &Path) {
        let text = text_of(path);
        // It may be too large to be read.
        let is_read = !text.is_empty() || path.metadata().is_ok_and(|it| it.len() == 0);
        // In Rust, the functions of the crate have other names.
        let is_rust = path.extension().is_some_and(|it| it == "rs") && text.contains("tband");
        self.may_start |= !is_read || is_rust;
        let is_needed =
            text.contains("tband_") || self.main.is_none() && text.contains("main") && !is_rust;
        if self.may_start || !is_needed {
            return;
        }
        let text = without_comments(&text);
        self.may_start |= STARTS.iter().any(|it| text.contains(it));
        let included = directives(&text).filter_map(|it| it.included().map(str::to_owned));
        self.includes
            .extend(included.filter(|it| !is_without_settings(it) && !it.starts_with("tband")));
        let is_call = |part: &str| part.trim_start().starts_with('(');
        let is_header = path.extension().is_some_and(|it| it == "h");
        if self.main.is_none() && !is_header && text.split("main").skip(1).any(is_call) {
            self.main = Some(path.to_owned());
        }
    }
}

/// Reports that no source starts the recording, if the folder has those of the program.
pub fn examine(diagnosis: &mut Diagnosis, files: &Files, backend: Backend) {
    let call = match backend {
        Backend::Snapshot => "tband_trigger_snapshot()",
        Backend::Streaming => "tband_start_streaming()",
        Backend::PostMortem => "tband_start_post_mortem()",
        // It starts automatically.
        Backend::External => return,
    };
    if files.has_sources_elsewhere {
        return;
    }
    let mut sources = Sources::default();
    for path in files.sources.iter().chain(&files.headers) {
        sources.add(path);
        if sources.may_start {
            return;
        }
    }
    // Without a build file, other sources belong to a header that is not here.
    let is_here = |name: &String| files.headers.iter().any(|it| it.ends_with(name));
    if files.build.is_empty() && !sources.includes.iter().all(is_here) {
        return;
    }
    if let Some(main) = sources.main {
        diagnosis.finding(
            "a call that starts the recording",
            main.display().to_string(),
            "no source in the folder starts it: there is no recording to send or to save",
            format!("call {call}, for example before vTaskStartScheduler()"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_found_in_code() {
        let folder = tempfile::tempdir().unwrap();
        let main = "int main (void) { run(); }\n";
        for (name, text, has_main, may_start) in [
            ("a.c", "", false, false),
            ("a.c", main, true, false),
            ("a.c", "void domain_init(void);\n", false, false),
            ("a.c", "void app_main(void) { /* tband_start_streaming(); */ }", true, false),
            ("a.c", "// tband_trigger_snapshot();\n", false, false),
            ("a.cpp", "(void)tband_trigger_snapshot();\n", false, true),
            ("a.h", "#define START() tband_start_post_mortem()\n", false, true),
            ("a.c", "(void)tband_obey();\n", false, true),
            ("a.rs", "use tband::streaming;\n", false, true),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            let mut sources = Sources::default();
            sources.add(&path);
            assert_eq!(
                (sources.main.is_some(), sources.may_start),
                (has_main, may_start),
                "{text}"
            );
        }
        let mut sources = Sources::default();
        std::fs::write(folder.path().join("large.c"), " ".repeat(2 << 20)).unwrap();
        sources.add(&folder.path().join("large.c"));
        assert!(sources.may_start);
    }
}
