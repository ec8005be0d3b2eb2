//! The kernel with Cadence's own port for Xtensa, which is in `FreeRTOS-Kernel-Partner-Supported-Ports` and not in the packages of the
//! kernel. `FREERTOS_XTENSA_PATH` names a folder with what it needs:
//!
//! | name | what |
//! |---|---|
//! | `port/` | that repository's `Cadence/Xtensa` |
//! | `hal/` | `src/hal` of `xtensa-hal` |
//! | `include/` | `include` of `xtensa-hal`; its `xtensa/config` is that of the core dc233c, as Zephyr's `hal_xtensa` has it |
//! | `assembler.so` | the instructions of an ESP32 for GNU as and ld, which `xtensa-dynconfig` makes of Espressif's overlays |

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tband_tests::library::work;
use tband_tests::{kernel, read, root, run, temp_dir, write};
use xtask::board::run_firmware;
use xtask::xtensa;

use crate::boards::XTENSA;
use crate::cpu::path_of;
use crate::run_artifacts::RunArtifacts;

/// Headers of Cadence's compiler that the port and the library include.
const INSTRUCTIONS: [&str; 4] = ["xt_core", "xt_interrupt", "xt_datacache", "xt_timer"];

/// Parts of the library's files: a file and a part.
const HAL: [(&str, &str); 6] = [
    ("windowspill_asm.S", "all"),
    ("clock.S", "all"),
    ("state_asm.S", "save_extra_nw"),
    ("state_asm.S", "restore_extra_nw"),
    ("int_asm.S", "set_intset"),
    ("int_asm.S", "set_intclear"),
];

struct Build {
    sources: PathBuf,
    folder: tempfile::TempDir,
    options: Vec<String>,
    objects: Vec<PathBuf>,
}

impl Build {
    fn new(sources: PathBuf) -> Self {
        let folder = temp_dir();
        let at = |name: &str| folder.path().join(name);
        let tie = at("include/xtensa/tie");
        fs::create_dir_all(&tie).expect("a folder");
        for name in INSTRUCTIONS {
            write(tie.join(name).with_extension("h"), "#include \"instructions.h\"\n");
        }
        fs::create_dir(at("port")).expect("a folder");
        for file in fs::read_dir(sources.join("port")).expect("the port") {
            let file = file.expect("a file").path();
            fs::copy(&file, at("port").join(file.file_name().expect("a name"))).expect("a copy");
        }
        // The port defines one of the hooks after tband.
        let text = read(at("port/portmacro.h"));
        let both = text.replace(
            "    portTaskDeleteHook(pxTCB->pxEndOfStack)",
            "    do { portTaskDeleteHook((pxTCB)->pxEndOfStack); tband_traceTASK_DELETE(pxTCB); } while (0)",
        );
        assert_ne!(both, text, "the port has another hook of deleted tasks");
        write(at("port/portmacro.h"), both);
        let version = xtask::kernel::version(&kernel::sources());
        let version = version.unwrap_or_else(|error| panic!("{error:#}"));
        let mut options: Vec<_> = ["-O2", "-ffreestanding", "-Wno-everything", "-DAPP_RTOS"].into();
        options.extend(["-ffunction-sections", "-fdata-sections", "-fno-addrsig"]);
        options.extend(["-DAPP_NO_FLOAT", "-DXT_SIMULATOR=1", "-DXT_USE_THREAD_SAFE_CLIB=0"]);
        options.extend(["-D__XTENSA_WINDOWED_ABI__=1", "-D__XTENSA_EL__=1"]);
        // The library declares fewer functions than the port uses.
        options.push("-Wno-error=implicit-function-declaration");
        if version < 110_200 {
            options.push("-Dtband_configFREERTOS_VERSION=110000");
        }
        let folders = ["xtensa_port", "shared", "shared/nolibc"].map(path_of).into_iter();
        let folders = folders.chain(["include", "port"].map(at)).chain([at("")]);
        let folders = folders.chain([sources.join("include"), kernel::sources().join("include")]);
        let folders = folders.chain([path_of("xtensa"), kernel::sources()]);
        let of_project = ["include", "port", "freertos-hooks", "examples/mps2-board"];
        let folders = folders.chain(of_project.map(|it| root().join(it)));
        let folders = folders.map(|it| format!("-I{}", it.display()));
        let options = options.into_iter().map(str::to_owned).chain(folders).collect();
        Self { sources, folder, options, objects: Vec::new() }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A program of GNU, with the instructions of the core.
    fn gnu(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command.env("XTENSA_GNU_CONFIG", self.sources.join("assembler.so"));
        command
    }

    fn object(&self) -> PathBuf {
        self.at(&format!("{}.o", self.objects.len()))
    }

    fn compile(&mut self, source: &Path) {
        let object = self.object();
        xtensa::compile(&self.options, source, &object).unwrap_or_else(|error| panic!("{error:#}"));
        self.objects.push(object);
    }

    /// LLVM's assembler has no literals for `movi`, and no sections for them.
    fn assemble(&mut self, source: &Path, part: &str, flags: &[&str]) {
        let object = self.object();
        let text = object.with_extension("s");
        let mut clang = Command::new("clang-22");
        clang.args(["--target=xtensa", "-E", "-D__ASSEMBLER__"]).args(&self.options);
        run(clang.arg(format!("-D__SPLIT__{part}")).arg(source).arg("-o").arg(&text));
        run(self.gnu("xtensa-lx106-elf-as").args(flags).arg(&text).arg("-o").arg(&object));
        self.objects.push(object);
    }

    /// asm-offsets.h, for the port's assembler.
    fn find_offsets(&mut self) {
        write(self.at("asm-offsets.h"), "");
        let object = self.at("offsets.o");
        xtensa::compile(&self.options, &path_of("xtensa_port/offsets.c"), &object)
            .unwrap_or_else(|error| panic!("{error:#}"));
        let assembly = read(object.with_extension("s"));
        let (_, value) = assembly.split_once("end_of_stack:").expect("the constant");
        let value = value.split_whitespace().nth(1).expect("its value");
        let lines =
            format!("#define TCB_TOP_OF_STACK_OFF 0\n#define TCB_END_OF_STACK_OFF {value}\n");
        write(self.at("asm-offsets.h"), lines);
    }

    fn program(mut self) -> (tempfile::TempDir, PathBuf) {
        self.find_offsets();
        for name in ["portasm", "xtensa_context", "xtensa_coproc_handler", "xtensa_intr_asm"] {
            let source = self.at("port").join(name).with_extension("S");
            self.assemble(&source, "all", &["--text-section-literals", "--longcalls"]);
        }
        self.assemble(&self.at("port/xtensa_vectors.S"), "all", &[]);
        self.assemble(&path_of("xtensa_port/start.S"), "all", &["--text-section-literals"]);
        for (file, part) in HAL {
            let source = self.sources.join("hal").join(file);
            self.assemble(&source, part, &["--text-section-literals", "--longcalls"]);
        }
        let levels = self.at("levels.c");
        let source = self.sources.join("hal/interrupts.c");
        write(&levels, format!("#define __SPLIT__intlevel\n#include \"{}\"\n", source.display()));
        let of_port = ["port/port.c", "port/xtensa_intr.c"].map(|it| self.at(it));
        let of_kernel = ["tasks.c", "queue.c", "list.c", "portable/MemMang/heap_4.c"];
        let of_tests = ["xtensa_port/board.c", "xtensa/semihost.c", "xtensa/arithmetic.c"];
        let shared = ["shared/mem.c", "shared/board_host.c", "shared/app_rtos.c"];
        let of_project = ["freertos-hooks/tband_freertos.c", "port/tband_shim.c"];
        let sources = of_port.into_iter().chain(of_kernel.map(|it| kernel::sources().join(it)));
        let sources = sources.chain(of_tests.into_iter().chain(shared).map(path_of));
        for source in sources.chain(of_project.map(|it| root().join(it))).chain([levels]) {
            self.compile(&source);
        }
        let library = xtensa::library(root(), &work()).unwrap_or_else(|error| panic!("{error:#}"));
        let elf = self.at("program.elf");
        let mut link = self.gnu("xtensa-lx106-elf-ld");
        link.args(["--no-relax", "--gc-sections", "--no-warn-rwx-segments", "--no-warn-execstack"]);
        link.args(["--wrap=xt_set_interrupt_handler", "-T"]).arg(path_of("xtensa_port/board.ld"));
        run(link.args(&self.objects).arg(library).arg("-o").arg(&elf));
        (self.folder, elf)
    }
}

#[test]
fn an_xtensa_records_the_kernel_with_its_own_port() {
    let Some(sources) = env::var_os("FREERTOS_XTENSA_PATH").map(PathBuf::from) else {
        eprintln!(
            "SKIPPED: Cadence's port for Xtensa is NOT tried: FREERTOS_XTENSA_PATH is not set"
        );
        return;
    };
    xtensa::install().unwrap_or_else(|error| panic!("{error:#}"));
    let (_folder, elf) = Build::new(sources).program();
    let out = temp_dir();
    run_firmware(XTENSA.emulator, &elf, out.path(), None)
        .unwrap_or_else(|error| panic!("{error:#}"));
    RunArtifacts::read(out, "qemu.log").assert_has_what_the_kernel_did();
}
