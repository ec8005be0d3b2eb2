//! Names that tband's headers bring into a user's program: macros. `archive` looks at the symbols of the
//! library.

use std::collections::BTreeSet;

use tband_tests::c::{Standard, compiler, config_text, include, includes};
use tband_tests::{root, run, temp_dir, write};

/// Names of the macros that are defined after this text.
fn macros(config: &str, text: &str) -> BTreeSet<String> {
    let folder = temp_dir();
    write(folder.path().join("tband_config.h"), config);
    let source = folder.path().join("macros.c");
    write(&source, text);
    let mut command = compiler(Standard::C11);
    include(&mut command, [folder.path()]);
    include(&mut command, includes());
    include(&mut command, [root().join("port")]);
    let listing = run(command.args(["-dM", "-E"]).arg(source));
    let listing = String::from_utf8(listing).expect("text");
    listing
        .lines()
        .filter_map(|line| line.strip_prefix("#define "))
        .filter_map(|line| line.split(['(', ' ']).next())
        .map(str::to_owned)
        .collect()
}

/// What `tband.h` includes.
const STANDARD_HEADERS: &str = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\
                                #include <stdlib.h>\n";

#[test]
fn every_macro_starts_with_tband_or_is_a_hook_of_the_kernel() {
    let before = macros("", STANDARD_HEADERS);
    let mut hooks = 0;
    let on = |backend: &str, kernel: &str| {
        let backend = format!("tband_configUSE_BACKEND_{backend}");
        config_text(&[(&backend, "1"), ("tband_configFREERTOS_TRACE_ENABLE", kernel)])
    };
    let configs = [String::new(), on("STREAMING", "0"), on("SNAPSHOT", "1"), on("EXTERNAL", "1")];
    for config in &configs {
        let with_kernel = config.contains("FREERTOS_TRACE_ENABLE 1");
        let text = format!("{STANDARD_HEADERS}#include \"tband.h\"\n");
        let added: Vec<_> = macros(config, &text).difference(&before).cloned().collect();
        assert!(added.len() > 80, "{added:?}");
        for name in added {
            let hook = name.strip_prefix("trace").is_some_and(|rest| {
                with_kernel && rest.starts_with(|first: char| first.is_ascii_uppercase())
            });
            hooks += usize::from(hook);
            assert!(
                hook || name.starts_with("tband_") || name.starts_with("TBAND_"),
                "{name} is defined by\n{config}"
            );
        }
    }
    assert!(hooks > 20, "{hooks}");
}

#[test]
fn so_do_the_macros_of_ports() {
    let before = macros("", STANDARD_HEADERS);
    let folders = std::fs::read_dir(root().join("port")).expect("a folder");
    let names = folders.map(|entry| entry.expect("an entry").file_name().into_string());
    // Ports for a kernel or an SDK bring its macros in; what they add themselves is in files that others share.
    let ports: Vec<_> = names
        .map(|name| name.expect("text"))
        .filter(|name| root().join("port").join(name).join("tband_port.h").is_file())
        .filter(|name| !name.ends_with("_FREERTOS") || name == "POSIX_FREERTOS")
        .filter(|name| name != "ESP_IDF")
        .collect();
    assert!(ports.len() >= 3, "{ports:?}");
    for port in ports {
        // What the user has to say.
        let clock = match port.as_str() {
            "POSIX_FREERTOS" => "",
            "template" => "#define tband_portTIMESTAMP_FREQUENCY_HZ 1000000\n",
            _ => "#define tband_portCPU_CLOCK_HZ 64000000\n",
        };
        let text = format!("{STANDARD_HEADERS}{clock}#include \"{port}/tband_port.h\"\n");
        let added: Vec<_> = macros("", &text).difference(&before).cloned().collect();
        assert!(added.len() > 5, "{added:?}");
        for name in added {
            assert!(name.starts_with("tband_") || name.starts_with("TBAND_"), "{port}: {name}");
        }
    }
}
