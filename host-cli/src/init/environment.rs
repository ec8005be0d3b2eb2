//! The environments that a project is made for: its build systems and vendors' kits.

use crate::survey::Survey;
use crate::survey::build_file::BuildFile;

/// An environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Environment {
    EspIdf,
    Zephyr,
    NrfConnect,
    PicoSdk,
    PlatformIo,
    Arduino,
    CubeMx,
    CubeIde,
    McuXpresso,
    Nrf5,
    Iar,
    Keil,
    CMake,
    Make,
}

use Environment::*;

impl Environment {
    /// Its name for users.
    pub const fn name(self) -> &'static str {
        match self {
            EspIdf => "ESP-IDF",
            Zephyr => "Zephyr",
            NrfConnect => "nRF Connect SDK",
            PicoSdk => "Pico SDK",
            PlatformIo => "PlatformIO",
            Arduino => "Arduino",
            CubeMx => "STM32CubeMX",
            CubeIde => "STM32CubeIDE",
            McuXpresso => "MCUXpresso",
            Nrf5 => "nRF5 SDK",
            Iar => "IAR",
            Keil => "Keil",
            CMake => "CMake",
            Make => "make",
        }
    }

    /// Its page in the guide, below `boards`; none for those that the page *Installing* describes.
    pub const fn page(self) -> &'static str {
        match self {
            EspIdf => "boards/esp-idf.md",
            Zephyr | NrfConnect => "boards/zephyr.md",
            PicoSdk => "boards/pico.md",
            PlatformIo => "boards/platformio.md",
            Arduino => "boards/arduino.md",
            CubeMx | CubeIde => "boards/stm32.md",
            McuXpresso => "boards/mcuxpresso.md",
            Nrf5 => "boards/nrf.md",
            Iar | Keil => "boards/keil-iar.md",
            CMake | Make => "start/installing.md",
        }
    }

    /// The kernel of this environment is one that tband does not record.
    pub const fn has_own_kernel(self) -> bool {
        matches!(self, EspIdf | Zephyr | NrfConnect)
    }

    /// Its build takes tband as a module of Zephyr.
    pub const fn is_zephyr(self) -> bool {
        matches!(self, Zephyr | NrfConnect)
    }

    /// Its build is described by files of an IDE, which `init` does not change.
    pub const fn is_ide(self) -> bool {
        matches!(self, CubeIde | McuXpresso | Iar | Keil)
    }
}

/// Returns the Makefiles that build the firmware: the one in the project's folder, or those below that compile the kernel or name
/// the CPU. Others are for tests, tools or documents.
pub fn makefiles(survey: &Survey) -> Vec<&BuildFile> {
    let root = ["Makefile", "makefile"].iter().find_map(|it| survey.build_at_root(it));
    if let Some(root) = root {
        return vec![root];
    }
    if survey.build_at_root("CMakeLists.txt").is_some() {
        return Vec::new();
    }
    let marks = ["tasks.c", "-mcpu=", "-march=rv"];
    let is_of_firmware =
        |it: &&BuildFile| it.is_makefile() && marks.iter().any(|mark| it.has(mark));
    survey.build.iter().filter(is_of_firmware).collect()
}

/// Finds a project's environments.
pub fn find(survey: &Survey) -> Vec<Environment> {
    let ends = |end: &str| survey.build.iter().any(|it| it.name.ends_with(end));
    let lists = |text: &str| {
        let is_cmake = |name: &str| name.ends_with("CMakeLists.txt") || name.ends_with(".cmake");
        survey.build.iter().any(|it| is_cmake(&it.name) && it.has(text))
    };
    let in_file = |end: &str, text: &str| {
        survey.build.iter().any(|it| it.name.ends_with(end) && it.has(text))
    };
    let is_zephyr = lists("find_package(Zephyr") || survey.has_zephyr;
    let is_connect = is_zephyr
        && (["sysbuild.conf", "sysbuild", "Kconfig.sysbuild"]
            .iter()
            .any(|it| survey.root.join(it).exists())
            || in_file("prj.conf", "CONFIG_NCS_")
            || lists("NRF_"));
    let is_idf =
        lists("project.cmake") && lists("IDF_PATH") || in_file("sdkconfig", "CONFIG_IDF_TARGET");
    let is_sketch =
        survey.sources.iter().any(|it| it.path.extension().is_some_and(|it| it == "ino"));
    let is_nrf5 =
        survey.build.iter().any(|it| it.is_makefile() && it.has("SDK_ROOT") && it.has("SRC_FILES"));
    let is_st_ide = in_file(".cproject", "com.st.stm32cube") || in_file(".cproject", "fr.ac6");
    let is_nxp =
        in_file(".cproject", "com.crt.") || lists("MCUX_SDK_PROJECT_NAME") || lists("mcux_");
    let conditions = [
        (EspIdf, is_idf),
        (Zephyr, is_zephyr && !is_connect),
        (NrfConnect, is_connect),
        (
            PicoSdk,
            ["pico_sdk_init", "pico_sdk_import", "pico_add_extra_outputs"]
                .iter()
                .any(|it| lists(it)),
        ),
        (PlatformIo, survey.build_at_root("platformio.ini").is_some()),
        (Arduino, is_sketch),
        (CubeMx, ends(".ioc")),
        (CubeIde, is_st_ide),
        (McuXpresso, is_nxp),
        (Nrf5, is_nrf5),
        (Iar, ends(".ewp")),
        (Keil, ends(".uvprojx")),
        (CMake, survey.build_at_root("CMakeLists.txt").is_some()),
        (Make, !makefiles(survey).is_empty()),
    ];
    conditions.into_iter().filter(|(_, is_there)| *is_there).map(|(it, _)| it).collect()
}
