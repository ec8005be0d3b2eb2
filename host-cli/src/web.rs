//! `web`: serves the web page on this machine.

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use anyhow::{Context, anyhow, bail};
use tiny_http::{Header, Method, Request, Response, Server};

use crate::args::WebArgs;
use crate::output::print;
use crate::report::Report;
use crate::serve::{listen, open_browser, refusal};
use crate::{Outcome, interrupt};

/// Names and bytes of the page's files; none if it was not there when this program was built.
const BUILT_IN: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The page's files, with what they are.
const TYPES: [(&str, &str); 4] = [
    ("index.html", "text/html; charset=utf-8"),
    ("manifest.webmanifest", "application/manifest+json"),
    ("sw.js", "text/javascript; charset=utf-8"),
    ("icon.svg", "image/svg+xml"),
];

type File = (&'static str, &'static str, Cow<'static, [u8]>);

pub fn run(args: &WebArgs, report: &Report) -> anyhow::Result<Outcome> {
    let files = Arc::new(files(args.dir.as_deref())?);
    let (listener, port) = listen(args.port)?;
    let server = Server::from_listener(listener, None)
        .map_err(|error| anyhow!("cannot serve on 127.0.0.1:{port}: {error}"))?;
    let server = Arc::new(server);
    if args.port != 0 && port != args.port {
        report.warn(&format!("port {} is taken, serving on {port}", args.port));
    }
    let served = Arc::clone(&server);
    interrupt::calls(move || served.unblock());
    let link = format!("http://localhost:{port}/");
    report.line("serving the page until Ctrl-C; open");
    // The link is what the command is for, so it is said even with --quiet.
    print(format!("{link}\n").as_bytes())?;
    if args.open {
        open_browser(link, *report);
    }
    while let Ok(request) = server.recv() {
        let (files, report) = (Arc::clone(&files), *report);
        thread::spawn(move || {
            if let Err(error) = answer(request, &files, port) {
                report.detail(&format!("a request failed: {error:#}"));
            }
        });
    }
    Ok(Outcome::Clean)
}

fn files(folder: Option<&Path>) -> anyhow::Result<Vec<File>> {
    let mut files = Vec::new();
    for (name, kind) in TYPES {
        let bytes = match folder {
            Some(folder) => {
                let path = folder.join(name);
                let bytes = fs::read(&path).with_context(|| {
                    format!(
                        "cannot read {}; name a folder that 'cargo xtask web --out DIR' has made",
                        path.display()
                    )
                })?;
                Cow::Owned(bytes)
            }
            None => match BUILT_IN.iter().find(|file| file.0 == name) {
                Some((_, bytes)) => Cow::Borrowed(*bytes),
                None => bail!(
                    "this tband-cli was built without the page. In tband's source folder run \
                     'cargo xtask web --install', which builds both; or run 'cargo xtask web --out DIR' \
                     and name the folder: tband-cli web --dir DIR"
                ),
            },
        };
        files.push((name, kind, bytes));
    }
    Ok(files)
}

fn answer(request: Request, files: &[File], port: u16) -> anyhow::Result<()> {
    let path = request.url().split(['?', '#']).next().unwrap_or_default();
    let name = match path.trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    let file = files.iter().find(|file| file.0 == name);
    let refused = refusal(&request, port, &[], true);
    let (status, text) = match (refused, request.method(), file) {
        (None, Method::Get | Method::Head, Some((_, kind, bytes))) => {
            let response = Response::from_data(bytes.to_vec())
                .with_header(header("Content-Type", kind)?)
                .with_header(header("Cache-Control", "no-cache")?)
                .with_header(header("X-Content-Type-Options", "nosniff")?);
            return request.respond(response).context("the connection broke");
        }
        (Some(refused), _, _) => refused,
        (_, Method::Get | Method::Head, None) => (404, "not found"),
        _ => (405, "method not allowed"),
    };
    let response = Response::from_string(text).with_status_code(status);
    request.respond(response).context("the connection broke")
}

fn header(name: &str, value: &str) -> anyhow::Result<Header> {
    Header::from_bytes(name, value).map_err(|()| anyhow!("bad header {name}"))
}
