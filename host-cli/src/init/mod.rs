//! `init`: adds the recorder to a project. It writes new files, and shows or applies a patch of the user's files.

mod change;
mod config;
mod edit;
mod environment;
mod kernel;
mod part;
mod plan;
mod project;
mod record;
mod remove;
mod text;
mod timer;
mod tonbandgeraet;

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use tband_conv::counted;
use tband_report::printable::printable;

use self::edit::{Edits, RECORDING};
use self::plan::Plan;
use self::project::Project;
use self::timer::Timer;
use crate::Outcome;
use crate::args::InitArgs;
use crate::doctor::headers::version_text;
use crate::output::{self, print};
use crate::report::Report;
use crate::sdk::Sdk;
use crate::syntax::text::shown;

pub fn run(args: &InitArgs, report: &Report) -> anyhow::Result<Outcome> {
    let folder = &args.folder;
    let kind = fs::metadata(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    ensure!(kind.is_dir(), "{} is not a folder; name the folder of a project", folder.display());
    if args.remove {
        return remove::run(args, report);
    }
    let sdk = Sdk::open(args.sdk.as_deref())?;
    let project = Project::of(args, &sdk)?;
    describe(&project, report);
    refuse_other_macros(&project)?;
    let edits = Edits::of(&project);
    let plan = Plan::of(&project, &edits, args.apply)?;
    plan.make(&project)?;
    for name in &plan.kept {
        report.warn(&format!("{name} is kept: you have changed it"));
    }
    if plan.is_empty() {
        report.line("nothing to change");
    }
    if !plan.created.is_empty() {
        let is_used =
            |folder: &&String| plan.created.iter().any(|it| it.starts_with(&format!("{folder}/")));
        let folders = [&project.dir, &project.config_dir].into_iter().filter(is_used);
        let folders: Vec<_> = folders.map(String::as_str).collect();
        report.line(&format!(
            "written     {} in {}",
            counted(plan.created.len(), "file"),
            folders.join(" and ")
        ));
    }
    for name in &plan.changed {
        report.line(&format!("changed     {name}"));
    }
    if !plan.patch.is_empty() {
        // On a terminal no file may control it.
        let is_shown = output::is_terminal(Path::new("-"));
        let text = String::from_utf8_lossy(&plan.patch);
        let lines = text.lines().map(|line| printable(line) + "\n");
        let shown: String = if is_shown { lines.collect() } else { String::new() };
        print(if is_shown { shown.as_bytes() } else { &plan.patch })?;
        report.line(
            "the patch is not applied: run this again with --apply, or use patch -p1 in the folder",
        );
    }
    for step in &edits.steps {
        // Several lines, as text.
        report.line("");
        shown(step).lines().for_each(|line| report.line(line));
    }
    if !edits.steps.is_empty() {
        report.line("");
        report.line(&format!("guide: {}", guide(&project)));
    }
    Ok(Outcome::of(edits.steps.is_empty() && plan.kept.is_empty()))
}

/// The guide's page for a project.
fn guide(project: &Project<'_>) -> String {
    let page = project.environments.first().map_or("start/installing.md", |it| it.page());
    format!("docs/src/guide/{page}")
}

/// Prints the results of the survey.
fn describe(project: &Project<'_>, report: &Report) {
    let fact = |name: &str, text: &str| report.line(&format!("{name:<11} {}", shown(text)));
    let names: Vec<_> = project.environments.iter().map(|it| it.name()).collect();
    fact("project", &names.join(", "));
    fact("CPU", &format!("{} ({})", project.cpu.name(), project.cpu_place));
    fact("library", project.cpu.target);
    match (&project.kernel, project.recorded()) {
        (None, _) if project.environments.iter().any(|it| it.has_own_kernel()) => {
            fact("kernel", "of the environment: markers, values and interrupts are recorded");
        }
        (None, _) => fact("kernel", "none: bare metal"),
        (Some(kernel), recorded) => {
            let version = kernel.version.as_ref().map(|(version, path)| {
                format!("FreeRTOS {} ({})", version_text(*version), project.survey.name(path))
            });
            let version =
                version.unwrap_or_else(|| "FreeRTOS, its version is not in the folder".to_owned());
            fact("kernel", &version);
            if let Some(place) = &kernel.config_place {
                fact("config", &format!("{} ({place})", project.survey.name(&kernel.config)));
            }
            if recorded.is_none() {
                report.warn("this kernel is older than V10.1: only markers, values and interrupts are recorded");
            }
        }
    }
    fact("timer", &project.timer.place);
    match () {
        () if project.tonbandgeraet.is_some() => {
            fact("recorder", "Tonbandgerät, which tband replaces: your headers and calls stay");
        }
        () if matches!(project.timer.timer, Timer::Posix) => {
            fact("recording", &format!("{RECORDING}, where the program runs"));
        }
        () if matches!(project.timer.timer, Timer::Windows) => {
            fact("recording", "your program writes it: port/WINDOWS_FREERTOS/README.md");
        }
        () => {}
    }
    if let Some(place) = &project.simulated {
        report.note(&format!(
            "{place}: the project has a build for a computer too, which --cpu names, as x86_64-linux"
        ));
    }
    for name in &project.survey.too_large {
        report.warn(&format!("{name} is too large, and was not examined"));
    }
    for name in &project.survey.others {
        report.note(&format!("{name} is another project of CubeMX, and was not examined"));
    }
    let Some(other) = project.recorded().and_then(|it| it.other.as_ref()) else { return };
    let macros = if other.macros.is_empty() {
        "its header is not in the folder".to_owned()
    } else {
        format!("both define {} macros: {}", other.macros.len(), other.macros.join(", "))
    };
    report
        .warn(&format!("{} uses the kernel's trace macros: {}; {macros}", other.name, other.place));
    if !other.lines.is_empty() {
        report.note("a build has one recorder: the patch takes its lines out; guide: docs/src/guide/start/moving.md");
    }
}

/// Fails if other code defines the kernel's macros in a place that the patch cannot change.
fn refuse_other_macros(project: &Project<'_>) -> anyhow::Result<()> {
    let Some(other) = project.recorded().and_then(|it| it.other.as_ref()) else { return Ok(()) };
    ensure!(
        !other.lines.is_empty(),
        "{} defines {} that tband defines too: {}. Remove them, or read docs/src/guide/firmware/freertos.md#your-own-trace-macros",
        other.place,
        if other.macros.len() == 1 { "a macro" } else { "macros" },
        other.macros.join(", ")
    );
    Ok(())
}
