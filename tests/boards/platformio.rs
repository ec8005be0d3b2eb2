//! PlatformIO: its manifest lists the existing files, and its script chooses the library, in a mock of PlatformIO's
//! environment.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tband_tests::{ProgramOutput, finish, read, root, temp_dir, write};
use xtask::dist;

fn manifest() -> Value {
    serde_json::from_str(&read(root().join("library.json"))).expect("JSON")
}

#[test]
fn the_manifest_names_what_is_there() {
    let manifest = manifest();
    assert_eq!(manifest["name"], "tband");
    assert_eq!(manifest["version"], dist::VERSION);
    assert_eq!(manifest["license"], "MIT OR Apache-2.0");
    let build = &manifest["build"];
    let texts = |value: &Value| -> Vec<String> {
        let texts = value.as_array().expect("a list").iter();
        texts.map(|text| text.as_str().expect("a text").to_owned()).collect()
    };
    let folder = build["includeDir"].as_str().expect("a folder");
    assert!(root().join(folder).join(manifest["headers"].as_str().expect("a header")).is_file());
    for flag in texts(&build["flags"]) {
        assert!(root().join(flag.strip_prefix("-I").expect("a folder")).is_dir(), "{flag}");
    }
    let sources = texts(&build["srcFilter"]);
    let sources: Vec<_> =
        sources.iter().filter_map(|it| it.strip_prefix("+<")?.strip_suffix('>')).collect();
    assert_eq!(sources, ["port/tband_shim.c", "freertos-hooks/tband_freertos.c"]);
    for file in sources.into_iter().chain(build["extraScript"].as_str()) {
        assert!(root().join(file).is_file(), "{file}");
    }
}

/// The part of PlatformIO that the script uses; it prints the linked files and the folders of headers.
const STAND_IN: &str = r#"
import os, sys
class Environment(dict):
    def subst(self, text): return " ".join([sys.argv[2], *sys.argv[4:]])
    def GetProjectOption(self, name, default): return sys.argv[3] or default
    def Append(self, **what):
        for name, values in what.items():
            print(name, *[os.path.relpath(str(value)) for value in values])
environment = Environment(ENV=dict(os.environ))
with open(sys.argv[1]) as script:
    exec(script.read(), {
        "Import": lambda name: None, "env": environment, "DefaultEnvironment": lambda: environment, "File": str,
    })
"#;

/// Runs the script in a package.
pub(crate) fn script(package: &Path, named: &str, compiler: &[&str]) -> ProgramOutput {
    let script = root().join("cmake/platformio.py");
    let stand_in = package.join("stand_in.py");
    write(&stand_in, STAND_IN);
    let mut python = Command::new("python3");
    python.arg(stand_in).arg(script).arg(compiler[0]).arg(named).args(&compiler[1..]);
    finish(python.current_dir(package))
}

#[test]
fn the_script_chooses_the_library_by_the_compiler_s_flags() {
    let folder = temp_dir();
    let package = folder.path();
    for name in ["port", "cmake"] {
        std::os::unix::fs::symlink(root().join(name), package.join(name)).expect("a link");
    }
    for triple in dist::FIRMWARE_TARGETS {
        write(package.join("lib").join(triple).join("libtband.a"), "");
    }
    let arm = "arm-none-eabi-gcc";
    for (compiler, triple) in [
        (&[arm, "-mthumb", "-mcpu=cortex-m0plus", "-MMD"][..], "thumbv6m-none-eabi"),
        (&[arm, "-mthumb", "-mcpu=cortex-m3"], "thumbv7m-none-eabi"),
        (&[arm, "-mthumb", "-mcpu=cortex-m4"], "thumbv7em-none-eabi"),
        (
            &[arm, "-mthumb", "-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"],
            "thumbv7em-none-eabihf",
        ),
        (
            &[arm, "-mthumb", "-mcpu=cortex-m33", "-mfpu=fpv5-sp-d16", "-mfloat-abi=hard"],
            "thumbv8m.main-none-eabihf",
        ),
        (
            &["riscv64-unknown-elf-gcc", "-march=rv32imac", "-mabi=ilp32", "-misa-spec=2.2"],
            "riscv32imac-unknown-none-elf",
        ),
    ] {
        let finished = script(package, "", compiler);
        assert!(finished.ok, "{}", finished.text());
        let output = String::from_utf8(finished.stdout).expect("text");
        let folders = "CPPPATH include freertos-hooks port\n";
        assert_eq!(output, format!("{folders}{folders}LIBS lib/{triple}/libtband.a\n"));
    }
    // A named library is used, whatever the compiler is; a missing one is reported.
    fs::copy(package.join("lib/thumbv6m-none-eabi/libtband.a"), package.join("own.a"))
        .expect("copied");
    let finished = script(package, "own.a", &["no-compiler"]);
    assert!(
        String::from_utf8_lossy(&finished.stdout).ends_with("LIBS own.a\n"),
        "{}",
        finished.text()
    );
    let missing = script(
        package,
        "",
        &["riscv64-unknown-elf-gcc", "-march=rv32im", "-mabi=ilp32", "-misa-spec=2.2"],
    );
    assert!(
        !missing.ok && missing.text().contains("riscv32im-unknown-none-elf"),
        "{}",
        missing.text()
    );
}
