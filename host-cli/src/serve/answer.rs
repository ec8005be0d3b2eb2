//! Answers requests for the trace: whole, compressed if the browser takes that, or a range of it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use flate2::Compression;
use flate2::read::GzEncoder;
use tiny_http::{HTTPVersion, Header, Method, Request, Response, StatusCode};

use super::guard;
use crate::page::PERFETTO;

/// What may be done with the trace.
const METHODS: &str = "GET, HEAD, OPTIONS";

/// What is served.
#[derive(Debug)]
pub struct Trace {
    pub path: PathBuf,
    /// Name in the link.
    pub name: String,
    pub port: u16,
}

impl Trace {
    /// Answers one request; true if with it Perfetto's page has taken the end of the trace.
    pub fn answer(&self, request: Request) -> anyhow::Result<bool> {
        if let Some((status, text)) = guard::refusal(&request, self.port, &[PERFETTO], false) {
            return refuse(request, status, text);
        }
        let wanted = request.url().split(['?', '#']).next().unwrap_or_default();
        if wanted.strip_prefix('/') != Some(&self.name) {
            return refuse(request, 404, "not found");
        }
        match request.method() {
            Method::Get | Method::Head => self.send(request),
            Method::Options => {
                let response = Response::empty(204)
                    .with_header(header("Access-Control-Allow-Methods", METHODS)?)
                    .with_header(header("Access-Control-Allow-Headers", "*")?)
                    .with_header(header("Access-Control-Allow-Private-Network", "true")?);
                respond(request, response)?;
                Ok(false)
            }
            _ => {
                let response = Response::from_string("method not allowed").with_status_code(405);
                respond(request, response.with_header(header("Allow", METHODS)?))?;
                Ok(false)
            }
        }
    }

    fn send(&self, request: Request) -> anyhow::Result<bool> {
        let cannot = || format!("cannot read {}", self.path.display());
        let mut file = File::open(&self.path).with_context(cannot)?;
        let len = file.metadata().with_context(cannot)?.len();
        let takes = *request.method() == Method::Get && guard::is_from(&request, &[PERFETTO]);
        let headers = vec![
            header("Content-Type", "application/octet-stream")?,
            header("Cache-Control", "no-cache")?,
            header("Accept-Ranges", "bytes")?,
        ];
        // What a condition is about was never told, so it does not hold.
        let wanted = value(&request, "Range").filter(|_| value(&request, "If-Range").is_none());
        match wanted.and_then(|text| range(text, len)) {
            Some(Some(Range { start, end })) => {
                file.seek(SeekFrom::Start(start)).with_context(cannot)?;
                let shown = format!("bytes {start}-{}/{len}", end.saturating_sub(1));
                let part = end.saturating_sub(start);
                let response = sized(206, headers, file.take(part), part)?
                    .with_header(header("Content-Range", &shown)?);
                respond(request, response)?;
                Ok(takes && end == len)
            }
            Some(None) => {
                let response = Response::empty(416)
                    .with_header(header("Content-Range", &format!("bytes */{len}"))?);
                respond(request, response)?;
                Ok(false)
            }
            None if self.may_compress(&request) => {
                let packed = GzEncoder::new(file, Compression::fast());
                let response = Response::new(StatusCode(200), headers, packed, None, None)
                    .with_header(header("Content-Encoding", "gzip")?)
                    .with_header(header("Vary", "Accept-Encoding")?);
                respond(request, response)?;
                Ok(takes)
            }
            None => {
                respond(request, sized(200, headers, file, len)?)?;
                Ok(takes)
            }
        }
    }

    fn may_compress(&self, request: &Request) -> bool {
        let packed = self.path.extension().is_some_and(|it| it.eq_ignore_ascii_case("gz"));
        let accepts = value(request, "Accept-Encoding").is_some_and(accepts_gzip);
        !packed && accepts && *request.http_version() >= HTTPVersion(1, 1)
    }
}

fn accepts_gzip(text: &str) -> bool {
    text.split(',').any(|entry| {
        let (name, quality) = entry.split_once(';').unwrap_or((entry, ""));
        let refused = quality.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0_f32));
        ["gzip", "*"].contains(&name.trim()) && !refused
    })
}

/// The one range that a `Range` header asks for. Outside: `None` if it is to be ignored; inside:
/// `None` if there is nothing in it.
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
    guard::values(request, name).next()
}

fn refuse(request: Request, status: u16, text: &str) -> anyhow::Result<bool> {
    respond(request, Response::from_string(text).with_status_code(status))?;
    Ok(false)
}

fn sized<R: Read>(
    status: u16,
    headers: Vec<Header>,
    body: R,
    len: u64,
) -> anyhow::Result<Response<R>> {
    let len = usize::try_from(len).context("the trace is too large for this machine")?;
    let response = Response::new(StatusCode(status), headers, body, Some(len), None);
    Ok(response.with_chunked_threshold(usize::MAX))
}

fn respond<R: Read>(request: Request, response: Response<R>) -> anyhow::Result<()> {
    let response = response.with_header(header("Access-Control-Allow-Origin", PERFETTO)?);
    request.respond(response).context("the connection broke")
}

fn header(name: &str, value: &str) -> anyhow::Result<Header> {
    Header::from_bytes(name, value).map_err(|()| anyhow!("bad header {name}"))
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
        assert!(accepts_gzip("gzip, deflate, br"));
        assert!(accepts_gzip("br;q=1.0, gzip;q=0.8"));
        assert!(accepts_gzip("*"));
        assert!(!accepts_gzip("identity"));
        assert!(!accepts_gzip("gzip;q=0"));
    }
}
