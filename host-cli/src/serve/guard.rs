//! Access control: requests are accepted from the intended pages, and from programs of this machine. Another page in the
//! browser must not send requests, under any name of this machine.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use crate::http::Request;

/// Returns why a request is refused, as a status with a message; `None` if it is not.
///
/// `pages` are the origins of other pages that may send requests. A page that is only shown, and not readable by others, may be
/// `public`: links from anywhere may lead to it.
pub fn refusal(
    request: &Request,
    at: SocketAddr,
    pages: &[&str],
    public: bool,
) -> Option<(u16, &'static str)> {
    let mut named = request.values("Host");
    match (named.next(), named.next()) {
        (_, Some(_)) => return Some((400, "one Host is needed")),
        (None, None) if request.is_1_1 => {
            return Some((400, "a Host is needed"));
        }
        // Another page may have resolved its own name to this machine.
        (Some(host), None) if !is_host(host, at) => {
            return Some((403, "ask for 127.0.0.1, or for the address of this machine in digits"));
        }
        _ => {}
    }
    // The page of another address is not this one, so the two must agree.
    let host = request.values("Host").next();
    let is_own = |origin: &str| {
        let of_origin = origin.strip_prefix("http://");
        of_origin.is_some_and(|it| is_named_locally(it, at.port()) || host == Some(it))
    };
    let mut origins = request.values("Origin").peekable();
    let is_named = origins.peek().is_some();
    if !origins.all(|origin| is_own(origin) || pages.contains(&origin)) {
        return Some((403, "this page may not ask"));
    }
    let is_link = public && request.values("Sec-Fetch-Dest").any(|it| it == "document");
    let is_other = |site: &str| !matches!(site, "none" | "same-origin");
    if !is_named && !is_link && request.values("Sec-Fetch-Site").any(is_other) {
        return Some((403, "this page may not ask"));
    }
    None
}

/// Names of this machine that no other machine can have.
const NAMES: [&str; 2] = ["127.0.0.1", "localhost"];

/// Returns true if a `Host` names this server.
///
/// If other machines can reach the server, a `Host` may be any address in digits, with any port, since a container or a router
/// may have translated both. A name could be that of another page, whose owner lets it lead to this machine (DNS rebinding).
fn is_host(host: &str, at: SocketAddr) -> bool {
    let is_public = !at.ip().is_loopback();
    is_named_locally(host, at.port())
        || host == at.to_string()
        || is_public && (is_address(host) || is_local_name(host))
}

/// Returns true for the names of this machine with the port, which browsers leave out if it is HTTP's own.
fn is_named_locally(host: &str, port: u16) -> bool {
    NAMES.iter().any(|name| host == format!("{name}:{port}") || port == 80 && host == *name)
}

/// Returns true for an address in digits, with or without a port.
fn is_address(host: &str) -> bool {
    let in_brackets = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    host.parse::<SocketAddr>().is_ok()
        || host.parse::<Ipv4Addr>().is_ok()
        || in_brackets.is_some_and(|it| it.parse::<Ipv6Addr>().is_ok())
}

/// Returns true for `localhost`, with or without a port.
fn is_local_name(host: &str) -> bool {
    let (name, port) = host.split_once(':').unwrap_or((host, "80"));
    name == "localhost" && port.parse::<u16>().is_ok()
}

/// Returns the address that a link to this server names.
pub fn linked(at: SocketAddr) -> String {
    match at.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() || ip == Ipv4Addr::LOCALHOST => {
            format!("localhost:{}", at.port())
        }
        IpAddr::V6(ip) if ip.is_unspecified() => format!("localhost:{}", at.port()),
        _ => at.to_string(),
    }
}

/// Whether the request is from one of these pages.
pub fn is_from(request: &Request, pages: &[&str]) -> bool {
    request.values("Origin").any(|origin| pages.contains(&origin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_of_http_need_not_be_named() {
        let refused = |host: &str, port| {
            let request =
                Request::of("GET", &[("Host", host), ("Origin", &format!("http://{host}"))]);
            refusal(&request, (Ipv4Addr::LOCALHOST, port).into(), &[], false).is_some()
        };
        for name in ["localhost", "127.0.0.1"] {
            assert!(!refused(name, 80) && !refused(&format!("{name}:80"), 80));
            assert!(refused(name, 9001) && !refused(&format!("{name}:9001"), 9001));
        }
        assert!(refused("example.org", 80) && refused("localhost:9001", 80));
    }

    #[test]
    fn a_public_address_is_asked_for_in_digits() {
        let refused = |at: &str, headers: &[(&str, &str)]| {
            let request = Request::of("GET", headers);
            refusal(&request, at.parse().unwrap(), &[], false).is_some()
        };
        for host in [
            "localhost:8000",
            "127.0.0.1:9010",
            "192.168.1.5:9010",
            "192.168.1.5",
            "[fd00::5]:9010",
            "[::1]",
        ] {
            assert!(!refused("0.0.0.0:9010", &[("Host", host)]), "{host}");
        }
        for host in [
            "evil.example:9010",
            "192.168.1.5.evil.example",
            "localhost.evil.example:9010",
            "localhost:x",
            "",
            "[::1",
        ] {
            assert!(refused("0.0.0.0:9010", &[("Host", host)]), "{host}");
            assert!(refused("[::]:9010", &[("Host", host)]), "{host}");
        }
        let from = |origin| [("Host", "192.168.1.5:9010"), ("Origin", origin)];
        assert!(!refused("0.0.0.0:9010", &from("http://192.168.1.5:9010")));
        for origin in
            ["http://192.168.1.66:9010", "http://192.168.1.5", "https://192.168.1.5:9010", "null"]
        {
            assert!(refused("0.0.0.0:9010", &from(origin)), "{origin}");
        }
        // This machine only: other addresses are other hosts' names.
        assert!(refused("127.0.0.1:9010", &[("Host", "192.168.1.5:9010")]));
        assert!(refused("127.0.0.1:9010", &[("Host", "localhost:8000")]));
        assert!(!refused("[::1]:9010", &[("Host", "[::1]:9010")]));
        assert!(!refused("127.0.0.2:9010", &[("Host", "127.0.0.2:9010")]));
    }

    #[test]
    fn links_name_an_address_that_can_be_opened() {
        for (at, link) in [
            ("127.0.0.1:9010", "localhost:9010"),
            ("0.0.0.0:9010", "localhost:9010"),
            ("[::]:9010", "localhost:9010"),
            ("192.168.1.5:9010", "192.168.1.5:9010"),
            ("[::1]:9010", "[::1]:9010"),
        ] {
            assert_eq!(linked(at.parse().unwrap()), link);
        }
    }
}
