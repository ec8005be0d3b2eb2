//! Chips, kernels and clocks: found, or asked for; never guessed.

use crate::{CONFIG, LISTS, LOOP, MAIN, Project, TASK_H, with_cmake};

#[test]
fn an_unknown_chip_is_asked_for() {
    let lists = LISTS.replace("-mcpu=cortex-m4 -mfloat-abi=hard", "-O2");
    let project = Project::of(&[
        ("CMakeLists.txt", &lists),
        ("FreeRTOSConfig.h", CONFIG),
        ("src/main.c", MAIN),
    ]);
    let printed = project.refused(&[]);
    assert!(
        printed.contains("add --cpu with the chip") && printed.contains("cortex-m4f"),
        "{printed}"
    );
    let printed = project.refused(&["--cpu", "cortex-m5"]);
    assert!(printed.contains("--cpu cortex-m5 is not known; name the chip, as stm32f405, or its CPU, one of cortex-m0,"), "{printed}");
    let printed = project.refused(&["--cpu", "nrf5283"]);
    let similar = "not known; similar chips and boards: nrf52832, nrf52833; name the chip";
    assert!(printed.contains(similar), "{printed}");
    let printed = project.refused(&["--cpu", "stm32h747"]);
    let several = "this chip has several CPUs; add --cpu with the one of this firmware: cortex-m7f, cortex-m4f";
    assert!(printed.contains(several), "{printed}");
    for (cpu, target) in [
        ("cortex-m0", "thumbv6m-none-eabi"),
        ("Cortex-M4F", "thumbv7em-none-eabihf"),
        ("cortex-m33", "thumbv8m.main-none-eabi"),
        ("rp2040", "thumbv6m-none-eabi"),
        ("STM32F405RG", "thumbv7em-none-eabihf"),
        ("nucleo_f103rb", "thumbv7m-none-eabi"),
    ] {
        project.cycle(&["--cpu", cpu], 0, |project, _| {
            let library = project.path(&format!("tband/lib/{target}/libtband.a"));
            assert!(library.exists(), "{cpu}");
            assert_eq!(std::fs::read_dir(project.path("tband/lib")).unwrap().count(), 1);
        });
    }
    let printed = project.refused(&["--cpu", "cortex-m23"]);
    assert!(printed.contains("no library for cortex-m23 (thumbv8m.base-none-eabi)"), "{printed}");
}

#[test]
fn several_chips_are_listed() {
    let project = with_cmake();
    project.put("other.cmake", "# -mcpu=cortex-m7\nset(FLAGS -mcpu=cortex-m0plus)\n");
    let printed = project.refused(&[]);
    for part in ["cortex-m0plus (other.cmake:2: ", "cortex-m4 (CMakeLists.txt:3: ", "add --cpu"] {
        assert!(printed.contains(part), "no {part} in {printed}");
    }
    assert!(!printed.contains("cortex-m7"), "{printed}");
    project.cycle(&["--cpu", "cortex-m4"], 0, |project, _| {
        // The flags have the floating-point ABI.
        assert!(project.path("tband/lib/thumbv7em-none-eabihf").exists());
    });
    // The flags have the CPU, if the chip has several.
    with_cmake().cycle(&["--cpu", "stm32h747"], 0, |_, printed| {
        assert!(printed.contains("cortex-m4f (--cpu stm32h747)"), "{printed}");
    });
    // A chip with two cores, and flags that contradict the chip.
    for (file, text) in
        [("a.ioc", "Mcu.UserName=STM32H747XIHx\n"), ("a.ioc", "Mcu.UserName=STM32F103C8Tx\n")]
    {
        let project = with_cmake();
        project.put(file, text);
        let is_dual = text.contains("H747");
        let ran = project.init(&[]);
        assert_eq!(ran.code, Some(if is_dual { 0 } else { 2 }), "{}", ran.stderr);
    }
    let project =
        Project::of(&[("Makefile", "DEVICE = STM32H747XIH6\nSRCS = main.c\n"), ("main.c", LOOP)]);
    let printed = project.refused(&["--clock", "1M"]);
    assert!(
        printed.contains("cortex-m4f (Makefile:1: ") && printed.contains("; cortex-m7f ("),
        "{printed}"
    );
    // A port of the kernel is used for several.
    let lists = LISTS
        .replace("-mcpu=cortex-m4 -mfloat-abi=hard", "")
        .replace("src/main.c)", "src/main.c portable/GCC/ARM_CM4F/port.c)");
    let project = Project::of(&[
        ("CMakeLists.txt", &lists),
        ("FreeRTOSConfig.h", CONFIG),
        ("src/main.c", MAIN),
    ]);
    let printed = project.refused(&[]);
    assert!(printed.contains("cortex-m7f (CMakeLists.txt:5: arm_cm4f"), "{printed}");
}

#[test]
fn an_unknown_clock_is_asked_for() {
    let make = "CFLAGS = -mcpu=cortex-m3\nSRCS = main.c\nLDLIBS = -lc\n";
    let project = Project::of(&[("Makefile", make), ("main.c", LOOP)]);
    let printed = project.refused(&[]);
    assert!(printed.contains("Add --clock HZ"), "{printed}");
    for wrong in ["0", "fast", "5G", "1/3", "-1"] {
        let option = format!("--clock={wrong}");
        assert!(project.refused(&[&option]).contains("--clock"), "{wrong}");
    }
    project.cycle(&["--clock", "8M", "--counter", "(TIM2->CNT)"], 0, |project, _| {
        let port = project.text("tband-config/tband_port.h");
        assert!(port.contains("#define tband_portCOUNTER32() ((TIM2->CNT))\n"), "{port}");
        assert!(port.contains("#define tband_portCOUNTER32_HZ 8000000\n"), "{port}");
    });
    assert!(project.refused(&["--clock", "8M", "--counter", "a\nb"]).contains("in one line"));
    // CMSIS' variable, where it is defined.
    project
        .put("system.c", "/* uint32_t SystemCoreClock; */\nuint32_t SystemCoreClock = 16000000;\n");
    project.cycle(&[], 0, |project, printed| {
        assert!(printed.contains("system.c:2: SystemCoreClock"), "{printed}");
        let port = project.text("tband-config/tband_port.h");
        assert!(port.contains("#define tband_portCPU_CLOCK_HZ SystemCoreClock\n"), "{port}");
    });
}

#[test]
fn kernels_are_recorded_from_v10_1_on() {
    let files = |version: &str| {
        let [major, minor, build] =
            [0, 1, 2].map(|at| version.split('.').nth(at).unwrap().to_owned());
        let task = TASK_H
            .replace("MAJOR 10", &format!("MAJOR {major}"))
            .replace("MINOR 3", &format!("MINOR {minor}"))
            .replace("BUILD 1", &format!("BUILD ( {build} )"));
        let make = "CFLAGS = -mcpu=cortex-m3\nSRCS = main.c\nLDLIBS = -lc\n";
        Project::of(&[
            ("Makefile", make),
            ("main.c", MAIN),
            ("FreeRTOSConfig.h", CONFIG),
            ("rtos/task.h", &task),
        ])
    };
    files("10.0.1").cycle(&["--clock", "1M"], 0, |project, printed| {
        assert!(
            printed.contains("FreeRTOS V10.0.1 (rtos/task.h)")
                && printed.contains("older than V10.1")
        );
        assert_eq!(project.text("FreeRTOSConfig.h"), CONFIG);
        assert!(
            project
                .text("tband-config/tband_config.h")
                .contains("#define tband_configFREERTOS_TRACE_ENABLE 0\n")
        );
    });
    // The clock in the kernel's configuration, which the port does not include then.
    for (clock, lines) in [
        ("16000000", "#define tband_portCPU_CLOCK_HZ 16000000\n"),
        ("( ( unsigned long ) 16000000 )", "#define tband_portCPU_CLOCK_HZ 16000000\n"),
        (
            "( SystemCoreClock )",
            "extern uint32_t SystemCoreClock; /* of CMSIS */\n#define tband_portCPU_CLOCK_HZ SystemCoreClock\n",
        ),
    ] {
        let project = files("9.0.0");
        project.put("FreeRTOSConfig.h", &CONFIG.replace("25000000", clock));
        project.cycle(&[], 0, |project, _| {
            let port = project.text("tband-config/tband_port.h");
            assert!(port.contains(lines) && !port.contains("_freertos.h"), "{port}");
        });
    }
    let project = files("9.0.0");
    project.put("FreeRTOSConfig.h", &CONFIG.replace("25000000", "BOARD_CLOCK"));
    assert!(project.refused(&[]).contains("--clock HZ"));
    files("10.2.1").cycle(&[], 0, |project, _| {
        let config = project.text("tband-config/tband_config.h");
        assert!(
            config.contains("#define tband_configFREERTOS_VERSION 100201\n")
                && config.contains("_STACK_TRACE_ENABLE 0\n"),
            "{config}"
        );
    });
    files("11.2.0").cycle(&[], 0, |project, _| {
        let config = project.text("tband-config/tband_config.h");
        assert!(
            config.contains("#define tband_configFREERTOS_VERSION 110200\n")
                && !config.contains("_STACK_TRACE"),
            "{config}"
        );
    });
}

#[test]
fn folders_without_one_project_are_refused() {
    for (files, message) in [
        (&[("main.c", LOOP)][..], "has no project"),
        (
            &[
                ("CMakeLists.txt", LISTS),
                ("a/FreeRTOSConfig.h", CONFIG),
                ("b/FreeRTOSConfig.h", CONFIG),
            ],
            "several FreeRTOSConfig.h: a/",
        ),
        (
            &[("CMakeLists.txt", LISTS), ("config/tband_config.h", "")],
            "uses tband or Tonbandgerät already",
        ),
        (
            &[("CMakeLists.txt", LISTS), ("lib/freertos-hooks/tband_freertos_hooks.h", "")],
            "is tband already",
        ),
    ] {
        let printed = Project::of(files).refused(&[]);
        assert!(printed.contains(message), "{message}: {printed}");
    }
    let project = with_cmake();
    let printed = crate::finish(crate::cli(&["init"]).arg(project.path("none"))).stderr;
    assert!(printed.contains("cannot read "), "{printed}");
    let printed = crate::finish(crate::cli(&["init"]).arg(project.path("CMakeLists.txt"))).stderr;
    assert!(printed.contains("is not a folder"), "{printed}");
}
