//! ESP-IDF: the component, in a mock of ESP-IDF's CMake with the imitation of its kernel.

use std::path::Path;
use std::process::Command;

use tband_tests::{ProgramOutput, finish, read, root, temp_dir, write};
use xtask::dist;

use crate::library;

const MAIN: &str = "#include \"FreeRTOS.h\"\n\
    #include \"task.h\"\n\
    #include \"tband.h\"\n\
    #include \"tband_esp.h\"\n\
    int64_t esp_timer_get_time(void);\n\
    int64_t esp_timer_get_time(void) { return 1; }\n\
    BaseType_t xPortGetCoreID(void) { return 0; }\n\
    void imitation_ask_for_switch(void) {}\n\
    int main(void) {\n\
      const int failed = tband_esp_start();\n\
      const TaskHandle_t task = xTaskCreatePinnedToCore(\"task\", 1, 0);\n\
      vTaskStartScheduler(task, task);\n\
      tband_evtmarker(1, \"here\");\n\
      return failed + tband_stop_snapshot();\n\
    }\n";

/// One build of a project with the component.
struct Build<'a> {
    /// ESP-IDF's version, for example `5.5`.
    idf: &'a str,
    chip: &'a str,
    march: &'a str,
    /// What menuconfig has set, without `CONFIG_`.
    settings: &'a [&'a str],
    library: Option<&'a Path>,
    /// The folder of the component: its own, or the root.
    component: &'a str,
}

impl Build<'_> {
    fn run(&self, folder: &Path) -> ProgramOutput {
        write(
            folder.join("CMakeLists.txt"),
            read(root().join("tests/boards/esp_idf/CMakeLists.txt")),
        );
        write(folder.join("main.c"), MAIN);
        let (major, minor) = self.idf.split_once('.').expect("a version");
        let mut sdkconfig = format!(
            "#pragma once\n#define IMITATION_IDF {major}0{minor}00\n#define IMITATION_CORES 1\n\
             #define CONFIG_FREERTOS_UNICORE 1\n#define CONFIG_TBAND_PACKET_COUNT 4\n"
        );
        for setting in self.settings {
            sdkconfig += &format!("#define CONFIG_{setting} 1\n");
        }
        write(folder.join("sdkconfig/sdkconfig.h"), sdkconfig);
        let errors =
            "typedef int esp_err_t;\n#define ESP_OK 0\n#define ESP_ERR_INVALID_STATE 0x103\n";
        write(folder.join("sdkconfig/esp_err.h"), errors);
        let mut cmake = Command::new("cmake");
        cmake.env("IDF_VERSION", format!("{}.0", self.idf));
        cmake.arg("-S").arg(folder).arg("-B").arg(folder.join("build"));
        let settings = [&["TBAND_PACKET_COUNT"], self.settings].concat().join(";");
        for setting in [
            "CMAKE_SYSTEM_NAME=Generic".to_owned(),
            "CMAKE_C_COMPILER=riscv64-unknown-elf-gcc".to_owned(),
            "CMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY".to_owned(),
            format!(
                "CMAKE_C_FLAGS=-march={} -mabi=ilp32 -misa-spec=2.2 --specs=picolibc.specs -Wall -Werror",
                self.march
            ),
            format!("IDF_TARGET={}", self.chip),
            format!("SETTINGS={settings}"),
            format!("STAND_IN={}", root().join("tests/ports/chips").display()),
            format!("IMITATION={}", root().join("tests/esp_idf/imitation").display()),
            format!("COMPONENT={}", root().join(self.component).display()),
            format!(
                "TBAND_LIBRARY={}",
                self.library.map(|path| path.display().to_string()).unwrap_or_default()
            ),
        ] {
            cmake.arg(format!("-D{setting}"));
        }
        let configured = finish(&mut cmake);
        if configured.ok {
            finish(Command::new("cmake").arg("--build").arg(folder.join("build")))
        } else {
            configured
        }
    }
}

const KERNEL: [&str; 3] = ["TBAND_FREERTOS", "TBAND_TRANSPORT_MEMORY", "ESP_TRACE_LIB_EXTERNAL"];

/// The words of a message, whose lines CMake breaks.
fn words(output: &str) -> String {
    output.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// By each of the two ways to the kernel, and from each of the two folders. The imitation does not compile without the hooks.
#[test]
fn the_component_and_the_kernel_are_built_together() {
    let library = library("riscv32imac-unknown-none-elf");
    for (idf, component) in
        [("5.1", "esp-idf/tband"), ("5.5", "."), ("6.0", "esp-idf/tband"), ("6.1", ".")]
    {
        let folder = temp_dir();
        let build = Build {
            idf,
            chip: "esp32c6",
            march: "rv32imac",
            settings: &KERNEL,
            library: Some(&library),
            component,
        };
        let built = build.run(folder.path());
        assert!(built.ok, "ESP-IDF {idf}: {}", built.text());
    }
}

#[test]
fn a_missing_tool_is_reported() {
    let library = library("riscv32imac-unknown-none-elf");
    let build = |idf, chip, settings, library| {
        let folder = temp_dir();
        let component = "esp-idf/tband";
        let built = Build { idf, chip, march: "rv32imac", settings, library, component };
        let output = built.run(folder.path());
        assert!(!output.ok, "{}", output.text());
        words(&output.text())
    };
    let output = build("6.0", "esp32c6", &KERNEL[..2], Some(library.as_path()));
    assert!(output.contains("CONFIG_ESP_TRACE_LIB_EXTERNAL=y"), "{output}");
    let output = build("5.5", "esp32h4", &KERNEL, None);
    assert!(output.contains("there is no library for esp32h4"), "{output}");
    let output = build("6.0", "linux", &KERNEL, Some(library.as_path()));
    assert!(output.contains("not for ESP-IDF's simulator (target linux)"), "{output}");
    // Espressif's Rust is not on this machine.
    let output = build("5.5", "esp32s3", &KERNEL, None);
    assert!(output.contains("cargo +esp build -Zbuild-std=core"), "{output}");
    assert!(output.contains("--target xtensa-esp32s3-none-elf"), "{output}");
}

#[test]
fn the_manifests_are_of_this_version() {
    let manifest = read(root().join("esp-idf/tband/idf_component.yml"));
    assert!(manifest.starts_with(&format!("version: \"{}\"\n", dist::VERSION)), "{manifest}");
    let component = read(root().join("esp-idf/tband/CMakeLists.txt"));
    // Each chip that it names has a library, and the other way round.
    let chips = manifest.lines().filter_map(|line| line.strip_prefix("  - esp32"));
    let named: Vec<_> = chips.collect();
    assert!(named.len() > 4, "{named:?}");
    let known: Vec<_> = component
        .split("^esp32(")
        .skip(1)
        .flat_map(|part| part.split(')').next().unwrap_or_default().split('|'))
        .collect();
    assert_eq!(named, known);
    // The root's is the same, and lists the files that a registry gets.
    let whole = read(root().join("idf_component.yml"));
    assert!(whole.starts_with(&manifest), "{whole}");
    for folder in ["esp-idf", "include", "freertos-hooks", "port", "lib", "tband-ffi", "tband-core"]
    {
        assert!(whole.contains(&format!("    - {folder}/**/*\n")), "{folder}");
    }
}

/// Every setting that sources and fragment use is in the menu.
#[test]
fn the_menu_has_the_settings_that_are_used() {
    let folder = root().join("esp-idf/tband");
    let menu = read(folder.join("Kconfig"));
    let mut used = std::collections::BTreeSet::new();
    let transports = ["uart", "usb_serial_jtag", "tcp", "start"];
    let sources = transports.map(|name| format!("transport/tband_esp_{name}.c"));
    let others = ["config/tband_config.h", "CMakeLists.txt", "linker.lf"].map(str::to_owned);
    for file in sources.iter().chain(&others) {
        let text = read(folder.join(file));
        let is_name =
            |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
        let names = text.split(|letter| !is_name(letter));
        used.extend(
            names
                .map(|name| name.trim_start_matches("CONFIG_"))
                .filter(|name| {
                    ["TBAND_UART", "TBAND_TCP", "TBAND_T", "TBAND_P", "TBAND_F", "TBAND_I"]
                        .iter()
                        .any(|start| name.starts_with(start))
                })
                .filter(|name| !["TBAND_FORMAT_PACKETS", "TBAND_TRANSPORT_"].contains(name))
                .map(str::to_owned),
        );
    }
    assert!(used.len() > 8, "{used:?}");
    for name in &used {
        assert!(menu.contains(&format!("config {name}\n")), "{name} is not in the menu");
    }
}

/// ESP-IDF's `ldgen` takes an `else` for that of the last `if` before it, at whatever indentation.
#[test]
fn the_fragment_nests_no_conditions() {
    let fragment = read(root().join("esp-idf/tband/linker.lf"));
    let (_, entries) = fragment.split_once("entries:\n").expect("entries");
    for line in entries.lines() {
        let text = line.trim_start();
        let is_condition = text.starts_with("if ") || text.starts_with("else");
        assert!(!is_condition || line.len() - text.len() == 4, "{line}");
    }
}
