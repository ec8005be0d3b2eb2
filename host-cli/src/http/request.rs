//! A request: its head, and a body if it is a short one.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;

/// Bytes of a head. Browsers send one or two thousand.
const MAX_HEAD: usize = 16 << 10;
const MAX_HEADERS: usize = 100;
/// Bytes of a body. A command is shorter.
const MAX_BODY: usize = 4 << 10;

/// A client's request.
#[derive(Debug)]
pub struct Request {
    /// `GET` and the like.
    pub method: String,
    target: String,
    headers: Vec<(String, String)>,
    /// HTTP/1.1, not 1.0.
    pub is_1_1: bool,
    /// The body of a POST.
    pub body: Vec<u8>,
}

/// Why there is no request.
#[derive(Debug, PartialEq, Eq)]
pub enum RequestError {
    /// The client is gone.
    Gone,
    /// It is answered with this status and text.
    With(u16, &'static str),
}

impl Request {
    /// One for tests.
    #[cfg(test)]
    pub fn of(method: &str, headers: &[(&str, &str)]) -> Self {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let (method, target, headers) = (method.to_owned(), "/".to_owned(), headers.collect());
        Self { method, target, headers, is_1_1: true, body: Vec::new() }
    }

    /// Returns the requested path, without a query.
    pub fn path(&self) -> &str {
        self.target.split(['?', '#']).next().unwrap_or_default()
    }

    /// The values of all headers of this name.
    pub fn values<'r>(&'r self, name: &'static str) -> impl Iterator<Item = &'r str> {
        let headers = self.headers.iter();
        headers.filter(move |it| it.0.eq_ignore_ascii_case(name)).map(|it| it.1.as_str())
    }
}

/// Reads a request.
pub fn read(stream: &TcpStream) -> Result<Request, RequestError> {
    let mut head = Vec::new();
    loop {
        read_more(stream, &mut head)?;
        if let Some((mut request, end)) = parse(&head)? {
            let length = length_of_body(&request)?;
            request.body = head.split_off(end);
            while request.body.len() < length {
                read_more(stream, &mut request.body)?;
            }
            request.body.truncate(length);
            return Ok(request);
        }
        if head.len() > MAX_HEAD {
            return Err(RequestError::With(431, "request header too large"));
        }
    }
}

/// Appends the next bytes.
fn read_more(mut stream: &TcpStream, to: &mut Vec<u8>) -> Result<(), RequestError> {
    let mut piece = [0; 4096];
    loop {
        match stream.read(&mut piece) {
            Ok(0) => return Err(RequestError::Gone),
            Ok(count) => {
                to.extend_from_slice(piece.get(..count).unwrap_or_default());
                return Ok(());
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return Err(RequestError::Gone),
        }
    }
}

/// How long the body is that is read: that of a POST.
fn length_of_body(request: &Request) -> Result<usize, RequestError> {
    if request.method != "POST" {
        return Ok(0);
    }
    let (mut lengths, mut codings) =
        (request.values("Content-Length"), request.values("Transfer-Encoding"));
    let length = match (lengths.next(), lengths.next(), codings.next()) {
        (None, None, None) => return Ok(0),
        (Some(length), None, None) if length.bytes().all(|it| it.is_ascii_digit()) => length,
        (None, _, Some(_)) => return Err(RequestError::With(411, "length required")),
        _ => return Err(RequestError::With(400, "bad request")),
    };
    // A text that is not a number has too many digits, or none.
    let length = length.parse().ok().filter(|length| *length <= MAX_BODY);
    length.ok_or(RequestError::With(413, "request body too large"))
}

/// Parses the request and the length of its head, once that is complete.
fn parse(head: &[u8]) -> Result<Option<(Request, usize)>, RequestError> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let length = match parsed.parse(head) {
        Ok(httparse::Status::Complete(length)) if length <= MAX_HEAD => length,
        Ok(httparse::Status::Complete(_)) | Err(httparse::Error::TooManyHeaders) => {
            return Err(RequestError::With(431, "request header too large"));
        }
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(_) => return Err(RequestError::With(400, "bad request")),
    };
    let headers = parsed
        .headers
        .iter()
        .map(|it| (it.name.to_owned(), String::from_utf8_lossy(it.value).trim().to_owned()));
    let request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        target: parsed.path.unwrap_or_default().to_owned(),
        is_1_1: parsed.version == Some(1),
        headers: headers.collect(),
        body: Vec::new(),
    };
    Ok(Some((request, length)))
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
            let (request, length) = parse(&head[..cut]).unwrap().unwrap();
            assert_eq!(length, end);
            assert_eq!((request.method.as_str(), request.path()), ("GET", "/a"));
            assert_eq!(request.values("Host").collect::<Vec<_>>(), ["x", "y"]);
            assert!(request.is_1_1);
        }
        assert!(!parse(b"GET / HTTP/1.0\r\n\r\n").unwrap().unwrap().0.is_1_1);
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for bytes in
            [&b"\x16\x03\x01\x02\0"[..], b"GET / HTTP/2.0\r\n\r\n", b"GET /\0 HTTP/1.1\r\n"]
        {
            assert_eq!(
                parse(bytes).unwrap_err(),
                RequestError::With(400, "bad request"),
                "{bytes:?}"
            );
        }
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(MAX_HEADERS + 1));
        assert!(matches!(parse(many.as_bytes()), Err(RequestError::With(431, _))));
        let long = format!("GET / HTTP/1.1\r\na: {}\r\n\r\n", "b".repeat(MAX_HEAD));
        assert!(matches!(parse(long.as_bytes()), Err(RequestError::With(431, _))));
    }

    #[test]
    fn a_body_has_the_stated_length() {
        let length = |text: &str| {
            let (method, headers) = text.split_once("; ").unwrap();
            let head = format!("{method} / HTTP/1.1\r\n{}\r\n\r\n", headers.replace("; ", "\r\n"));
            length_of_body(&parse(head.as_bytes()).unwrap().unwrap().0)
        };
        assert_eq!(length("POST; Content-Length: 7"), Ok(7));
        assert_eq!(length("POST; Host: a"), Ok(0));
        assert_eq!(length("GET; Content-Length: 7"), Ok(0));
        let refused = |status, text| Err(RequestError::With(status, text));
        for wrong in
            ["Content-Length: 7; Content-Length: 7", "Content-Length: -7", "Content-Length: +7"]
        {
            assert_eq!(length(&format!("POST; {wrong}")), refused(400, "bad request"), "{wrong}");
        }
        for wrong in ["4097", "99999999999999999999999", ""] {
            let response = length(&format!("POST; Content-Length: {wrong}"));
            assert_eq!(response, refused(413, "request body too large"), "{wrong}");
        }
        let response = length("POST; Transfer-Encoding: chunked");
        assert_eq!(response, refused(411, "length required"));
        let response = length("POST; Transfer-Encoding: chunked; Content-Length: 7");
        assert_eq!(response, refused(400, "bad request"));
    }
}
