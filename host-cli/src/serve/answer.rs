//! Answers requests for the trace: the complete trace, compressed if the browser accepts that, or a range of it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::net::SocketAddr;
use std::ops::Range;
use std::path::PathBuf;

use anyhow::Context;
use flate2::Compression;
use flate2::read::GzEncoder;

use super::guard;
use crate::http::{Body, Handler, Reply, Request, Response};
use crate::page::PERFETTO;
use crate::report::Report;

/// Methods for the trace.
const METHODS: &str = "GET, HEAD, OPTIONS";

/// The served trace.
#[derive(Debug)]
pub struct Trace {
    pub path: PathBuf,
    /// Name in the link.
    pub name: String,
    /// Where it is served.
    pub at: SocketAddr,
    /// The server ends when the trace was loaded.
    pub once: bool,
    pub report: Report,
}

impl Handler for Trace {
    fn answer(&self, request: &Request, reply: &mut Reply) -> anyhow::Result<bool> {
        // The file may have been removed since the link was printed: both sides report that.
        let (response, takes) = self.respond(request).unwrap_or_else(|error| {
            self.report.warn(&format!("{error:#}"));
            (Response::text(500, "the trace cannot be read"), false)
        });
        let response = response.with("Access-Control-Allow-Origin", PERFETTO);
        reply.send(response).context("the connection broke")?;
        Ok(takes && self.once)
    }

    fn failed(&self, error: &anyhow::Error) {
        self.report.detail(&format!("a request failed: {error:#}"));
    }
}

impl Trace {
    /// The answer to a request; true if with it Perfetto's page takes the end of the trace.
    fn respond(&self, request: &Request) -> anyhow::Result<(Response<'_>, bool)> {
        if let Some((status, text)) = guard::refusal(request, self.at, &[PERFETTO], false) {
            return Ok((Response::text(status, text), false));
        }
        if request.path().strip_prefix('/') != Some(&self.name) {
            return Ok((Response::text(404, "not found"), false));
        }
        match request.method.as_str() {
            "GET" | "HEAD" => self.send(request),
            "OPTIONS" => {
                let response = Response::empty(204)
                    .with("Access-Control-Allow-Methods", METHODS)
                    .with("Access-Control-Allow-Headers", "*")
                    .with("Access-Control-Allow-Private-Network", "true");
                Ok((response, false))
            }
            _ => Ok((Response::text(405, "method not allowed").with("Allow", METHODS), false)),
        }
    }

    fn send(&self, request: &Request) -> anyhow::Result<(Response<'_>, bool)> {
        let cannot = || format!("cannot read {}", self.path.display());
        let mut file = File::open(&self.path).with_context(cannot)?;
        let len = file.metadata().with_context(cannot)?.len();
        let takes = request.method == "GET" && guard::is_from(request, &[PERFETTO]);
        let whole = |status, body| {
            Response::new(status, body)
                .with("Content-Type", "application/octet-stream")
                .with("Cache-Control", "no-cache")
                .with("Accept-Ranges", "bytes")
        };
        // The validator of a condition was never sent, so the condition does not hold.
        let wanted = value(request, "Range").filter(|_| value(request, "If-Range").is_none());
        match wanted.and_then(|text| range(text, len)) {
            Some(Some(Range { start, end })) => {
                file.seek(SeekFrom::Start(start)).with_context(cannot)?;
                let shown = format!("bytes {start}-{}/{len}", end.saturating_sub(1));
                let part = end.saturating_sub(start);
                let body = Body::Sized(Box::new(file.take(part)), part);
                Ok((whole(206, body).with("Content-Range", shown), takes && end == len))
            }
            Some(None) => {
                let response = Response::empty(416).with("Content-Range", format!("bytes */{len}"));
                Ok((response, false))
            }
            None if self.may_compress(request) => {
                let packed = Body::Whole(Box::new(GzEncoder::new(file, Compression::fast())));
                let response = whole(200, packed)
                    .with("Content-Encoding", "gzip")
                    .with("Vary", "Accept-Encoding");
                Ok((response, takes))
            }
            None => Ok((whole(200, Body::Sized(Box::new(file), len)), takes)),
        }
    }

    fn may_compress(&self, request: &Request) -> bool {
        let packed = self.path.extension().is_some_and(|it| it.eq_ignore_ascii_case("gz"));
        let accepts = value(request, "Accept-Encoding").is_some_and(is_gzip_accepted);
        !packed && accepts && request.is_1_1
    }
}

fn is_gzip_accepted(text: &str) -> bool {
    text.split(',').any(|entry| {
        let (name, quality) = entry.split_once(';').unwrap_or((entry, ""));
        let refused = quality.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0_f32));
        ["gzip", "*"].contains(&name.trim()) && !refused
    })
}

/// Returns the single range that a `Range` header requests. Outer option: `None` if the header is to be ignored; inner option:
/// `None` if the range is empty.
fn range(text: &str, len: u64) -> Option<Option<Range<u64>>> {
    let (first, last) = text.trim().strip_prefix("bytes=")?.split_once('-')?;
    if first.is_empty() {
        let count: u64 = last.parse().ok()?;
        return Some((count > 0 && len > 0).then(|| len.saturating_sub(count)..len));
    }
    let start: u64 = first.parse().ok()?;
    let end = match last {
        "" => len,
        last => last.parse::<u64>().ok().filter(|last| *last >= start)?.saturating_add(1).min(len),
    };
    Some((start < len).then_some(start..end))
}

fn value<'r>(request: &'r Request, name: &'static str) -> Option<&'r str> {
    request.values(name).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_understood() {
        assert_eq!(range("bytes=0-9", 100), Some(Some(0..10)));
        assert_eq!(range("bytes=90-", 100), Some(Some(90..100)));
        assert_eq!(range("bytes=90-500", 100), Some(Some(90..100)));
        assert_eq!(range("bytes=-10", 100), Some(Some(90..100)));
        assert_eq!(range("bytes=-500", 100), Some(Some(0..100)));
        assert_eq!(range("bytes=100-", 100), Some(None));
        assert_eq!(range("bytes=-0", 100), Some(None));
        assert_eq!(range("bytes=0-", 0), Some(None));
        for ignored in ["bytes=5-4", "bytes=a-b", "bytes=0-1,3-4", "lines=0-1", "bytes=-", ""] {
            assert_eq!(range(ignored, 100), None, "{ignored}");
        }
    }

    #[test]
    fn compression_is_used_if_it_is_taken() {
        assert!(is_gzip_accepted("gzip, deflate, br"));
        assert!(is_gzip_accepted("br;q=1.0, gzip;q=0.8"));
        assert!(is_gzip_accepted("*"));
        assert!(!is_gzip_accepted("identity"));
        assert!(!is_gzip_accepted("gzip;q=0"));
    }
}
