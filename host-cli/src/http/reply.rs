//! Answers.

use std::io::{self, BufWriter, Read, Write};
use std::net::TcpStream;

use super::Request;

/// The body of an answer.
pub enum Body<'a> {
    /// These bytes.
    Bytes(&'a [u8]),
    /// A reader of this many bytes.
    Sized(Box<dyn Read + 'a>, u64),
    /// All bytes of a reader of unknown length.
    Whole(Box<dyn Read + 'a>),
}

/// An answer.
pub struct Response<'a> {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Body<'a>,
}

impl<'a> Response<'a> {
    /// With this status.
    pub fn new(status: u16, body: Body<'a>) -> Self {
        Self { status, headers: Vec::new(), body }
    }

    /// A line for people.
    pub fn text(status: u16, text: &'a str) -> Self {
        let plain = "text/plain; charset=utf-8";
        Self::new(status, Body::Bytes(text.as_bytes())).with("Content-Type", plain)
    }

    /// Nothing but the head.
    pub fn empty(status: u16) -> Self {
        Self::new(status, Body::Bytes(&[]))
    }

    /// And this header. Neither may have a line's end.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

/// The destination of an answer to a request.
pub struct Reply<'a> {
    stream: &'a TcpStream,
    is_head: bool,
    is_1_1: bool,
}

impl<'a> Reply<'a> {
    pub(super) fn to(stream: &'a TcpStream, request: &Request) -> Self {
        Self { stream, is_head: request.method == "HEAD", is_1_1: request.is_1_1 }
    }

    /// Creates a reply to an invalid request.
    pub(super) fn to_invalid_request(stream: &'a TcpStream) -> Self {
        Self { stream, is_head: false, is_1_1: false }
    }

    /// Sends the answer, the connection's only one.
    ///
    /// # Errors
    /// The connection broke, or the body cannot be read; then the answer is incomplete, and the client notices that.
    pub fn send(&mut self, response: Response<'_>) -> io::Result<()> {
        let Response { status, headers, body } = response;
        let mut out = BufWriter::with_capacity(64 << 10, self.stream);
        write!(out, "HTTP/1.1 {status} {}\r\nConnection: close\r\n", reason(status))?;
        for (name, value) in headers {
            write!(out, "{name}: {value}\r\n")?;
        }
        let has_body = status != 204;
        match body {
            Body::Bytes(bytes) => {
                if has_body {
                    write!(out, "Content-Length: {}\r\n", bytes.len())?;
                }
                out.write_all(b"\r\n")?;
                if has_body && !self.is_head {
                    out.write_all(bytes)?;
                }
            }
            Body::Sized(body, length) => {
                write!(out, "Content-Length: {length}\r\n\r\n")?;
                if !self.is_head && io::copy(&mut body.take(length), &mut out)? < length {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            // In HTTP/1.0 the end of the connection is that of the body.
            Body::Whole(mut body) if self.is_1_1 => {
                out.write_all(b"Transfer-Encoding: chunked\r\n\r\n")?;
                if !self.is_head {
                    send_chunks(&mut body, &mut out)?;
                }
            }
            Body::Whole(mut body) => {
                out.write_all(b"\r\n")?;
                if !self.is_head {
                    io::copy(&mut body, &mut out)?;
                }
            }
        }
        out.flush()
    }
}

fn send_chunks(body: &mut dyn Read, out: &mut impl Write) -> io::Result<()> {
    let mut piece = vec![0; 32 << 10];
    loop {
        let count = match body.read(&mut piece) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        write!(out, "{count:x}\r\n")?;
        out.write_all(piece.get(..count).unwrap_or_default())?;
        out.write_all(b"\r\n")?;
        if count == 0 {
            return Ok(());
        }
        // The rest may take its time.
        out.flush()?;
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        206 => "Partial Content",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        411 => "Length Required",
        413 => "Content Too Large",
        416 => "Range Not Satisfiable",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        _ => "",
    }
}
