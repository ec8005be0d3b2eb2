//! Ctrl-C, and on Unix SIGTERM and SIGHUP too: a server and a recording end as planned; everything else ends at once, and
//! removes its temporary files. The same happens at a second interrupt, if the planned end takes too long: the reader of the
//! output may have stopped reading, or a disk may not respond.
//!
//! `main` calls [`install`] before any command runs. All temporary files are created through [`create_temporary`], so that they are on the
//! list from the moment they exist. On Unix the signal then has its default effect, so that a shell's loop over many recordings
//! ends as well.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Terminals and shells send the same signal twice when they end.
const SAME: Duration = Duration::from_secs(2);

struct State {
    /// Files and folders that are to be removed.
    temporary: Vec<PathBuf>,
    /// Starts a planned end.
    stop: Option<Box<dyn Fn() + Send>>,
    /// When that was called.
    called: Option<Instant>,
}

static STATE: Mutex<State> = Mutex::new(State { temporary: Vec::new(), stop: None, called: None });

fn state() -> MutexGuard<'static, State> {
    // A list is consistent whichever thread panicked.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a temporary file or folder, whose path is removed if the program is interrupted.
pub fn create_temporary<T>(
    make: impl FnOnce() -> io::Result<T>,
    path: impl FnOnce(&T) -> &Path,
) -> io::Result<T> {
    let mut state = state();
    let made = make()?;
    state.temporary.push(path(&made).to_owned());
    Ok(made)
}

/// From now on an interruption only calls this, unless there was one before. It is called from another thread.
pub fn call_on_interrupt(stop: impl Fn() + Send + 'static) {
    let mut state = state();
    state.stop = Some(Box::new(stop));
    state.called = None;
}

/// From now on an interruption ends the program again.
pub fn end_program_on_interrupt() {
    state().stop = None;
}

/// Starts a planned end, or otherwise removes temporary files and runs `die`.
fn interrupted(die: impl FnOnce()) {
    let mut state = state();
    let is_new = state.called.is_none_or(|called| called.elapsed() < SAME);
    if let Some(stop) = state.stop.as_ref().filter(|_| is_new) {
        stop();
        state.called.get_or_insert_with(Instant::now);
        return;
    }
    for path in &state.temporary {
        // Files renamed or removed since then are not there. Other errors cannot be reported any more.
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
    }
    // The list stays locked, so no temporary file is created any more.
    die();
}

/// Waits for interruptions from now on.
#[cfg(unix)]
pub fn install() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::{iterator::Signals, low_level::emulate_default_handler};

    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal));
    let mut signals = Signals::new(wanted)?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            interrupted(|| {
                let _ = emulate_default_handler(signal);
            });
        }
    })?;
    Ok(())
}

/// The caller of this program wants it to continue, as `nohup` does.
#[cfg(unix)]
fn is_ignored(signal: libc::c_int) -> bool {
    // SAFETY: plain data, of which zero is a value; without a new action the call only writes the old
    // one there.
    unsafe {
        let mut old: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut old) == 0
            && old.sa_sigaction == libc::SIG_IGN
    }
}

/// Waits for interruptions from now on.
#[cfg(not(unix))]
pub fn install() -> io::Result<()> {
    const INTERRUPTED: i32 = 130;
    let end = || interrupted(|| std::process::exit(INTERRUPTED));
    ctrlc::set_handler(end).map_err(io::Error::other)
}
