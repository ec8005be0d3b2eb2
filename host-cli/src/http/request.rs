//! The head of a request.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;

/// Bytes of a head. Browsers send one or two thousand.
const MAX_HEAD: usize = 16 << 10;
const MAX_HEADERS: usize = 100;

/// What a client asks for.
#[derive(Debug)]
pub struct Request {
    /// `GET` and the like.
    pub method: String,
    target: String,
    headers: Vec<(String, String)>,
    /// HTTP/1.1, not 1.0.
    pub is_1_1: bool,
}

/// Why there is no request.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    /// The client is gone.
    Gone,
    /// It is answered with this status and text.
    With(u16, &'static str),
}

impl Request {
    /// What is asked for, without a query.
    pub fn path(&self) -> &str {
        self.target.split(['?', '#']).next().unwrap_or_default()
    }

    /// The values of all headers of this name.
    pub fn values<'r>(&'r self, name: &'static str) -> impl Iterator<Item = &'r str> {
        let headers = self.headers.iter();
        headers.filter(move |it| it.0.eq_ignore_ascii_case(name)).map(|it| it.1.as_str())
    }
}

/// Reads the head of a request.
pub fn read(mut stream: &TcpStream) -> Result<Request, Refused> {
    let mut head = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let count = match stream.read(&mut piece) {
            Ok(0) => return Err(Refused::Gone),
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return Err(Refused::Gone),
        };
        head.extend_from_slice(piece.get(..count).unwrap_or_default());
        if let Some(request) = parse(&head)? {
            return Ok(request);
        }
        if head.len() > MAX_HEAD {
            return Err(Refused::With(431, "request header too large"));
        }
    }
}

/// The request, once its head is there as a whole.
fn parse(head: &[u8]) -> Result<Option<Request>, Refused> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    match parsed.parse(head) {
        Ok(httparse::Status::Complete(length)) if length <= MAX_HEAD => {}
        Ok(httparse::Status::Complete(_)) | Err(httparse::Error::TooManyHeaders) => {
            return Err(Refused::With(431, "request header too large"));
        }
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(_) => return Err(Refused::With(400, "bad request")),
    }
    let headers = parsed
        .headers
        .iter()
        .map(|it| (it.name.to_owned(), String::from_utf8_lossy(it.value).trim().to_owned()));
    Ok(Some(Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        target: parsed.path.unwrap_or_default().to_owned(),
        is_1_1: parsed.version == Some(1),
        headers: headers.collect(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_wherever_it_is_cut() {
        let head = b"GET /a?b HTTP/1.1\r\nHost: x\r\nhost:  y \r\n\r\nGET /second HTTP/1.1\r\n\r\n";
        let end = head.windows(4).position(|it| it == b"\r\n\r\n").unwrap() + 4;
        for cut in 0..end {
            assert!(parse(&head[..cut]).unwrap().is_none(), "{cut}");
        }
        for cut in end..=head.len() {
            let request = parse(&head[..cut]).unwrap().unwrap();
            assert_eq!((request.method.as_str(), request.path()), ("GET", "/a"));
            assert_eq!(request.values("Host").collect::<Vec<_>>(), ["x", "y"]);
            assert!(request.is_1_1);
        }
        assert!(!parse(b"GET / HTTP/1.0\r\n\r\n").unwrap().unwrap().is_1_1);
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for bytes in
            [&b"\x16\x03\x01\x02\0"[..], b"GET / HTTP/2.0\r\n\r\n", b"GET /\0 HTTP/1.1\r\n"]
        {
            assert_eq!(parse(bytes).unwrap_err(), Refused::With(400, "bad request"), "{bytes:?}");
        }
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(MAX_HEADERS + 1));
        assert!(matches!(parse(many.as_bytes()), Err(Refused::With(431, _))));
        let long = format!("GET / HTTP/1.1\r\na: {}\r\n\r\n", "b".repeat(MAX_HEAD));
        assert!(matches!(parse(long.as_bytes()), Err(Refused::With(431, _))));
    }
}
