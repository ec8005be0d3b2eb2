//! The page that shows a growing recording.

use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::Context;

use crate::args::RecordArgs;
use crate::http::Server;
use crate::live::{Hub, PageCommand, PageCommands};
use crate::output::print;
use crate::report::Report;
use crate::serve::open_browser;
use crate::web;

use super::source::no_commands_message;
use super::started::is_foreign;

/// A server for the page, beside the recorder.
pub struct Web {
    hub: Arc<Hub>,
    server: Arc<Server>,
    serves: JoinHandle<()>,
}

impl Web {
    /// Serves a growing recording of this source, which is written to a file. Also returns the commands of pages, if the source
    /// `can_send`.
    ///
    /// # Errors
    /// There is no page, or no port.
    pub fn start(
        args: &RecordArgs,
        (source, can_send): (&str, bool),
        output: &Path,
        report: &Report,
    ) -> anyhow::Result<(Self, Option<Receiver<PageCommand>>)> {
        let cannot_ask = match can_send {
            true => String::new(),
            false if is_foreign(args.input_format) => {
                "the target has another recorder, which does not execute these commands".to_owned()
            }
            false => no_commands_message(),
        };
        let hub = Hub::new(source, &output.display().to_string(), &cannot_ask);
        let (asks, asked) = can_send.then(PageCommands::new).transpose()?.unzip();
        let live = Some((Arc::clone(&hub), asks));
        let (server, page) =
            web::open(args.dir.as_deref(), (args.address, args.port), live, report)?;
        let link = page.link();
        report.line("serving the page while it records; open");
        // The link is the result of --web, so it is printed even with --quiet; and the recording continues if the link cannot
        // be printed.
        let line = format!("{link}\n");
        if output == Path::new("-") || print(line.as_bytes()).is_err() {
            let _ = io::stderr().write_all(line.as_bytes());
        }
        let serving = Arc::clone(&server);
        let serves = thread::Builder::new().name("web".to_owned());
        let serves = serves.spawn(move || serving.serve(page)).context("cannot start a thread")?;
        if args.open {
            open_browser(link, *report);
        }
        Ok((Self { hub, server, serves }, asked))
    }

    /// Returns the hub of the bytes for pages.
    pub fn hub(&self) -> Arc<Hub> {
        Arc::clone(&self.hub)
    }

    /// The recording has ended: pages get the rest, but within this time.
    pub fn end(self, most: Duration) {
        self.hub.end();
        self.hub.wait_for_readers(most);
        self.server.wait_for_answers(most);
        self.server.end();
        // The server is no longer needed.
        let _ = self.serves.join();
    }
}
