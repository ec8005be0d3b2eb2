//! Firmware for emulated boards: builds it with CMake, and runs it in QEMU.
//!
//! The demo and the tests use this. QEMU runs in deterministic mode: virtual time is the number of instructions, so two runs of
//! one binary leave the same bytes, except for several cores that run at the same time. Real time is a safety net only: a
//! firmware that hangs is killed in the end.

use std::env;
use std::fs::{self, File};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail};
use tband_programs::Program;

use crate::command::{find_program, run_quiet};
use crate::example_run::{Backend, ExampleRun};
use crate::kernel;

/// 64 ns an instruction: 15.6 million a second.
const ICOUNT_SHIFT: u32 = 6;

/// An example that runs on an emulated board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Board {
    /// FreeRTOS on a Cortex-M4F
    Mps2An386,
    /// No RTOS, on a Cortex-M3
    BareMetal,
}

impl Board {
    /// Name of the example and of its program.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mps2An386 => "mps2-an386",
            Self::BareMetal => "bare-metal",
        }
    }

    /// The emulator and its machine: words separated by spaces.
    #[must_use]
    pub const fn emulator(self) -> &'static str {
        match self {
            Self::Mps2An386 => "qemu-system-arm -M mps2-an386",
            Self::BareMetal => "qemu-system-arm -M mps2-an385",
        }
    }

    /// The Rust target of its CPU.
    #[must_use]
    pub const fn triple(self) -> &'static str {
        match self {
            Self::Mps2An386 => "thumbv7em-none-eabihf",
            Self::BareMetal => "thumbv7m-none-eabi",
        }
    }

    /// The toolchain file for its CPU.
    #[must_use]
    pub fn toolchain(self, root: &Path) -> PathBuf {
        root.join("examples").join(self.name()).join(match self {
            Self::Mps2An386 => "cortex-m4f.cmake",
            Self::BareMetal => "cortex-m3.cmake",
        })
    }

    /// Builds the example below `build`, with further CMake settings, and returns the program.
    ///
    /// # Errors
    /// A step failed; the text has its output.
    pub fn build(
        self,
        root: &Path,
        build: &Path,
        backend: Backend,
        settings: &[String],
    ) -> Result<PathBuf> {
        let mut all = vec![format!("TBAND_BACKEND={}", backend.name())];
        if self == Self::Mps2An386 {
            let kernel = kernel::path(root)?;
            all.push(format!("FREERTOS_KERNEL_PATH={}", kernel.display()));
        }
        all.extend_from_slice(settings);
        let source = root.join("examples").join(self.name());
        build_firmware(&source, build, &self.toolchain(root), &all)?;
        Ok(build.join(self.name()).with_extension("elf"))
    }

    /// Runs a program that [`build`](Self::build) made; its files go to `out`.
    ///
    /// # Errors
    /// QEMU cannot be started, or the program failed or hung; the text has its output.
    pub fn run(self, elf: &Path, out: &Path, backend: Backend) -> Result<ExampleRun> {
        let recorded = ExampleRun { trace: out.join("trace.bin"), truth: out.join("truth.json") };
        // A snapshot is written by the program itself, to a file of the same name.
        let serial = (backend == Backend::Streaming).then_some(recorded.trace.as_path());
        run_firmware(self.emulator(), elf, out, serial)?;
        Ok(recorded)
    }
}

/// Configures and builds a CMake project for a microcontroller. A build folder that exists is brought
/// up to date.
///
/// # Errors
/// A step failed; the text has its output.
pub fn build_firmware(
    source: &Path,
    build: &Path,
    toolchain: &Path,
    settings: &[String],
) -> Result<()> {
    let mut configure = Command::new("cmake");
    // This takes a fifth less time than with make. A folder keeps its first generator.
    let is_new = !build.join("CMakeCache.txt").exists();
    if is_new && env::var_os("CMAKE_GENERATOR").is_none() && find_program("ninja").is_some() {
        configure.args(["-G", "Ninja"]);
    }
    configure.arg("-S").arg(source).arg("-B").arg(build);
    configure.arg(format!("-DCMAKE_TOOLCHAIN_FILE={}", toolchain.display()));
    run_quiet(configure.args(settings.iter().map(|setting| format!("-D{setting}"))))?;
    run_quiet(Command::new("cmake").arg("--build").arg(build).args(["--parallel", "2"]))?;
    Ok(())
}

/// Returns the command of an emulator, the words of which are separated by spaces.
#[must_use]
pub fn emulator_command(emulator: &str) -> Command {
    let (program, machine) = emulator.split_once(' ').unwrap_or((emulator, ""));
    let mut command = Command::new(program);
    command.args(machine.split_whitespace());
    command
}

/// Runs a firmware in QEMU: `emulator` is the program and how to choose the machine. What the firmware
/// writes by semihosting lands in `out`, which is made if needed; UART0 goes to the file `serial`.
///
/// # Errors
/// QEMU cannot be started, or the firmware ended with another status than 0, or it hung; the text has
/// its output.
pub fn run_firmware(emulator: &str, elf: &Path, out: &Path, serial: Option<&Path>) -> Result<()> {
    run_firmware_at(emulator, elf, out, serial, ICOUNT_SHIFT)
}

/// As [`run_firmware`], with a virtual time of 2^`shift` nanoseconds an instruction.
///
/// # Errors
/// As `run_firmware`.
pub fn run_firmware_at(
    emulator: &str,
    elf: &Path,
    out: &Path,
    serial: Option<&Path>,
    shift: u32,
) -> Result<()> {
    run_with(emulator, elf, out, serial, &["-icount", &format!("shift={shift},sleep=off")])
}

/// Emulators that run at the machine's speed now. With more of them than the machine has cores, a core of the target waits for so long
/// that the others wait for it.
struct RunningEmulators {
    count: Mutex<usize>,
    ended: Condvar,
}

static RUNNING: RunningEmulators = RunningEmulators { count: Mutex::new(0), ended: Condvar::new() };

/// Leave for one emulator, given back when this is dropped.
struct EmulatorPermit<'r>(&'r RunningEmulators);

impl RunningEmulators {
    /// Waits until fewer than `most` run.
    fn wait(&self, most: usize) -> EmulatorPermit<'_> {
        let count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.ended.wait_while(count, |count| *count >= most);
        *waited.unwrap_or_else(PoisonError::into_inner) += 1;
        EmulatorPermit(self)
    }
}

impl Drop for EmulatorPermit<'_> {
    fn drop(&mut self) {
        *self.0.count.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.ended.notify_one();
    }
}

/// Runs a firmware on several cores, each in a separate thread, at the machine's speed: no two runs are the same. Waits until
/// fewer runs are active than the machine has cores.
///
/// # Errors
/// As [`run_firmware`].
pub fn run_firmware_in_parallel(emulator: &str, elf: &Path, out: &Path) -> Result<()> {
    let most = thread::available_parallelism().map_or(1, NonZero::get);
    let _leave = RUNNING.wait(most);
    run_with(emulator, elf, out, None, &["-accel", "tcg,thread=multi"])
}

fn run_with(
    emulator: &str,
    elf: &Path,
    out: &Path,
    serial: Option<&Path>,
    time: &[&str],
) -> Result<()> {
    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    let log_file = out.join("qemu.log");
    let log =
        File::create(&log_file).with_context(|| format!("cannot write {}", log_file.display()))?;
    let serial =
        serial.map_or_else(|| "none".to_owned(), |path| format!("file:{}", path.display()));
    let mut qemu = emulator_command(emulator);
    qemu.args(["-display", "none", "-monitor", "none"])
        .args(["-serial", &serial])
        .args(["-semihosting-config", "enable=on,target=native"])
        .args(time)
        .arg("-kernel")
        .arg(elf)
        .current_dir(out)
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log);
    let status = Program::start_inheriting(&mut qemu)
        .context("cannot start qemu-system-arm; `cargo xtask setup` installs it")?
        .wait();
    let output = fs::read_to_string(&log_file).unwrap_or_default();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => bail!("{} in QEMU failed ({status}):\n{output}", elf.display()),
        Err(error) => bail!("{} in QEMU: {error}\n{output}", elf.display()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    #[test]
    fn no_more_run_at_once_than_may() {
        let running = RunningEmulators { count: Mutex::new(0), ended: Condvar::new() };
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    let _leave = running.wait(3);
                    most.fetch_max(now.fetch_add(1, SeqCst) + 1, SeqCst);
                    thread::yield_now();
                    now.fetch_sub(1, SeqCst);
                });
            }
        });
        assert!((1..=3).contains(&most.load(SeqCst)));
        assert_eq!(*running.count.lock().expect("a count"), 0);
    }
}
