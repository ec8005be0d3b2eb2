//! Who is answered: the pages that are meant, and programs of this machine. Another page in the browser may not ask, by
//! whatever name it calls this machine.

use crate::http::Request;

/// Why a request is not answered: its status and what it says; none if it is.
///
/// `pages` are the origins of other pages that may ask. A page that is only shown, and given to nobody else, may be
/// `public`: links from anywhere may lead to it.
pub fn refusal(
    request: &Request,
    port: u16,
    pages: &[&str],
    public: bool,
) -> Option<(u16, &'static str)> {
    const NAMES: [&str; 2] = ["127.0.0.1", "localhost"];
    let mut hosts = NAMES.map(|name| format!("{name}:{port}")).to_vec();
    // Of HTTP's own port browsers do not name it.
    if port == 80 {
        hosts.extend(NAMES.map(str::to_owned));
    }
    let mut named = request.values("Host");
    match (named.next(), named.next()) {
        (_, Some(_)) => return Some((400, "one Host is needed")),
        (None, None) if request.is_1_1 => {
            return Some((400, "a Host is needed"));
        }
        // Another page may have given a name of its own to this machine.
        (Some(host), None) if !hosts.iter().any(|it| it == host) => {
            return Some((403, "ask for 127.0.0.1"));
        }
        _ => {}
    }
    let is_own = |origin: &str| {
        origin.strip_prefix("http://").is_some_and(|host| hosts.iter().any(|it| it == host))
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

/// One of these pages asks.
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
            refusal(&request, port, &[], false).is_some()
        };
        for name in ["localhost", "127.0.0.1"] {
            assert!(!refused(name, 80) && !refused(&format!("{name}:80"), 80));
            assert!(refused(name, 9001) && !refused(&format!("{name}:9001"), 9001));
        }
        assert!(refused("example.org", 80) && refused("localhost:9001", 80));
    }
}
