//! What the hooks take from the kernel is there: constants, fields, hooks and their parameters.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use tband_format::api::API_FUNCTIONS;
use tband_format::classes::{CLASSES, STATED};
use tband_tests::c::{Standard, compiler, config_text, include, includes};
use tband_tests::kernel::{FREERTOS_CONFIG, includes as kernel_includes, sources as kernel};
use tband_tests::{read, root, run, temp_dir, write};
use xtask::coverage::definitions;

#[test]
fn constants_are_what_the_hooks_take_them_for() {
    let folder = temp_dir();
    write(
        folder.path().join("FreeRTOSConfig.h"),
        FREERTOS_CONFIG.replace("#include \"tband.h\"", ""),
    );
    let mut options = vec!["-I".to_owned(), folder.path().display().to_string()];
    for include in kernel_includes() {
        options.extend(["-I".to_owned(), include.display().to_string()]);
    }
    // As enumerators, since bindgen does not evaluate the kernel's casts.
    let text = "#include \"FreeRTOS.h\"\n#include \"task.h\"\n#include \"queue.h\"\n\
                enum kernel {\n\
                BASE = queueQUEUE_TYPE_BASE,\n\
                MUTEX = queueQUEUE_TYPE_MUTEX,\n\
                COUNTING = queueQUEUE_TYPE_COUNTING_SEMAPHORE,\n\
                BINARY = queueQUEUE_TYPE_BINARY_SEMAPHORE,\n\
                RECURSIVE = queueQUEUE_TYPE_RECURSIVE_MUTEX,\n\
                SET = queueQUEUE_TYPE_SET,\n\
                TO_BACK = queueSEND_TO_BACK,\n\
                OVERWRITE = queueOVERWRITE,\n\
                MAJOR = tskKERNEL_VERSION_MAJOR,\n\
                MINOR = tskKERNEL_VERSION_MINOR,\n\
                };\n";
    let bindings = crate::bindings(text, ".*reader\\.h", &options);
    let values = crate::constants(&syn::parse_file(&bindings).expect("Rust"));
    let value = |name: &str| {
        *values.get(&format!("kernel_{name}")).unwrap_or_else(|| panic!("no {name} in {values:?}"))
    };
    assert_eq!((value("MAJOR"), value("MINOR")), (11, 2), "the kernel that the hooks are for");
    // Kinds are distinguished by their numbers, which must differ and fit the hook's uint8_t.
    let kinds = ["BASE", "MUTEX", "COUNTING", "BINARY", "RECURSIVE", "SET"].map(value);
    let distinct: BTreeSet<_> = kinds.into_iter().collect();
    assert_eq!(distinct.len(), kinds.len(), "{kinds:?}");
    assert!(kinds.iter().all(|kind| *kind <= 255), "{kinds:?}");
    assert_ne!(value("TO_BACK"), value("OVERWRITE"));
}

/// Macros called `trace…`, with their number of parameters.
fn hooks(text: &str) -> BTreeMap<String, usize> {
    let mut hooks = definitions(text);
    hooks.retain(|name, _| name.starts_with("trace"));
    hooks
}

#[test]
fn every_hook_is_one_of_the_kernel_s_with_its_parameters() {
    let folder = project(|_| true);
    let source = folder.path().join("source.c");
    write(&source, "#include \"FreeRTOSConfig.h\"\n");
    let mut command = compiler(Standard::C11);
    include(&mut command, [folder.path()]);
    include(&mut command, includes());
    let definitions = run(command.args(["-E", "-dM"]).arg(&source));
    // The macros of the kernel are generated, and accept the arguments of any kernel; these are the hooks to which they expand.
    let definitions = String::from_utf8(definitions).expect("text");
    let ours: BTreeMap<String, usize> = xtask::coverage::definitions(&definitions)
        .into_iter()
        .filter_map(|(name, count)| {
            Some((format!("trace{}", name.strip_prefix("TBAND_ON_")?), count))
        })
        .collect();
    let theirs = hooks(&read(kernel().join("include/FreeRTOS.h")));
    assert!(ours.len() > 80, "{ours:?}");
    assert!(theirs.len() > 300, "{}", theirs.len());
    for (name, parameters) in &ours {
        assert_eq!(theirs.get(name), Some(parameters), "{name}");
    }
}

#[test]
fn the_functions_whose_calls_can_be_recorded_are_the_kernel_s() {
    let hooks = hooks(&read(kernel().join("include/FreeRTOS.h")));
    let after = |prefix: &str| -> BTreeSet<&str> {
        hooks.keys().filter_map(|name| name.strip_prefix(prefix)).collect()
    };
    let ours: BTreeSet<_> = API_FUNCTIONS.iter().copied().collect();
    assert_eq!(ours.len(), API_FUNCTIONS.len(), "a function is in the list twice");
    assert_eq!(ours, after("traceENTER_"));
    assert_eq!(ours, after("traceRETURN_"));
}

/// The kernel's files that call trace macros, but for the heaps.
pub const SOURCES: [&str; 6] =
    ["tasks.c", "queue.c", "timers.c", "event_groups.c", "stream_buffer.c", "list.c"];

/// The folder of a project that records the classes for which `wanted` is true.
fn project(wanted: impl Fn(&str) -> bool) -> tempfile::TempDir {
    let folder = temp_dir();
    write(folder.path().join("FreeRTOSConfig.h"), FREERTOS_CONFIG);
    let mut config = vec![
        ("tband_configUSE_BACKEND_STREAMING".to_owned(), "1"),
        ("tband_configFREERTOS_TRACE_ENABLE".to_owned(), "1"),
        ("tband_portISR_NUMBER()".to_owned(), "7"),
    ];
    for class in classes() {
        let value = if wanted(&class) { "1" } else { "0" };
        config.push((format!("tband_configFREERTOS_{class}_TRACE_ENABLE"), value));
    }
    let config: Vec<_> = config.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    write(folder.path().join("tband_config.h"), config_text(&config));
    folder
}

/// Names of the classes of FreeRTOS events.
fn classes() -> Vec<String> {
    let defaults = read(root().join("include/tband_config_defaults.h"));
    let classes: Vec<_> = defaults
        .lines()
        .filter_map(|line| line.strip_prefix("#ifndef tband_configFREERTOS_"))
        .filter_map(|name| name.strip_suffix("_TRACE_ENABLE"))
        .map(str::to_owned)
        .collect();
    assert!(classes.len() > 10, "{classes:?}");
    classes
}

/// Compiles a file of the kernel in a project.
fn compile(folder: &Path, source: &str, options: &[&str]) {
    let mut command = compiler(Standard::C11);
    command.args(["-Wall", "-Wextra", "-Werror"]).args(options);
    include(&mut command, [folder]);
    include(&mut command, kernel_includes());
    include(&mut command, includes());
    run(command.arg("-c").arg(kernel().join(source)));
}

/// Each class with one of the sources, which take turns; module `release` has all.
#[test]
fn the_kernel_s_sources_compile_with_each_class_alone() {
    sources_compile(|turn| &SOURCES[turn % 6..][..1]);
}

/// Those that the number of the class chooses.
pub fn sources_compile(sources: impl Fn(usize) -> &'static [&'static str]) {
    for (turn, class) in classes().into_iter().enumerate() {
        let folder = project(|other| other == class);
        for source in sources(turn) {
            compile(folder.path(), source, &["-fsyntax-only"]);
        }
    }
}

#[test]
fn the_kernel_s_sources_compile_with_the_hooks_and_call_them() {
    let folder = project(|_| true);
    let expected = [
        ("tasks.c", "tband_freertos_task_created"),
        ("tasks.c", "tband_record_metadata"),
        ("tasks.c", "tband_freertos_timer_task"),
        ("tasks.c", "tband_record_u32"),
        ("tasks.c", "tband_record_u32_u32"),
        ("queue.c", "tband_freertos_queue_created"),
        ("queue.c", "tband_record_u32"),
        ("queue.c", "tband_record_u32_u32"),
        ("queue.c", "tband_record_metadata"),
        ("tasks.c", "tband_freertos_stack_is_due"),
        ("tasks.c", "tband_record_numbers"),
        ("timers.c", "tband_freertos_timer_created"),
        ("timers.c", "tband_record_numbers"),
        ("event_groups.c", "tband_freertos_event_group_created"),
        ("event_groups.c", "tband_record_numbers"),
        ("stream_buffer.c", "tband_freertos_stream_buffer_created"),
        ("stream_buffer.c", "tband_record_numbers"),
        ("list.c", "tband_record_u32"),
        ("portable/MemMang/heap_1.c", "tband_record_numbers"),
        ("portable/MemMang/heap_2.c", "tband_record_numbers"),
        ("portable/MemMang/heap_3.c", "tband_record_numbers"),
        ("portable/MemMang/heap_4.c", "tband_record_numbers"),
        ("portable/MemMang/heap_5.c", "tband_record_numbers"),
    ];
    let sources: BTreeSet<_> = expected.iter().map(|(source, _)| *source).collect();
    for source in sources {
        let object = folder.path().join("object.o");
        compile(folder.path(), source, &["-o", &object.display().to_string()]);
        let undefined = run(Command::new("nm").arg("-u").arg(&object));
        let undefined = String::from_utf8(undefined).expect("text");
        for (_, function) in expected.iter().filter(|(file, _)| *file == source) {
            // Names of functions of the hooks contain the settings.
            let is_it =
                |word: &str| word == *function || word.starts_with(&format!("{function}_for_v"));
            let is_called = undefined.split_whitespace().any(is_it);
            assert!(is_called, "{source} does not call {function}:\n{undefined}");
        }
    }
}

/// The macros that switch a class, for the kernel's events and for those of the application.
fn switches() -> BTreeSet<String> {
    let defaults = read(root().join("include/tband_config_defaults.h"));
    defaults
        .lines()
        .filter_map(|line| line.strip_prefix("#ifndef "))
        .filter(|name| {
            name.ends_with("_TRACE_ENABLE") && *name != "tband_configFREERTOS_TRACE_ENABLE"
        })
        .map(str::to_owned)
        .collect()
}

/// Compiles the shim's constant with these classes on.
fn assert_flags(kernel: &str, on: &[&str], expected: u32) {
    let folder = temp_dir();
    let switches = switches();
    let mut config = vec![
        ("tband_configUSE_BACKEND_STREAMING", "1"),
        ("tband_configFREERTOS_TRACE_ENABLE", kernel),
        ("tband_portISR_NUMBER()", "7"),
    ];
    config.extend(
        switches
            .iter()
            .map(|name| (name.as_str(), if on.contains(&name.as_str()) { "1" } else { "0" })),
    );
    write(folder.path().join("tband_config.h"), config_text(&config));
    let source = folder.path().join("classes.c");
    let text = format!(
        "#include \"tband.h\"\n#include \"recorder/tband_classes.h\"\n\
         _Static_assert(TBAND_CLASSES == {expected}U, \"{}\");\n",
        on.join(" ")
    );
    write(&source, text);
    let mut command = compiler(Standard::C11);
    include(&mut command, [folder.path()]);
    include(&mut command, includes());
    include(&mut command, [root().join("port")]);
    run(command.arg("-fsyntax-only").arg(&source));
}

#[test]
fn each_class_sets_its_bit_of_trace_info() {
    let listed: BTreeSet<_> = CLASSES.iter().map(|class| class.switch.to_owned()).collect();
    assert_eq!(listed, switches(), "tband-format/src/classes/mod.rs has every class");
    let bits = CLASSES.iter().fold(0, |bits, class| bits | class.flag);
    assert_eq!(bits.count_ones() as usize, CLASSES.len(), "two classes share a bit");
    assert_eq!(bits & (STATED | 3), 0, "a bit of a class has another meaning");
    for class in CLASSES {
        assert_flags("1", &[class.switch], STATED | class.flag);
    }
    let all: Vec<_> = CLASSES.iter().map(|class| class.switch).collect();
    assert_flags("1", &all, STATED | bits);
    assert_flags("1", &[], STATED);
    // Without a kernel nothing is stated.
    assert_flags("0", &all, 0);
}
