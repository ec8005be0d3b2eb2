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
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
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
