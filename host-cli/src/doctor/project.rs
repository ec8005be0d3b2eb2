//! A project's folder: its headers, and the processor in its build files.

use std::path::{Path, PathBuf};

use super::compilation::{self, Project};
use super::cost::{self, Backend, Backend::*, MeasuredPart};
use super::cpu::Cpu;
use super::files::Files;
use super::headers::{
    Header, Macro, Macros, OLDEST_KERNEL, examine_names, place_of, text_of, version_text,
};
use super::{Diagnosis, cmake, hook_flags, kernel, port, start};
use crate::survey::Survey;
use crate::survey::choice::{Choice, Known, choose};
use crate::survey::paths;

const BACKENDS: [(&str, Backend); 4] = [
    ("tband_configUSE_BACKEND_SNAPSHOT", Snapshot),
    ("tband_configUSE_BACKEND_STREAMING", Streaming),
    ("tband_configUSE_BACKEND_POST_MORTEM", PostMortem),
    ("tband_configUSE_BACKEND_EXTERNAL", External),
];

/// The next step if the kernel's version, on which the build depends, is not known.
const WITHOUT_VERSION: &str = "for a kernel before V11.2, whose version is not in the folder, put tband_configFREERTOS_VERSION into \
     tband_config.h, as 100301 for V10.3.1; then build it, and run this command on the ELF file";

/// Examines a project. `asked`: one of several headers, which the user has chosen; `rate`: events a second.
///
/// # Errors
/// It cannot be read, or the folder has several.
pub fn diagnose(root: &Path, asked: Option<&Path>, rate: u32) -> anyhow::Result<Diagnosis> {
    let survey = Survey::of(root)?;
    let named = paths::of(&survey.build);
    let files = Files::of(&survey, &named)?;
    let mut build = files.build_text();
    // Their macros are as those of flags.
    survey.forced.iter().for_each(|it| build += &text_of(it));
    let cpu = Cpu::of_build(survey.build.iter().chain(&survey.other_build));
    let mut diagnosis = Diagnosis {
        next: "build it, then run this command on the ELF file, which reports whether the kernel calls the recorder",
        ..Diagnosis::default()
    };
    if files.has_tband {
        diagnosis.fact("tband", "its sources are in the folder");
    }
    if let Some((first, rest)) = files.unread.split_first() {
        let more =
            if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        let path = first.display();
        diagnosis.fact("not read", format!("{path}{more}: too large, or not readable"));
    }
    let asked = asked.map(|it| (it, "--config"));
    let known =
        Known { named: &named, program: None, asked, options: "or choose one with --config" };
    let mut chosen =
        |name: &'static str, known: &Known<'_>| -> anyhow::Result<Option<Choice<'_>>> {
            let choice = choose(&survey, name, known)?;
            if let Some(Choice { path, reason: Some(reason) }) = &choice {
                diagnosis.fact("of several", format!("{}: {reason}", path.display()));
            }
            Ok(choice)
        };
    let kernel_config = chosen("FreeRTOSConfig.h", &known)?;
    // Beside the kernel's, if that was chosen.
    let is_chosen = kernel_config.as_ref().is_some_and(|it| it.reason.is_some());
    let near = kernel_config.as_ref().map(|it| it.path.as_path()).filter(|_| is_chosen);
    let kernel_config = kernel_config.map(|it| it.path.as_path());
    let known = Known { asked: asked.or(near.map(|it| (it, "beside FreeRTOSConfig.h"))), ..known };
    let config = chosen("tband_config.h", &known)?.map(|it| it.path);
    let elsewhere = match files.ports.as_slice() {
        [one] => Some(one.join("tband_port.h")),
        _ => None,
    };
    let port = chosen("tband_port.h", &known)?
        .map(|it| it.path)
        .or(elsewhere.as_ref())
        .map(PathBuf::as_path);
    let cpu = match cpu {
        Cpu::Unknown if port.is_some_and(port::is_of_computer) => Cpu::Computer,
        Cpu::Unknown => Cpu::of_written(&survey.written),
        cpu => cpu,
    };
    let version = files.kernel_version();
    let is_old = version.is_some_and(|it| it < OLDEST_KERNEL);
    if let Some(version) = version.filter(|_| is_old) {
        let version = version_text(version);
        diagnosis.fact(
            "FreeRTOS",
            format!("{version}, older than V10.1: markers, values and interrupts can be recorded"),
        );
    }
    let sources = (&files, build.as_str());
    let flags = hook_flags::find(&survey);
    let Some(config) = config else {
        diagnosis.finding(
            "tband_config.h",
            root.display().to_string(),
            "nothing of tband is configured: the library does not build",
            "write one:\n#define tband_configENABLE 1\n#define tband_configFREERTOS_TRACE_ENABLE 1   /* 0 without FreeRTOS */\n\
             #define tband_configFORMAT TBAND_FORMAT_PACKETS\n#define tband_configUSE_BACKEND_SNAPSHOT 1",
        );
        if !is_old {
            kernel::examine_config(&mut diagnosis, kernel_config, sources, (None, &flags));
        }
        port::examine(&mut diagnosis, port, root, sources, (None, &cpu));
        return Ok(diagnosis);
    };
    let macros = Macros { header: Header::read(config, &files.headers), build: &build };
    let place = config.display().to_string();
    examine_names(&mut diagnosis, config);
    let enabled = macros.get("tband_configENABLE");
    if !enabled.may_be_on(false) {
        let place = place_of(&enabled, &place);
        diagnosis.finding(
            "tband_configENABLE",
            place,
            "tband is off: nothing is recorded",
            "#define tband_configENABLE 1",
        );
    }
    let traces = macros.get("tband_configFREERTOS_TRACE_ENABLE");
    // The hooks refuse an older kernel, so its events cannot be missed.
    let is_recordable = !is_old || traces.may_be_on(false);
    let has_kernel = is_recordable && (kernel_config.is_some() || !files.kernels.is_empty());
    if has_kernel && !traces.may_be_on(false) {
        diagnosis.finding(
            "tband_configFREERTOS_TRACE_ENABLE",
            place_of(&traces, &place),
            "the kernel's events are not recorded, only your own",
            "#define tband_configFREERTOS_TRACE_ENABLE 1",
        );
    }
    let format = macros.get("tband_configFORMAT");
    let chosen: Vec<_> =
        BACKENDS.iter().filter(|(name, _)| macros.get(name).may_be_on(false)).collect();
    let sure = chosen.iter().filter(|(name, _)| macros.get(name) != Macro::Unsure).count();
    let advice = "choose one, for example #define tband_configUSE_BACKEND_SNAPSHOT 1";
    match (chosen.as_slice(), sure) {
        ([], _) => diagnosis.finding("a backend", place, "tband has nowhere to record to", advice),
        (_, 2..) => diagnosis.finding(
            "one backend",
            place,
            "several are chosen, and the build ends",
            advice,
        ),
        _ => {}
    }
    let is_wanted = traces.may_be_on(false);
    let of_tband = Some(&macros).filter(|_| is_wanted);
    if is_recordable {
        kernel::examine_config(&mut diagnosis, kernel_config, sources, (of_tband, &flags));
    }
    port::examine(&mut diagnosis, port, root, sources, (Some(&macros.header), &cpu));
    let mut commands: Vec<_> =
        files.build.iter().flat_map(|(path, text)| cmake::commands(path, text)).collect();
    cmake::expand(&mut commands);
    kernel::examine_use(&mut diagnosis, &commands, &files);
    kernel::examine_cmake(&mut diagnosis, &commands, sources, has_kernel && is_wanted);
    // Its sources are compiled until init replaces them, with lines by which CMake finds the version.
    let replaced =
        paths::of_tonbandgeraet(&named).next().filter(|it| it.file.ends_with("CMakeLists.txt"));
    if let Some(it) = replaced {
        diagnosis.fact("recorder", format!("Tonbandgerät, {}:{}", it.file, it.line));
        diagnosis.next = "replace Tonbandgerät: tband-cli init";
    }
    let is_found = kernel::is_found_by_cmake(&commands, &build) || replaced.is_some();
    let is_named = macros.get("tband_configFREERTOS_VERSION") != Macro::Unset;
    if kernel_config.is_some() && is_wanted && version.is_none() && !is_found && !is_named {
        diagnosis.next = WITHOUT_VERSION;
    }
    let project = Project {
        files: &files,
        build: &build,
        config,
        kernel: kernel_config,
        port,
        cpu: &cpu,
        found_version: is_found.then_some(version),
    };
    let compiled = compilation::compile(&project);
    compilation::report(&mut diagnosis, &project, &compiled);
    let settings = compiled.settings;
    if let ([(_, backend)], 1) = (chosen.as_slice(), sure)
        && !commands.iter().any(kernel::is_outside)
    {
        start::examine(&mut diagnosis, &files, *backend);
    }
    let is_packets = settings.is_packets.filter(|_| format != Macro::Unsure);
    if let ([(_, backend)], Some(is_packets), 1) = (chosen.as_slice(), is_packets, sure) {
        let name = if is_packets { "packets" } else { "frames" };
        diagnosis
            .fact("tband_config.h", format!("{}: {name}, {}", config.display(), backend.name()));
        let ring = match (is_packets, backend) {
            (true, _) => settings
                .packet_count
                .zip(settings.packet_size)
                .and_then(|(count, size)| count.checked_mul(size)),
            (false, Snapshot) => settings.snapshot_size,
            (false, _) => None,
        };
        let cores = settings.cores.filter(|_| port.is_some());
        let kind = MeasuredPart { backend: *backend, is_packets, cpu, cores };
        cost::add_estimate(&mut diagnosis, &kind, &settings, ring);
        let whole = ring.and_then(|it| it.checked_mul(cores.unwrap_or(1)));
        cost::add_rate(&mut diagnosis, &kind, rate, whole);
    } else {
        diagnosis.fact(
            "tband_config.h",
            format!("{}: the build chooses what to record into", config.display()),
        );
    }
    Ok(diagnosis)
}
