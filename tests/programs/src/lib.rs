//! Programs that tests start: their signals, and waits for them, for sockets and for files that all come
//! to an end.
//!
//! Whoever runs the tests may ignore signals (`nohup`, a job in the background, some CI), and programs
//! inherit that; a test that ends one with a signal would wait for ever. So [`start`] and [`output`] give
//! them the usual signals. What is waited for in vain is an error after [`LIMIT`] that says what it was.
//! No test depends on how long anything takes.
//!
//! `clippy.toml` keeps the waits without an end out of the workspace.

mod output;
mod perfetto;
mod program;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

pub use perfetto::Engine;
pub use program::{Program, shown};

/// Far above what anything here takes, also on a slow machine that has a lot to do.
pub const LIMIT: Duration = Duration::from_secs(30 * 60);

/// Between two looks at something.
const PAUSE: Duration = Duration::from_millis(1);

/// Starts a program with the usual signals.
///
/// # Errors
/// It cannot be started.
pub fn start(command: &mut Command) -> io::Result<Program> {
    default_signals(command);
    Program::start(command)
}

/// Runs a program to its end, with the usual signals and without input, and gives what it printed.
///
/// # Errors
/// It cannot be started, or does not end.
pub fn output(command: &mut Command) -> io::Result<Output> {
    default_signals(command);
    Program::start_piped(command)?.output()
}

/// As [`output`], with the signals of this program: for what users start as well, who may want signals
/// ignored.
///
/// # Errors
/// As `output`.
pub fn output_inheriting(command: &mut Command) -> io::Result<Output> {
    Program::start_piped(command)?.output()
}

/// Looks again and again, until there is something.
///
/// # Panics
/// If there is nothing for too long; the text says `what` was waited for.
#[track_caller]
pub fn until<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    until_at(Instant::now() + LIMIT, look)
        .unwrap_or_else(|| panic!("waited in vain for {what}, for {}", shown_limit()))
}

/// A connection to a port of this machine, on which waiting for data has an end.
///
/// # Errors
/// Nobody accepts it.
pub fn connect(port: u16) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)), LIMIT)?;
    stream.set_read_timeout(Some(LIMIT))?;
    stream.set_write_timeout(Some(LIMIT))?;
    Ok(stream)
}

fn until_at<T>(deadline: Instant, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    loop {
        let found = look();
        if found.is_some() || Instant::now() >= deadline {
            return found;
        }
        sleep(PAUSE);
    }
}

fn shown_limit() -> String {
    format!("{} minutes", LIMIT.as_secs() / 60)
}

/// Gives a program that is to be started the signals that one has by default, whatever this one has.
#[cfg(unix)]
fn default_signals(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    let reset = || {
        for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGPIPE, libc::SIGTERM] {
            // SAFETY: a signal of this system, and an action that needs nothing.
            if unsafe { libc::signal(signal, libc::SIG_DFL) } == libc::SIG_ERR {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    };
    // SAFETY: after the fork only `signal` is called, which may be.
    unsafe { command.pre_exec(reset) };
}

#[cfg(not(unix))]
fn default_signals(_: &mut Command) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_is_given_and_what_does_not_is_told() {
        let mut looks = 0;
        let third = until("the third look", || {
            looks += 1;
            (looks == 3).then_some(looks)
        });
        assert_eq!(third, 3);
        assert_eq!(until_at(Instant::now(), || None::<()>), None);
    }
}
