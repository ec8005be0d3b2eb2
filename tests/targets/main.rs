//! Which library CMake chooses for a compiler and its flags, and that firmware links with each: with
//! everything that a backend can call, on cores with and without atomic instructions.
//!
//! The firmware is not run here; tests/qemu does that where QEMU has the core.

mod names;
mod release;

use std::path::{Path, PathBuf};
use std::process::Command;

use tband_tests::{root, run, write};

/// A firmware that calls the whole interface. Its transport is a pin.
const MAIN: &str = r#"
#include "tband.h"

volatile uint32_t ticks;
volatile uint8_t pin;

bool send(const uint8_t *data, size_t len) {
  for (size_t i = 0; i < len; i++) pin = data[i];
  return false;
}

int main(void) {
  tband_gather_system_metadata();
  tband_isr_name(1, "an interrupt");
#if tband_configUSE_BACKEND_STREAMING
  if (tband_start_streaming() != 0 || tband_stop_streaming() != 0) return 1;
  if (tband_restart_streaming() != 0) return 1;
#else
  if (tband_trigger_snapshot() != 0) return 1;
#endif
  tband_isr_enter(1);
  tband_isr_exit(1);
  tband_evtmarker_begin(1, "text");
  tband_evtmarker_end(1);
  tband_valmarker(1, -123456789012345);
#if tband_configUSE_BACKEND_SNAPSHOT
  if (tband_stop_snapshot() != 0) return 1;
  for (size_t at = 0; at < tband_get_core_snapshot_buf_amnt(0); at++)
    pin = tband_get_core_snapshot_buf(0)[at];
  if (tband_reset_snapshot() != 0) return 1;
#endif
  return (int)tband_get_dropped_evt_cnt() + tband_tracing_finished();
}
"#;

const PORT: &str = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\
    extern volatile uint32_t ticks;\n\
    bool send(const uint8_t *data, size_t len);\n\
    #define tband_portBACKEND_STREAM_DATA(buf, len) send((buf), (len))\n\
    #ifdef __riscv\n\
    #define tband_portTIMESTAMP() ((uint64_t)ticks)\n\
    #define tband_portTIMESTAMP_RESOLUTION_NS (1000)\n\
    #include \"tband_riscv.h\"\n\
    #else\n\
    #define tband_portCOUNTER32() ticks\n\
    #define tband_portCOUNTER32_HZ 1000000\n\
    #include \"tband_cortex_m.h\"\n\
    #endif\n";

const LISTS: &str = r"cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
add_library(tband_config INTERFACE)
target_include_directories(tband_config INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/config)
target_compile_definitions(tband_config INTERFACE
  tband_configENABLE=1 tband_configUSE_BACKEND_${BACKEND}=1
  tband_configBACKEND_SNAPSHOT_BUF_SIZE=1024)
add_subdirectory(${TBAND} tband)
add_executable(user main.c)
target_link_libraries(user PRIVATE tband::tband)
target_link_options(user PRIVATE -Wl,--gc-sections -Wl,--fatal-warnings)
";

struct Target {
    name: &'static str,
    compiler: &'static str,
    flags: &'static str,
    triple: &'static str,
}

const fn arm(name: &'static str, flags: &'static str, triple: &'static str) -> Target {
    Target { name, compiler: "arm-none-eabi-gcc", flags, triple }
}

const fn riscv(name: &'static str, flags: &'static str, triple: &'static str) -> Target {
    Target { name, compiler: "riscv64-unknown-elf-gcc", flags, triple }
}

const TARGETS: &[Target] = &[
    arm("m0", "-mcpu=cortex-m0 -mthumb", "thumbv6m-none-eabi"),
    arm("m0plus", "-mcpu=cortex-m0plus -mthumb", "thumbv6m-none-eabi"),
    arm("m3", "-mcpu=cortex-m3 -mthumb", "thumbv7m-none-eabi"),
    arm("m3-lto", "-mcpu=cortex-m3 -mthumb -flto", "thumbv7m-none-eabi"),
    arm("m4", "-mcpu=cortex-m4 -mthumb", "thumbv7em-none-eabi"),
    arm(
        "m4-softfp",
        "-mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=softfp",
        "thumbv7em-none-eabi",
    ),
    arm(
        "m4-hard",
        "-mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard",
        "thumbv7em-none-eabihf",
    ),
    arm("m7", "-mcpu=cortex-m7 -mthumb -mfloat-abi=soft", "thumbv7em-none-eabi"),
    arm(
        "m7-hard",
        "-mcpu=cortex-m7 -mthumb -mfpu=fpv5-d16 -mfloat-abi=hard",
        "thumbv7em-none-eabihf",
    ),
    arm("m33", "-mcpu=cortex-m33+nofp -mthumb", "thumbv8m.main-none-eabi"),
    arm(
        "m33-hard",
        "-mcpu=cortex-m33 -mthumb -mfpu=fpv5-sp-d16 -mfloat-abi=hard",
        "thumbv8m.main-none-eabihf",
    ),
    riscv(
        "rv32imac",
        "-march=rv32imac -mabi=ilp32 -misa-spec=2.2 --specs=picolibc.specs",
        "riscv32imac-unknown-none-elf",
    ),
];

impl Target {
    /// Writes the user's project and runs CMake's first step; the build folder.
    fn configured(&self, purpose: &str, backend: &str, library: Option<&Path>) -> PathBuf {
        let source = root().join("target/test-targets").join(purpose).join(self.name);
        write(source.join("CMakeLists.txt"), LISTS);
        write(source.join("main.c"), MAIN);
        write(source.join("config/tband_config.h"), "");
        write(source.join("config/tband_port.h"), PORT);
        write(
            source.join("toolchain.cmake"),
            format!(
                "set(CMAKE_SYSTEM_NAME Generic)\n\
                 set(CMAKE_C_COMPILER {})\n\
                 set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)\n",
                self.compiler
            ),
        );
        let build = source.join(format!("build-{backend}"));
        let mut cmake = Command::new("cmake");
        cmake.args(["-G", "Ninja"]).arg("-S").arg(&source).arg("-B").arg(&build);
        cmake.arg(format!("-DCMAKE_TOOLCHAIN_FILE={}", source.join("toolchain.cmake").display()));
        cmake.arg(format!("-DTBAND={}", root().display())).arg(format!("-DBACKEND={backend}"));
        // Not by the toolchain file: that is read only the first time.
        let specs = if self.compiler.starts_with("arm") { "--specs=nosys.specs" } else { "" };
        cmake.arg(format!("-DCMAKE_C_FLAGS={}", self.flags));
        cmake.arg(format!("-DCMAKE_EXE_LINKER_FLAGS={specs}"));
        // Also if there is none: CMake remembers the one of the last time.
        let library = library.map(|library| library.display().to_string()).unwrap_or_default();
        cmake.arg(format!("-DTBAND_LIBRARY={library}"));
        for name in ["CC", "CFLAGS", "LDFLAGS", "CMAKE_GENERATOR"] {
            cmake.env_remove(name);
        }
        run(&mut cmake);
        build
    }
}

/// What CMake would build for each set of flags, without building it.
#[test]
fn flags_name_the_library() {
    for target in TARGETS {
        let build = target.configured("choice", "SNAPSHOT", None);
        let rules = tband_tests::read(build.join("build.ninja"));
        let wanted = format!("-DTBAND_TRIPLE={} ", target.triple);
        assert!(rules.contains(&wanted), "{}: not {}", target.name, target.triple);
    }
}
