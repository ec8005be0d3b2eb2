//! Serves a trace on this machine, so that Perfetto's page can load it.
//!
//! The page may only load from port 9001 of 127.0.0.1, and needs to be allowed to by a header. The
//! one trace is all that is served, on that address unless the user names another one, and no other page may read it.

mod answer;
mod guard;
mod link;

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::thread;

use anyhow::{Context, anyhow};
use tband_app::command_result::finding_messages;
use tband_app::exports::{ExportSummary, Settings, perfetto};
use tband_conv::counted;
use tband_conv::encoding::notation::Format;
use tband_conv::item::Mode;
use tband_conv::{InputFormat, Options};
use tempfile::TempDir;

use crate::Outcome;
use crate::args::ServeArgs;
use crate::http::Server;
use crate::input::{self, InputSettings, NamedInput};
use crate::interrupt;
use crate::output::{print, to_file};
use crate::page::DEFAULT_PORT;
use crate::progress::Progress;
use crate::report::Report;
use answer::Trace;

pub use guard::{linked, refusal};
pub use link::Note;

/// Ports that are tried, counted from the one that is wanted.
const PORTS: u16 = 100;

pub fn run(args: &ServeArgs, report: &Report) -> anyhow::Result<Outcome> {
    let named = NamedInput::parse(args.file.as_os_str())?;
    let progress = Progress::new(2, !report.is_quiet());
    let how = InputSettings { format: Format::Auto, ..InputSettings::default() };
    let zipped = named.zipped(how)?;
    let trace = if zipped.is_none() { named.ctf(how)? } else { None };
    let inputs = match (zipped, trace) {
        (Some(zipped), _) => zipped.all()?,
        (None, Some(folder)) => input::streams(&named, &folder, &progress),
        (None, None) => {
            let kept = Rc::new(named.keep()?);
            let input = input::store_input(
                named.display_name(),
                Rc::clone(&kept),
                InputFormat::Auto,
                &progress,
            )
            .in_format(Format::Auto);
            if input.is_perfetto()? {
                file(kept.path(), (args.address, args.port), (args.open, args.open), &[], report)?;
                return Ok(Outcome::Clean);
            }
            vec![named.on_its_core(input)]
        }
    };
    let mut options = Options::default();
    options.mode = Mode::Auto;
    let (dir, path) = temporary("trace.pftrace", false)?;
    let made = to_file(&path, false, |out| {
        Ok(perfetto::write(&inputs, &options, &Settings::default(), out)?)
    });
    progress.clear();
    let ExportSummary { summary, losses, .. } = made.with_context(|| {
        format!("{}: not a Perfetto trace, and no recording to make one of", args.file.display())
    })?;
    report.messages(finding_messages(&summary));
    report.line(&format!(
        "{}: converted, {}",
        args.file.display(),
        counted(summary.events, "event")
    ));
    file(&path, (args.address, args.port), (args.open, args.open), &losses, report)?;
    dir.close().context("cannot remove a temporary folder")?;
    Ok(Outcome::of(summary.diagnostics.is_clean()))
}

/// A temporary folder and a file's path in it.
pub fn temporary(name: &str, gzip: bool) -> anyhow::Result<(TempDir, PathBuf)> {
    let dir = interrupt::create_temporary(tempfile::tempdir, TempDir::path);
    let dir = dir.context("cannot make a temporary folder")?;
    let path = dir.path().join(if gzip { format!("{name}.gz") } else { name.to_owned() });
    Ok((dir, path))
}

/// Serves the file until Ctrl-C, or until it was loaded if `once`, with notes at some times of it.
pub fn file(
    path: &Path,
    (address, port): (IpAddr, u16),
    (open, once): (bool, bool),
    notes: &[Note],
    report: &Report,
) -> anyhow::Result<()> {
    let (listener, at) = listen(address, port)?;
    let actual = at.port();
    let server = Server::new(listener).with_context(|| format!("cannot serve on {at}"))?;
    if !address.is_loopback() {
        report.warn(&format!(
            "serving on {at}: anyone who can reach this address can read the trace"
        ));
    }
    if port != 0 && actual != port {
        report.warn(&format!("port {port} is taken, serving on {actual}"));
    }
    if actual != DEFAULT_PORT {
        report.note(&format!(
            "Perfetto's page may refuse to load from a port other than {DEFAULT_PORT}"
        ));
    }
    let served = Arc::clone(&server);
    interrupt::call_on_interrupt(move || served.end());
    let name = url_name(path);
    let link = link::link(actual, &name, notes);
    let until = if once { "until it is loaded" } else { "until Ctrl-C" };
    report.line(&format!("serving {} {until}; open", path.display()));
    // The link is the result of the command, so it is printed even with --quiet.
    print(format!("{link}\n").as_bytes())?;
    if let Some(tunnel) = link::tunnel(actual, |name| std::env::var(name).ok()) {
        report.line(&tunnel);
    }
    if open {
        open_browser(link, *report);
    }
    server.serve(Trace { path: path.to_owned(), name, at, once, report: *report });
    Ok(())
}

pub fn open_browser(link: String, report: Report) {
    // Some browsers block their caller.
    thread::spawn(move || {
        if let Err(error) = open::that_detached(&link) {
            report.warn(&format!("cannot open a browser ({error}); open the link yourself"));
        }
    });
}

/// A listener on the wanted port or, if that is taken, the next free one.
pub fn listen(address: IpAddr, port: u16) -> anyhow::Result<(TcpListener, SocketAddr)> {
    let mut last = None;
    for port in port..=port.saturating_add(PORTS) {
        match TcpListener::bind((address, port)) {
            Ok(listener) => {
                let at = listener.local_addr().unwrap_or((address, port).into());
                return Ok((listener, at));
            }
            // No port of it is free: this machine does not have the address.
            Err(error) if error.kind() == ErrorKind::AddrNotAvailable => {
                return Err(error).with_context(|| {
                    format!("{address} is not an address of this machine; name one of this machine with --address")
                });
            }
            Err(error) => last = Some(error),
        }
    }
    let error = last.map(anyhow::Error::from).unwrap_or_else(|| anyhow!("no port to try"));
    Err(error.context(format!("no free port on {address} from {port} on; choose one with --port")))
}

/// Returns the file's name with only the characters that a link may hold.
fn url_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' }
    };
    name.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::LOCAL;

    #[test]
    fn names_in_links_are_plain() {
        assert_eq!(url_name(Path::new("/a/b c#?.pftrace")), "b_c__.pftrace");
    }

    #[test]
    fn the_next_port_is_taken_if_one_is_not_free() {
        let (_first, port) = listen(LOCAL, 0).unwrap();
        let (_second, next) = listen(LOCAL, port.port()).unwrap();
        assert!(next.port() > port.port());
    }
}
