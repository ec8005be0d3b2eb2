//! Programs for computers: those that the kernel's ports for POSIX and for Windows are compiled into.

use std::env::consts::{ARCH, OS};

use anyhow::bail;

use super::{Cpu, CpuChoice};

/// The kernel's ports for computers, in small letters: their folders, and their names in the kernel's own files of CMake.
const OF_POSIX: [&str; 2] = ["thirdparty/gcc/posix", "gcc_posix"];
const OF_WINDOWS: [&str; 2] = ["msvc-mingw", "msvc_mingw"];
/// Compilers for Windows on other systems, and the computers that they compile for.
const MINGW: [(&str, &str); 2] =
    [("x86_64-w64-mingw32", "x86_64-windows"), ("i686-w64-mingw32", "i686-windows")];

/// The first places of the kernel's ports for computers in build files.
#[derive(Debug, Default)]
pub struct Simulation {
    posix: Option<String>,
    windows: Option<String>,
    /// The computer that a compiler for Windows compiles for.
    mingw: Option<&'static str>,
}

impl Simulation {
    /// Reads a line of small letters. `place`: of a word in it.
    pub fn read(&mut self, line: &str, place: impl Fn(&str) -> String) {
        let line = line.replace('\\', "/");
        let has = |names: [&str; 2]| names.iter().any(|it| line.contains(it));
        if has(OF_POSIX) {
            self.posix.get_or_insert_with(|| place("the kernel's POSIX port"));
        }
        if has(OF_WINDOWS) {
            self.windows.get_or_insert_with(|| place("the kernel's port MSVC-MingW"));
        }
        let mingw = MINGW.iter().find(|it| line.contains(it.0));
        self.mingw = self.mingw.or(mingw.map(|it| it.1));
    }

    pub const fn is_used(&self) -> bool {
        self.posix.is_some() || self.windows.is_some()
    }

    /// The place of one of them.
    pub fn place(&self) -> Option<String> {
        self.posix.clone().or_else(|| self.windows.clone())
    }

    /// Chooses the computer: this one, or that of a compiler for Windows.
    ///
    /// # Errors
    /// tband has no library for it, or it is not known.
    pub fn choose(&self) -> anyhow::Result<CpuChoice> {
        let is_windows = self.mingw.is_some() || OS == "windows";
        // A project with both ports is built for the system that builds it.
        let (place, is_posix) = match (&self.posix, &self.windows) {
            (Some(place), None) => (place, true),
            (None, Some(place)) => (place, false),
            (Some(posix), Some(windows)) => {
                if is_windows {
                    (windows, false)
                } else {
                    (posix, true)
                }
            }
            (None, None) => bail!("no port for computers"),
        };
        let name = match (is_posix, OS, ARCH) {
            (true, "linux", "x86_64") => Some("x86_64-linux"),
            (true, "linux", "aarch64") => Some("aarch64-linux"),
            (false, _, _) if self.mingw.is_some() => self.mingw,
            (false, "windows", "x86_64") => Some("x86_64-windows"),
            (false, "windows", "x86") => Some("i686-windows"),
            _ => None,
        };
        let Some(cpu) = name.and_then(Cpu::named) else {
            let names = if is_posix {
                "x86_64-linux or aarch64-linux"
            } else {
                "x86_64-windows or i686-windows"
            };
            bail!(
                "{place} makes a program for a computer, and this one ({ARCH}, {OS}) does not tell which: add --cpu {names}. tband has \
                 no library for other computers"
            );
        };
        Ok(CpuChoice { cpu, place: place.clone(), simulated: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(lines: &[&str]) -> Result<(&'static str, String), String> {
        let mut found = Simulation::default();
        for (line, number) in lines.iter().zip(1..) {
            found.read(line, |word| format!("f:{number}: {word}"));
        }
        let chosen = found.choose().map_err(|error| error.to_string())?;
        Ok((chosen.cpu.target, chosen.place))
    }

    #[test]
    fn compilers_for_windows_name_the_computer() {
        let port = "set(freertos_port msvc_mingw)";
        for (compiler, target) in [
            ("set(cmake_c_compiler x86_64-w64-mingw32-gcc)", "x86_64-pc-windows-gnu"),
            ("cc = i686-w64-mingw32-gcc", "i686-pc-windows-gnu"),
        ] {
            let place = "f:1: the kernel's port MSVC-MingW".to_owned();
            assert_eq!(chosen(&[port, compiler]), Ok((target, place)));
            // The other port is for other systems.
            let both = chosen(&[port, "gcc_posix", compiler]);
            assert_eq!(both.map(|it| it.0), Ok(target));
        }
        let slashes = "src = kernel\\portable\\msvc-mingw\\port.c x86_64-w64-mingw32";
        assert!(chosen(&[slashes]).is_ok());
    }

    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    #[test]
    fn other_programs_are_for_this_computer() {
        let path = "src = ../kernel/portable/thirdparty/gcc/posix/port.c";
        let place = "f:1: the kernel's POSIX port".to_owned();
        assert_eq!(chosen(&[path]), Ok(("x86_64-unknown-linux-gnu", place)));
        assert_eq!(
            chosen(&["msvc_mingw", "gcc_posix"]).map(|it| it.0),
            chosen(&[path]).map(|it| it.0)
        );
        let error = chosen(&["msvc-mingw"]).unwrap_err();
        assert!(error.contains("--cpu x86_64-windows or i686-windows"), "{error}");
    }
}
