//! Ctrl-C, and on Unix SIGTERM and SIGHUP too: a server and a recording end as planned; everything else ends at once,
//! and takes its temporary files along. So does what has not ended some time after it was interrupted, when it is interrupted again:
//! whoever reads its output may read no more, or a disk may not answer.
//!
//! `main` calls [`install`] before any command runs. Whatever is temporary is made through [`held`], so
//! that it is on the list from the moment it exists. On Unix the signal then does what it always does,
//! so that a shell's loop over many recordings ends as well.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Terminals and shells say the same twice when they end.
const SAME: Duration = Duration::from_secs(2);

struct State {
    /// Files and folders that are to be removed.
    temporary: Vec<PathBuf>,
    /// Ends what ends as planned.
    stop: Option<Box<dyn Fn() + Send>>,
    /// When that was called.
    called: Option<Instant>,
}

static STATE: Mutex<State> = Mutex::new(State { temporary: Vec::new(), stop: None, called: None });

fn state() -> MutexGuard<'static, State> {
    // A list is whole whoever panicked.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a temporary file or folder, whose path is removed if the program is interrupted.
pub fn held<T>(
    make: impl FnOnce() -> io::Result<T>,
    path: impl FnOnce(&T) -> &Path,
) -> io::Result<T> {
    let mut state = state();
    let made = make()?;
    state.temporary.push(path(&made).to_owned());
    Ok(made)
}

/// From now on an interruption calls this, and does nothing else, unless there was one before. It is called from another thread.
pub fn calls(stop: impl Fn() + Send + 'static) {
    let mut state = state();
    state.stop = Some(Box::new(stop));
    state.called = None;
}

/// From now on an interruption ends the program again.
pub fn ends_the_program() {
    state().stop = None;
}

/// Ends what ends as planned, or else removes what is temporary and runs `die`.
fn interrupted(die: impl FnOnce()) {
    let mut state = state();
    let is_new = state.called.is_none_or(|called| called.elapsed() < SAME);
    if let Some(stop) = state.stop.as_ref().filter(|_| is_new) {
        stop();
        state.called.get_or_insert_with(Instant::now);
        return;
    }
    for path in &state.temporary {
        // What was renamed or removed meanwhile is not there. There is nobody to report other errors.
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
    }
    // The list stays locked, so nothing temporary is made any more.
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

/// Whoever started this program wants it to go on, as `nohup` does.
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
