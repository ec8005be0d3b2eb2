//! Under `nohup`, or wherever else signals are ignored. It is a separate program, because its signals change.

#![cfg(unix)]

use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use tband_programs::{output, output_inheriting};

#[test]
fn programs_have_the_usual_signals_all_the_same() {
    let signals = [
        ("HUP", libc::SIGHUP),
        ("INT", libc::SIGINT),
        ("PIPE", libc::SIGPIPE),
        ("TERM", libc::SIGTERM),
    ];
    for (name, signal) in signals {
        // SAFETY: a signal of this system, and an action that needs nothing.
        assert_ne!(unsafe { libc::signal(signal, libc::SIG_IGN) }, libc::SIG_ERR);
        let line = format!("kill -{name} $$; exit 3");
        let mut command = Command::new("sh");
        command.args(["-c", &line]);
        // The standard library itself sees to SIGPIPE.
        if signal != libc::SIGPIPE {
            assert_eq!(output_inheriting(&mut command).unwrap().status.code(), Some(3));
        }
        assert_eq!(output(&mut command).unwrap().status.signal(), Some(signal));
    }
}
