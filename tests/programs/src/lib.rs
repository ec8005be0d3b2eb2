//! Programs that tests start: their signals, their resources, and waits for them, for sockets and for files.
//!
//! The caller of the tests may ignore signals (`nohup`, a job in the background, some CI), and programs inherit that; a test
//! that ends one with a signal would wait forever. So [`start`] and [`output`] give them the usual signals.
//!
//! No wait has a limit by the clock: on a busy machine, half an hour is not enough for a build. A program that computes forever
//! is ended after [`CPU_LIMIT_S`]. If one waits forever, `cargo xtask test` reports every minute which test still runs.
//!
//! `clippy.toml` ensures that programs are started here only.

mod node;
mod output;
mod perfetto;
mod program;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::Duration;

pub use node::node;
pub use perfetto::Engine;
pub use program::{Cost, Program, format_command};

/// The variable with which `cargo xtask test` asks test programs for fewer variants: see `xtask/src/checks/tier.rs`.
pub const SHORT: &str = "TBAND_SHORT";

/// The variable with the number by which property tests divide their cases.
pub const CASES_DIVISOR: &str = "TBAND_CASES_DIVISOR";

/// The variable with which it asks them to do without Perfetto's engine.
pub const WITHOUT_ENGINE: &str = "TBAND_WITHOUT_ENGINE";

/// Whether fewer variants are asked for.
#[must_use]
pub fn is_short() -> bool {
    std::env::var_os(SHORT).is_some()
}

/// So many cases of a property test as are asked for.
#[must_use]
pub fn cases(all: u32) -> u32 {
    part(all, std::env::var(CASES_DIVISOR).ok().as_deref())
}

fn part(all: u32, by: Option<&str>) -> u32 {
    let by = by.and_then(|by| by.parse().ok()).filter(|by| *by > 0);
    all.div_ceil(by.unwrap_or(1))
}

/// Seconds of processor time that a program may take which a test starts, each process for itself. Far above what
/// anything here takes, and the same on a machine that has a lot to do.
pub const CPU_LIMIT_S: u64 = 60 * 60;

/// Between two looks at something.
const PAUSE: Duration = Duration::from_millis(1);

/// Starts a program with the usual signals and a limit of processor time.
///
/// # Errors
/// It cannot be started.
pub fn start(command: &mut Command) -> io::Result<Program> {
    defaults(command);
    Program::start(command)
}

/// Runs a program to its end, as [`start`] does and without input, and gives what it printed.
///
/// # Errors
/// It cannot be started.
pub fn output(command: &mut Command) -> io::Result<Output> {
    defaults(command);
    Program::start_piped(command)?.output()
}

/// As [`output`], with what the program took.
///
/// # Errors
/// As `output`.
pub fn output_and_cost(command: &mut Command) -> io::Result<(Output, Cost)> {
    defaults(command);
    Program::start_piped(command)?.output_and_cost()
}

/// As [`output`], with the signals and limits of this program: for what users start as well, who may want signals
/// ignored.
///
/// # Errors
/// As `output`.
pub fn output_inheriting(command: &mut Command) -> io::Result<Output> {
    Program::start_piped(command)?.output()
}

/// Looks again and again, until there is something.
pub fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
    loop {
        if let Some(found) = look() {
            return found;
        }
        sleep(PAUSE);
    }
}

/// Connects to a port of this machine.
///
/// # Errors
/// No program accepts it.
pub fn connect(port: u16) -> io::Result<TcpStream> {
    TcpStream::connect(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
}

/// Gives a program that is to be started the signals that one has by default, whatever this one has, and the limit.
#[cfg(unix)]
fn defaults(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    let reset = || {
        for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGPIPE, libc::SIGTERM] {
            // SAFETY: a signal of this system, and an action that needs nothing.
            if unsafe { libc::signal(signal, libc::SIG_DFL) } == libc::SIG_ERR {
                return Err(io::Error::last_os_error());
            }
        }
        let limit = libc::rlimit { rlim_cur: CPU_LIMIT_S, rlim_max: CPU_LIMIT_S };
        // SAFETY: a resource of this system, and a limit that lives as long as the call.
        if unsafe { libc::setrlimit(libc::RLIMIT_CPU, &raw const limit) } == -1 {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    };
    // SAFETY: after the fork only `signal` and `setrlimit` are called, which may be.
    unsafe { command.pre_exec(reset) };
}

#[cfg(not(unix))]
fn defaults(_: &mut Command) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn until_looks_until_there_is_something() {
        let mut looks = 0;
        let third = until(|| {
            looks += 1;
            (looks == 3).then_some(looks)
        });
        assert_eq!(third, 3);
    }

    #[test]
    fn cases_are_divided_and_never_none() {
        let parts = [None, Some("4"), Some("16"), Some("0"), Some("x")].map(|by| part(256, by));
        assert_eq!(parts, [256, 64, 16, 256, 256]);
        assert_eq!(part(3, Some("16")), 1);
    }

    #[test]
    #[cfg(unix)]
    fn a_program_has_a_limit_of_processor_time() {
        let message = output(Command::new("sh").args(["-c", "ulimit -t"])).unwrap().stdout;
        assert_eq!(String::from_utf8(message).unwrap().trim(), CPU_LIMIT_S.to_string());
    }
}
