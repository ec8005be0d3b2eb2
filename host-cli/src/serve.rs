//! Serves a trace on this machine, so that Perfetto's page can load it.
//!
//! The page may only load from port 9001 of 127.0.0.1, and needs to be allowed to by a header.
//! Nothing else is served to nobody else.

use std::fs::File;
use std::io::Read;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::thread;

use anyhow::{Context, anyhow, bail};
use tiny_http::{Header, Method, Request, Response, Server};

use crate::Outcome;
use crate::args::ServeArgs;
use crate::report::Report;

/// The one port that Perfetto's page may load from.
pub const DEFAULT_PORT: u16 = 9001;

/// Ports that are tried, counted from the one that is wanted.
const PORTS: u16 = 100;

const PERFETTO: &str = "https://ui.perfetto.dev";

pub fn run(args: &ServeArgs, report: &Report) -> anyhow::Result<Outcome> {
    check(&args.file)?;
    file(&args.file, args.port, args.open, args.open, report)?;
    Ok(Outcome::Clean)
}

/// The file can be read and starts like a trace.
fn check(path: &Path) -> anyhow::Result<()> {
    let cannot = || format!("cannot read {}", path.display());
    let mut head = [0; 2];
    let mut file = File::open(path).with_context(cannot)?;
    let len = file.read(&mut head).with_context(cannot)?;
    match head {
        _ if len < 2 => bail!("{}: is empty", path.display()),
        // A packet, or gzip.
        [0x0A, _] | [0x1F, 0x8B] => Ok(()),
        _ => bail!(
            "{}: not a Perfetto trace; to serve a recording use tband-cli conv --serve",
            path.display()
        ),
    }
}

/// Serves the file until Ctrl-C, or until it was loaded if `once`.
pub fn file(path: &Path, port: u16, open: bool, once: bool, report: &Report) -> anyhow::Result<()> {
    let (listener, actual) = listen(port)?;
    let server = Server::from_listener(listener, None)
        .map_err(|error| anyhow!("cannot serve on 127.0.0.1:{actual}: {error}"))?;
    if port != 0 && actual != port {
        report.warn(&format!("port {port} is taken, serving on {actual}"));
    }
    if actual != DEFAULT_PORT {
        report.note(&format!(
            "Perfetto's page may refuse to load from a port other than {DEFAULT_PORT}"
        ));
    }
    let name = url_name(path);
    let link = format!("{PERFETTO}/#!/?url=http://127.0.0.1:{actual}/{name}");
    report.line(&format!("serving {} until Ctrl-C; open", path.display()));
    // The link is what the command is for, so it is said even with --quiet.
    println!("{link}");
    if open {
        let report = *report;
        // Some browsers keep whoever starts them waiting.
        thread::spawn(move || {
            if let Err(error) = open::that_detached(&link) {
                report.warn(&format!("cannot open a browser ({error}); open the link yourself"));
            }
        });
    }
    for request in server.incoming_requests() {
        let loaded = answer(request, path, &name).unwrap_or_else(|error| {
            report.warn(&format!("a request failed: {error:#}"));
            false
        });
        if loaded && once {
            break;
        }
    }
    Ok(())
}

/// A listener on the wanted port or, if that is taken, the next free one.
fn listen(port: u16) -> anyhow::Result<(TcpListener, u16)> {
    let mut last = None;
    for port in port..=port.saturating_add(PORTS) {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => {
                let actual = listener.local_addr().map_or(port, |address| address.port());
                return Ok((listener, actual));
            }
            Err(error) => last = Some(error),
        }
    }
    let error = last.map(anyhow::Error::from).unwrap_or_else(|| anyhow!("no port to try"));
    Err(error.context(format!("no free port on 127.0.0.1 from {port} on; choose one with --port")))
}

/// Answers one request; true if it has taken the whole trace.
fn answer(request: Request, path: &Path, name: &str) -> anyhow::Result<bool> {
    let wanted = request.url().split(['?', '#']).next().unwrap_or_default();
    if wanted.strip_prefix('/') != Some(name) {
        respond(request, Response::from_string("not found").with_status_code(404))?;
        return Ok(false);
    }
    match request.method() {
        Method::Get | Method::Head => {
            let is_get = *request.method() == Method::Get;
            let file =
                File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
            let response = Response::from_file(file)
                .with_chunked_threshold(usize::MAX)
                .with_header(header("Content-Type", "application/octet-stream")?)
                .with_header(header("Cache-Control", "no-cache")?);
            respond(request, response)?;
            Ok(is_get)
        }
        Method::Options => {
            let response = Response::empty(204)
                .with_header(header("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")?)
                .with_header(header("Access-Control-Allow-Headers", "*")?)
                .with_header(header("Access-Control-Allow-Private-Network", "true")?);
            respond(request, response)?;
            Ok(false)
        }
        _ => {
            respond(request, Response::from_string("only GET").with_status_code(405))?;
            Ok(false)
        }
    }
}

fn respond<R: Read>(request: Request, response: Response<R>) -> anyhow::Result<()> {
    let response = response.with_header(header("Access-Control-Allow-Origin", PERFETTO)?);
    request.respond(response).context("the connection broke")
}

fn header(name: &str, value: &str) -> anyhow::Result<Header> {
    Header::from_bytes(name, value).map_err(|()| anyhow!("bad header {name}"))
}

/// The file's name with only what a link may hold.
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

    #[test]
    fn names_in_links_are_plain() {
        assert_eq!(url_name(Path::new("/a/b c#?.pftrace")), "b_c__.pftrace");
    }

    #[test]
    fn the_next_port_is_taken_if_one_is_not_free() {
        let (_first, port) = listen(0).unwrap();
        let (_second, next) = listen(port).unwrap();
        assert!(next > port);
    }
}
