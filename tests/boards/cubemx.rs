//! CubeMX: its kernel, CMSIS-RTOS v2 and `FreeRTOSConfig.h`, from a package of a registry, in a project of the same form, with
//! the page's blocks in the documented places.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use tband_tests::events::user_lines;
use tband_tests::packets::as_frames;
use tband_tests::{finish, guide, read, root, temp_dir, write};
use xtask::board::run_firmware;
use xtask::{dist, kernel};

use crate::{library, page};

/// Between the comments by which CubeMX keeps what it did not write.
fn in_user_code(text: &str, section: &str, what: &str) -> String {
    let begin = format!("/* USER CODE BEGIN {section} */");
    let (before, rest) = text.split_once(&begin).expect(section);
    let (kept, after) = rest.split_once(&format!("/* USER CODE END {section} */")).expect(section);
    format!("{before}{begin}{kept}\n{what}\n/* USER CODE END {section} */{after}")
}

fn block(section: &str, language: &str, at: usize) -> String {
    guide::blocks(&page("stm32"), section, language).swap_remove(at)
}

/// The project before tband is added.
fn generated(folder: &Path, cube: &Path) {
    let here = root().join("tests/boards/cubemx");
    let board = root().join("examples/mps2-board");
    for (name, from) in [
        ("Makefile", here.join("Makefile")),
        ("Core/Inc/main.h", here.join("main.h")),
        ("Core/Src/main.c", here.join("main.c")),
        ("Core/Src/startup.c", board.join("startup.c")),
        ("Core/Src/semihost.c", board.join("semihost.c")),
        ("Core/Inc/semihost.h", board.join("semihost.h")),
        ("board.ld", board.join("mps2.ld")),
    ] {
        write(folder.join(name), read(from));
    }
    // The package has other names for the handlers, where CubeMX has those of CMSIS. What fails ends the program.
    let mut config = read(cube.join("Inc/FreeRTOSConfig.h"));
    for (theirs, ours) in [
        ("#define vPortSVCHandler    SVCall", "#define vPortSVCHandler SVC_Handler"),
        ("#define xPortPendSVHandler PendSV\n", "#define xPortPendSVHandler PendSV_Handler\n"),
        ("#define xPortSysTickHandler SysTick\n", "#define xPortSysTickHandler SysTick_Handler\n"),
        ("for( ;; );", "extern void project_failed(void); project_failed();"),
    ] {
        assert!(config.contains(theirs), "{theirs}: {config}");
        config = config.replace(theirs, ours);
    }
    write(folder.join("Core/Inc/FreeRTOSConfig.h"), config);
}

/// What the tarball has, for this CPU.
fn unpacked(folder: &Path) {
    let package = folder.join(format!("tband-{}", dist::VERSION));
    write(package.join("tband.mk"), read(root().join("cmake/tband.mk")));
    for name in ["include", "port", "freertos-hooks", "cmake"] {
        symlink(root().join(name), package.join(name)).expect("a link");
    }
    let triple = "thumbv7em-none-eabihf";
    let to = package.join("lib").join(triple);
    std::fs::create_dir_all(&to).expect("a folder");
    std::fs::copy(library(triple), to.join("libtband.a")).expect("the library");
}

fn make(folder: &Path, cube: &Path) -> Command {
    let mut make = Command::new("make");
    make.arg("-j2")
        .arg(format!("RTOS={}", cube.join("Middlewares/Third_Party/FreeRTOS/Source").display()));
    make.arg(format!("CMSIS={}", cube.join("Drivers/CMSIS/Include").display()));
    make.current_dir(folder);
    for name in ["CC", "CFLAGS", "MAKEFLAGS"] {
        make.env_remove(name);
    }
    make
}

#[test]
fn a_cubemx_project_records_with_the_steps_of_the_page() {
    let [.., kernel] = kernel::old(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let cube = kernel.ancestors().nth(4).expect("the project");
    let folder = temp_dir();
    let folder = folder.path();
    generated(folder, cube);
    unpacked(folder);

    // This kernel is older than those that CubeMX takes today: see the guide's table of versions.
    let older = [
        "TASK_EXTRA",
        "QUEUE_EXTRA",
        "NOTIFICATION",
        "STREAM_BUFFER",
        "EVENT_GROUP",
        "TIMER",
        "HEAP",
        "LOW_POWER",
    ]
    .map(|class| format!("#define tband_configFREERTOS_{class}_TRACE_ENABLE 0\n"));
    let config = block("Files", "c", 0);
    assert!(config.contains(" 100301 "), "{config}");
    write(
        folder.join("Core/Inc/tband_config.h"),
        config.replace("100301", "100200") + &older.concat(),
    );
    let port = read(root().join("port/STM32_FREERTOS/tband_port.h"));
    let clock = " * #define tband_portSTM32_TIM_CLOCK_HZ 84000000 */";
    assert!(port.contains(clock), "{port}");
    let port = port.replace(clock, " */\n#define tband_portSTM32_TIM_CLOCK_HZ 25000000");
    write(folder.join("Core/Inc/tband_port.h"), port);
    let config = folder.join("Core/Inc/FreeRTOSConfig.h");
    write(&config, in_user_code(&read(&config), "Defines", &block("Files", "c", 1)));
    let main = folder.join("Core/Src/main.c");
    let text = in_user_code(&read(&main), "Includes", "#include \"tband.h\"");
    write(&main, in_user_code(&text, "2", "(void)tband_trigger_snapshot();"));
    assert!(guide::page(&page("stm32")).contains("`(void)tband_trigger_snapshot();`"));
    let makefile = folder.join("Makefile");
    let marker = "# default action: build all\n";
    let lines = block("Building", "make", 0);
    assert!(guide::page(&page("stm32")).contains(marker.trim_end()));
    write(&makefile, read(&makefile).replace(marker, &format!("{lines}\n{marker}")));

    let built = finish(&mut make(folder, cube));
    assert!(built.ok, "{}", built.text());
    let output = built.text();
    assert!(!output.contains("warning"), "{output}");
    let elf = folder.join("build/project.elf");
    run_firmware("qemu-system-arm -M mps2-an500", &elf, folder, None)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let lines =
        user_lines(&as_frames(&std::fs::read(folder.join("trace.bin")).expect("the recording")));
    let count = |what: &str| lines.iter().filter(|line| line.contains(what)).count();
    let text = lines.join("\n");
    assert_eq!(count(" curtask_received_from_queue") + count(" queue_receive"), 10, "{text}");
    assert!(text.contains("name=\"sensor\"") && text.contains("name=\"defaultTask\""), "{text}");
}
