//! `web`: serves the web page, on this machine unless the user names another address.

use std::borrow::Cow;
use std::fs;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use serde_json::json;

use crate::args::WebArgs;
use crate::http::{Body, Handler, Reply, Request, Response, Server};
use crate::live::{Hub, PageCommands, Stream};
use crate::output::print;
use crate::report::Report;
use crate::serve::{linked, listen, open_browser, refusal};
use crate::{Outcome, interrupt};

/// Names and bytes of the page's files; none if it was not there when this program was built.
const BUILT_IN: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The page's files, with their types.
const TYPES: [(&str, &str); 4] = [
    ("index.html", "text/html; charset=utf-8"),
    ("manifest.webmanifest", "application/manifest+json"),
    ("sw.js", "text/javascript; charset=utf-8"),
    ("icon.svg", "image/svg+xml"),
];

/// The header with the token. Other pages cannot send it without a permission request first.
const TOKEN: &str = "X-Tband-Token";

/// A growing recording, and the channel to its target, if there is one.
type LiveSource = (Arc<Hub>, Option<Arc<PageCommands>>);

type File = (&'static str, &'static str, Cow<'static, [u8]>);

pub fn run(args: &WebArgs, report: &Report) -> anyhow::Result<Outcome> {
    let (server, page) = open(args.dir.as_deref(), (args.address, args.port), None, report)?;
    let served = Arc::clone(&server);
    interrupt::call_on_interrupt(move || served.end());
    let link = page.link();
    report.line("serving the page until Ctrl-C; open");
    // The link is the result of the command, so it is printed even with --quiet.
    print(format!("{link}\n").as_bytes())?;
    if args.open {
        open_browser(link, *report);
    }
    server.serve(page);
    Ok(Outcome::Clean)
}

/// Creates a server for the page, in this folder or the built-in one, and for a growing recording.
///
/// # Errors
/// There is no page, or no port.
pub fn open(
    folder: Option<&Path>,
    (address, wanted): (IpAddr, u16),
    live: Option<LiveSource>,
    report: &Report,
) -> anyhow::Result<(Arc<Server>, Page)> {
    let files = files(folder)?;
    let (listener, at) = listen(address, wanted)?;
    let port = at.port();
    let server = Server::new(listener).with_context(|| format!("cannot serve on {at}"))?;
    if !address.is_loopback() {
        let what = match &live {
            None => "load the page",
            Some((_, None)) => "read the recording",
            Some((_, Some(_))) => "read the recording and send commands to the target",
        };
        report.warn(&format!("serving on {at}: anyone who can reach this address can {what}"));
    }
    if wanted != 0 && port != wanted {
        report.warn(&format!("port {wanted} is taken, serving on {port}"));
    }
    Ok((server, Page { files, at, live, report: *report }))
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

/// The served files.
pub struct Page {
    files: Vec<File>,
    at: SocketAddr,
    live: Option<LiveSource>,
    report: Report,
}

impl Page {
    /// Returns its address; with a recording, that of its live view. After the `#`, which browsers do not send, is the token
    /// that permits commands to the target.
    pub fn link(&self) -> String {
        let query = match &self.live {
            None => String::new(),
            Some((_, None)) => "?live".to_owned(),
            Some((_, Some(asks))) => format!("?live#{}", asks.token()),
        };
        format!("http://{}/{query}", linked(self.at))
    }

    /// Sends a page's command to the target, and waits for the answer.
    fn ask(&self, asks: &PageCommands, request: &Request, reply: &mut Reply) -> anyhow::Result<()> {
        let mut tokens = request.values(TOKEN);
        let is_token = tokens.next().is_some_and(|it| asks.is_token(it)) && tokens.next().is_none();
        let text;
        let response = if let Some((status, text)) = refusal(request, self.at, &[], false) {
            Response::text(status, text)
        } else if request.method != "POST" {
            Response::text(405, "method not allowed").with("Allow", "POST")
        } else if !is_token {
            Response::text(403, "open the link that tband-cli has printed: it has the token")
        } else if let Ok(command) = std::str::from_utf8(&request.body) {
            text = match asks.ask(command) {
                Some(it) => json!({ "text": it.text, "kind": it.kind, "is": it.is }),
                None => json!({ "text": format!("{command}: the recording has ended") }),
            }
            .to_string();
            Response::new(200, Body::Bytes(text.as_bytes()))
                .with("Content-Type", "application/json")
                .with("Cache-Control", "no-store")
        } else {
            Response::text(400, "a command is text")
        };
        reply.send(response).context("the connection broke")
    }
}

impl Handler for Page {
    fn answer(&self, request: &Request, reply: &mut Reply) -> anyhow::Result<bool> {
        let name = match request.path().trim_start_matches('/') {
            "" => "index.html",
            name => name,
        };
        if let ("command", Some((_, Some(asks)))) = (name, &self.live) {
            self.ask(asks, request, reply)?;
            return Ok(false);
        }
        // No other page may read the recording.
        if let ("live", "GET", Some((hub, _))) = (name, request.method.as_str(), &self.live)
            && refusal(request, self.at, &[], false).is_none()
        {
            let stream = Box::new(Stream::new(Arc::clone(hub)));
            let response = Response::new(200, Body::Whole(stream))
                .with("Content-Type", "application/octet-stream")
                .with("Cache-Control", "no-store");
            reply.send(response).context("the connection broke")?;
            return Ok(false);
        }
        let file = self.files.iter().find(|file| file.0 == name);
        let refused = refusal(request, self.at, &[], true);
        let response = match (refused, request.method.as_str(), file) {
            (None, "GET" | "HEAD", Some((_, kind, bytes))) => {
                Response::new(200, Body::Bytes(bytes))
                    .with("Content-Type", *kind)
                    .with("Cache-Control", "no-cache")
                    .with("X-Content-Type-Options", "nosniff")
            }
            (Some((status, text)), _, _) => Response::text(status, text),
            (_, "GET" | "HEAD", None) => Response::text(404, "not found"),
            _ => Response::text(405, "method not allowed"),
        };
        reply.send(response).context("the connection broke")?;
        Ok(false)
    }

    fn failed(&self, error: &anyhow::Error) {
        self.report.detail(&format!("a request failed: {error:#}"));
    }
}
