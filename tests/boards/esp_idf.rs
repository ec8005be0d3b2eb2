//! ESP-IDF: the component, in a stand-in for ESP-IDF's CMake, with the files that the page says.

use std::fs;
use std::path::Path;
use std::process::Command;

use tband_tests::{Finished, finish, guide, read, root, temp_dir, write};
use xtask::dist;

use crate::{library, page};

const MAIN: &str = "#include \"tband.h\"\n\
    int64_t esp_timer_get_time(void);\n\
    int64_t esp_timer_get_time(void) { return 1; }\n\
    int main(void) {\n\
      const int failed = tband_trigger_snapshot();\n\
      tband_evtmarker(1, \"here\");\n\
      return failed + tband_stop_snapshot();\n\
    }\n";

fn build(folder: &Path, chip: &str, march: &str, library: Option<&Path>) -> Finished {
    let stand_in = root().join("tests/ports/chips");
    write(folder.join("CMakeLists.txt"), read(root().join("tests/boards/esp_idf/CMakeLists.txt")));
    write(folder.join("main.c"), MAIN);
    let mut cmake = Command::new("cmake");
    cmake.arg("-S").arg(folder).arg("-B").arg(folder.join("build"));
    for setting in [
        "CMAKE_SYSTEM_NAME=Generic".to_owned(),
        "CMAKE_C_COMPILER=riscv64-unknown-elf-gcc".to_owned(),
        "CMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY".to_owned(),
        format!(
            "CMAKE_C_FLAGS=-march={march} -mabi=ilp32 -misa-spec=2.2 --specs=picolibc.specs -Wall -Werror"
        ),
        format!("IDF_TARGET={chip}"),
        format!("STAND_IN={}", stand_in.display()),
        format!("COMPONENT={}", root().join("esp-idf/tband").display()),
        format!(
            "TBAND_LIBRARY={}",
            library.map(|path| path.display().to_string()).unwrap_or_default()
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

#[test]
fn the_component_is_built_with_the_page_s_files() {
    let folder = temp_dir();
    let folder = folder.path();
    let library = library("riscv32imac-unknown-none-elf");
    let said = build(folder, "esp32c6", "rv32imac", Some(&library)).text();
    assert!(said.contains("port/ESP_IDF/tband_port.h"), "{said}");

    write(folder.join("config/tband_config.h"), guide::block(&page("esp-idf"), "Files", "c"));
    fs::copy(root().join("port/ESP_IDF/tband_port.h"), folder.join("config/tband_port.h"))
        .expect("copied");
    let built = build(folder, "esp32c6", "rv32imac", Some(&library));
    assert!(built.ok, "{}", built.text());

    // What it says where there is no library.
    for (chip, says) in [
        ("esp32c3", "rustup target add riscv32imc-unknown-none-elf"),
        ("esp32", "there is no library for esp32"),
    ] {
        let said = build(folder, chip, "rv32imc", None).text();
        assert!(said.split_whitespace().collect::<Vec<_>>().join(" ").contains(says), "{said}");
    }
}

#[test]
fn the_manifest_is_of_this_version() {
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
}
