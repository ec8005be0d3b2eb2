//! The port of a project, `tband_port.h`.

use std::path::Path;

use super::Diagnosis;
use super::cpu::Cpu;
use super::files::Files;
use super::headers::{Header, Macro, Macros, examine_names, text_of};
use crate::syntax::c::without_comments;

/// Words in ports for computers: headers and folders of tband's, and functions of operating systems.
const OF_COMPUTERS: [&str; 5] = [
    "tband_posix.h",
    "POSIX_FREERTOS",
    "WINDOWS_FREERTOS",
    "QueryPerformanceCounter",
    "clock_gettime",
];

/// Returns whether a port is for computers: one of tband's, or one with a clock of theirs.
pub fn is_of_computer(path: &Path) -> bool {
    let text = without_comments(&text_of(path));
    OF_COMPUTERS.iter().any(|it| text.contains(it))
}

/// Examines the port. `config`: the header `tband_config.h`, which may have parts of it.
pub fn examine(
    diagnosis: &mut Diagnosis,
    path: Option<&Path>,
    root: &Path,
    (files, build): (&Files, &str),
    (config, cpu): (Option<&Header>, &Cpu),
) {
    let Some(path) = path else {
        // A folder of tband's own ports may be on the include path.
        if !["/port/", "TBAND_PORT", "tband_port"].iter().any(|it| build.contains(it)) {
            diagnosis.finding(
                "tband_port.h",
                root.display().to_string(),
                "tband has no timer and no critical section: the library does not build",
                "copy the one for your chip from its folder in tband's port/, or port/template/tband_port.h",
            );
        }
        return;
    };
    let place = path.display().to_string();
    diagnosis.fact("tband_port.h", place.clone());
    examine_names(diagnosis, path);
    let macros = Macros { header: Header::read(path, &files.headers), build };
    // An included header of tband defines the macros that are checked below.
    let is_of_tband = |name: &str| name.contains("tband_") && name != "tband_config.h";
    if !macros.header.has_external_include(is_of_tband) {
        let is_set = |name: &str| {
            let in_config = config.is_some_and(|it| it.get(name) != Macro::Unset);
            // Headers of the chip that are not here define nothing of the port.
            in_config || macros.header.get(name) != Macro::Unset || build.contains(name)
        };
        let any = |names: &[&str]| names.iter().any(|name| is_set(name));
        for (names, advice) in [
            (
                &["tband_portTIMESTAMP"][..],
                "#define tband_portTIMESTAMP() my_timer_ticks()   /* uint64_t, never steps back */",
            ),
            (
                &["tband_portTIMESTAMP_FREQUENCY_HZ", "tband_portTIMESTAMP_RESOLUTION_NS"],
                "#define tband_portTIMESTAMP_FREQUENCY_HZ 64000000   /* timer ticks per second */",
            ),
            (
                &["tband_portENTER_CRITICAL_FROM_ANY"],
                "define it, and tband_portEXIT_CRITICAL_FROM_ANY()",
            ),
        ] {
            if let Some(name) = names.first()
                && !any(names)
            {
                diagnosis.finding(
                    "a part of the port",
                    format!("{place}: {name}"),
                    "the library does not build without it",
                    advice,
                );
            }
        }
    }
    // The only one of tband's ports that is more than this header.
    let needs_posix = macros.header.has_external_include(|it| it == "tband_posix.h");
    if needs_posix && !build.contains("POSIX_FREERTOS") {
        diagnosis.finding(
            "tband_posix.h",
            place.clone(),
            "it is included and not in the project: the library does not build",
            "add tband's folder port/POSIX_FREERTOS to tband_config's include directories, and tband_port.c, which is \
             there, to your program's sources",
        );
    }
    let uses_dwt = macros.header.has_external_include(|it| it.ends_with("tband_dwt_timer.h"))
        || text_of(path).contains("DWT->CYCCNT");
    let core = cpu.name().filter(|_| cpu.is_without_cycle_counter());
    if let (true, Some(core)) = (uses_dwt, core) {
        diagnosis.finding(
            "a timer that the chip has",
            format!("{place}: the cycle counter (DWT)"),
            "a build file names a processor without one: all events would have the same time",
            format!(
                "for {core} copy a port with another timer: port/GCC_ARM_CM0, or one for your chip"
            ),
        );
    }
}
