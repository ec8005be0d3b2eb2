//! `serve`, `conv --serve` and `--open`: the data on the wire, its receivers, and the end.

mod support;

use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};

use support::served::{browser, interrupt, serve, serve_page};
use support::*;
use tband_programs::{connect, until};

const FOR_PERFETTO: &str = "Access-Control-Allow-Origin: https://ui.perfetto.dev";

fn trace(folder: &Folder) -> (String, Vec<u8>) {
    let out = folder.path("t.pftrace");
    assert_eq!(run(&["conv", "-o", &out, &vector("freertos_sim.bin")]).code, Some(0));
    let bytes = fs::read(&out).unwrap();
    (out, bytes)
}

fn unzip(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut text).unwrap();
    text
}

/// The data of a chunked body.
fn unchunk(mut body: &[u8]) -> Vec<u8> {
    let mut data = Vec::new();
    loop {
        let end = body.windows(2).position(|it| it == b"\r\n").unwrap();
        let len = usize::from_str_radix(std::str::from_utf8(&body[..end]).unwrap(), 16).unwrap();
        if len == 0 {
            return data;
        }
        data.extend_from_slice(&body[end + 2..end + 2 + len]);
        body = &body[end + 4 + len..];
    }
}

#[test]
fn a_trace_is_served_to_perfetto_only() {
    let folder = Folder::new("serve");
    let (out, bytes) = trace(&folder);
    let served = serve(&mut cli(&["serve", "--port", "0", &out]));
    assert_eq!(served.name, "t.pftrace");
    let answer = served.get(&[]);
    answer.is("200", &[FOR_PERFETTO, "Accept-Ranges: bytes"]);
    assert_eq!(answer.body, bytes);
    let local = format!("Host: localhost:{}", served.port);
    served.get(&[&local]).is("200", &[FOR_PERFETTO]);
    served.get(&["Host: evil.example"]).is("403", &[FOR_PERFETTO]);
    served.ask("GET", "/../../etc/passwd", &[]).is("404", &[FOR_PERFETTO]);
    served.ask("POST", "/t.pftrace", &[]).is("405", &[FOR_PERFETTO, "Allow: GET, HEAD, OPTIONS"]);
    served.ask("OPTIONS", "/t.pftrace", &[]).is("204", &[FOR_PERFETTO]);
    let head = served.ask("HEAD", "/t.pftrace", &[]);
    head.is("200", &[FOR_PERFETTO]);
    assert!(head.body.is_empty());
    // Other machines do not reach it.
    let other = SocketAddr::from((Ipv4Addr::new(127, 0, 0, 2), served.port));
    assert!(TcpStream::connect(other).is_err());
}

/// Both sides hear of a trace that is gone.
#[test]
fn a_trace_that_is_gone() {
    let folder = Folder::new("serve-gone");
    let (out, _) = trace(&folder);
    let served = serve(&mut cli(&["serve", "--port", "0", &out]));
    fs::remove_file(&out).unwrap();
    served.load().is("500", &["Access-Control-Allow-Origin: https://ui.perfetto.dev"]);
    interrupt(&served);
    let (code, output) = served.end();
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains("warning: cannot read") && output.contains(&out), "{output}");
}

/// Other pages can make a browser send requests, whose answers they could not read but would take from Perfetto.
#[test]
fn other_pages_are_refused() {
    let folder = Folder::new("other-pages");
    let (out, bytes) = trace(&folder);
    let served = serve(&mut cli(&["serve", "--port", "0", &out]));
    let host = format!("Host: 127.0.0.1:{}", served.port);
    let own = format!("Origin: http://127.0.0.1:{}", served.port);
    let other_port = format!("Origin: http://127.0.0.1:{}", served.port ^ 1);
    for (headers, status) in [
        (vec!["Origin: https://evil.example"], "403"),
        (vec!["Origin: null"], "403"),
        (vec!["Origin: https://ui.perfetto.dev.evil.example"], "403"),
        (vec!["Origin: http://ui.perfetto.dev"], "403"),
        (vec!["Origin: https://ui.perfetto.dev", "Origin: https://evil.example"], "403"),
        (vec![&other_port], "403"),
        (vec!["Sec-Fetch-Site: cross-site"], "403"),
        (vec!["sec-fetch-site: same-site"], "403"),
        (vec!["Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: document"], "403"),
        (vec![&host, &host], "400"),
        (vec![&host, "Host: evil.example"], "400"),
        (vec!["Host: evil.example", &host], "400"),
        (vec!["Host: "], "403"),
        (vec!["Sec-Fetch-Site: none"], "200"),
        (vec!["Sec-Fetch-Site: same-origin"], "200"),
        (vec![&own], "200"),
        (vec!["Origin: https://ui.perfetto.dev", "Sec-Fetch-Site: cross-site"], "200"),
    ] {
        for method in ["GET", "HEAD", "OPTIONS"] {
            let answer = served.ask(method, "/t.pftrace", &headers);
            let status = if method == "OPTIONS" && status == "200" { "204" } else { status };
            assert!(answer.head.starts_with(&format!("HTTP/1.1 {status}")), "{headers:?}");
            assert_eq!(answer.body == bytes, method == "GET" && status == "200", "{headers:?}");
        }
    }
    // Links may lead to the page, which is public.
    let folder = with_examples("other-pages-web");
    let served = serve_page(&mut cli(&["web", "--port", "0", "--dir", &folder.path("page")]));
    let link = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: document"];
    served.ask("GET", "/", &link).is("200", &[]);
    served.ask("GET", "/sw.js", &["Sec-Fetch-Site: cross-site"]).is("403", &[]);
    served.ask("GET", "/", &["Origin: https://ui.perfetto.dev"]).is("403", &[]);
}

/// Requests that any program of this machine can send; a good request is still answered.
#[test]
fn refuses_large_requests_without_delaying_others() {
    let folder = Folder::new("too-much");
    let (out, bytes) = trace(&folder);
    let served = serve(&mut cli(&["serve", "--port", "0", &out]));
    let answered = || assert_eq!(served.get(&[]).body, bytes);
    // A head of 1 MB, and one that fits; also where it never ends, as far as it is read.
    for length in [1 << 20, 17 << 10] {
        let long = format!("X-Long: {}", "x".repeat(length));
        served.get(&[&long]).is("431", &["Connection: close"]);
    }
    served.get(&[&format!("X-Long: {}", "x".repeat(15 << 10))]).is("200", &["Connection: close"]);
    let many = vec!["X-Many: 1"; 200];
    served.get(&many).is("431", &[]);
    // Bytes that are not HTTP.
    let mut stream = connect(served.port).unwrap();
    stream.write_all(b"\x16\x03\x01\x02\0\x01\0\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    answered();
    // Incomplete requests: if there are many, the oldest are closed.
    let half: Vec<TcpStream> = (0..300)
        .map(|_| {
            let mut stream = connect(served.port).unwrap();
            // It may be closed by now.
            let _ = stream.write_all(b"GET /t.pftrace HTTP/1.1\r\nHost: 127");
            stream
        })
        .collect();
    answered();
    for mut stream in &half[..200] {
        let mut rest = Vec::new();
        // Closed before or after the sent bytes were read.
        let _ = stream.read_to_end(&mut rest);
        assert_eq!(rest, b"");
    }
    drop(half);
    for _ in 0..100 {
        answered();
    }
}

/// A connection has one request; further bytes are not mixed up with it.
#[test]
fn a_second_request_is_not_answered() {
    let folder = Folder::new("pipelined");
    let (out, bytes) = trace(&folder);
    let served = serve(&mut cli(&["serve", "--port", "0", &out]));
    let request = |method: &str, host: &str| {
        format!("{method} /t.pftrace HTTP/1.1\r\nHost: {host}:{}\r\n\r\n", served.port)
    };
    let ask = |text: &str| {
        let mut stream = connect(served.port).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|it| it == b"\r\n\r\n").unwrap() + 4;
        let body = answer.split_off(end);
        (String::from_utf8(answer).unwrap(), body)
    };
    for second in [request("GET", "127.0.0.1"), request("GET", "evil.example"), "x".repeat(100_000)]
    {
        let (head, body) = ask(&(request("GET", "127.0.0.1") + &second));
        assert!(head.starts_with("HTTP/1.1 200 ") && head.contains("Connection: close"), "{head}");
        assert!(body == bytes, "{} bytes", body.len());
        let (head, body) = ask(&(request("HEAD", "127.0.0.1") + &second));
        assert!(head.contains(&format!("\r\nContent-Length: {}\r\n", bytes.len())), "{head}");
        assert_eq!(body, b"");
    }
    // In pieces, and of an older HTTP, which knows no chunks and need not name the host.
    let mut stream = connect(served.port).unwrap();
    for byte in b"GET /t.pftrace HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n" {
        stream.write_all(&[*byte]).unwrap();
    }
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    assert!(answer.ends_with(&bytes));
}

#[test]
fn ranges_and_compression() {
    let folder = Folder::new("ranges");
    let (out, bytes) = trace(&folder);
    let len = bytes.len();
    let served = serve(&mut cli(&["serve", "--port", "0", &out]));
    let part = served.get(&["Range: bytes=10-19", "Accept-Encoding: gzip"]);
    part.is("206", &[FOR_PERFETTO, &format!("Content-Range: bytes 10-19/{len}")]);
    assert_eq!(part.body, bytes[10..20]);
    let tail = served.get(&["Range: bytes=-5"]);
    tail.is("206", &[&format!("Content-Range: bytes {}-{}/{len}", len - 5, len - 1)]);
    assert_eq!(tail.body, bytes[len - 5..]);
    let beyond = served.get(&[&format!("Range: bytes={len}-")]);
    beyond.is("416", &[FOR_PERFETTO, &format!("Content-Range: bytes */{len}")]);
    let whole = served.get(&["Range: bytes=10-19", "If-Range: \"another\""]);
    whole.is("200", &[]);
    assert_eq!(whole.body, bytes);
    let packed = served.get(&["Accept-Encoding: gzip, deflate"]);
    packed.is("200", &["Content-Encoding: gzip", "Vary: Accept-Encoding"]);
    let packed = unchunk(&packed.body);
    assert!(packed.len() < len * 2 / 3);
    assert_eq!(unzip(&packed), bytes);
    // A compressed file is sent unchanged.
    let zipped = folder.path("t.pftrace.gz");
    run(&["conv", "-o", &zipped, &vector("freertos_sim.bin")]);
    let served = serve(&mut cli(&["serve", "--port", "0", &zipped]));
    let answer = served.get(&["Accept-Encoding: gzip"]);
    assert!(!answer.head.contains("Content-Encoding"), "{}", answer.head);
    assert_eq!(unzip(&answer.body), bytes);
}

/// The streams of a CTF trace are one recording, here that of all cores.
#[test]
fn a_ctf_trace_is_converted_first() {
    let folder = Folder::new("serve-ctf");
    let own = folder.path("own");
    run(&["conv", "--to", "ctf1", "-o", &own, &vector("freertos_sim.bin")]).assert_code(0);
    let trace = folder.path("t.pftrace");
    assert_eq!(run(&["conv", "-o", &trace, &own]).code, Some(0));
    let served = serve(&mut cli(&["serve", "--port", "0", &own]));
    assert_eq!(served.get(&[]).body, fs::read(&trace).unwrap());
}

#[test]
fn a_recording_is_converted_first() {
    let folder = Folder::new("serve-recording");
    let (_, bytes) = trace(&folder);
    // A killed server leaves its trace.
    let start =
        |input: &str| serve(cli(&["serve", "--port", "0", input]).env("TMPDIR", folder.path("")));
    let served = start(&vector("freertos_sim.bin"));
    assert_eq!(served.get(&[]).body, bytes);
    drop(served);
    // The one of another core is, too.
    let of_core = format!("{}@1", vector("mc_split.core1.bin"));
    start(&of_core).get(&[]).is("200", &[]);
    // Hex is recognised, damage is reported.
    let hex: String =
        fs::read(vector("truncated.bin")).unwrap().iter().map(|it| format!("{it:02x}")).collect();
    let hex = folder.file("r.txt", hex.as_bytes());
    let served = start(&hex);
    served.get(&[]).is("200", &[]);
    interrupt(&served);
    let (code, stderr) = served.end();
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("r.txt: byte 31331") && stderr.contains("3737 events"), "{stderr}");
}

#[test]
fn ctrl_c_ends_the_server_and_removes_its_files() {
    let folder = Folder::new("ctrl-c");
    let temp = folder.path("temp");
    fs::create_dir(&temp).unwrap();
    for name in ["-INT", "-TERM"] {
        let mut command = cli(&["conv", "--serve", "--port", "0", &vector("freertos_sim.bin")]);
        let served = serve(command.env("TMPDIR", &temp));
        served.get(&[]).is("200", &[]);
        assert_eq!(fs::read_dir(&temp).unwrap().count(), 1);
        signal(&served.program, name);
        let (code, stderr) = served.end();
        assert_eq!(code, Some(0), "{stderr}");
        assert_eq!(fs::read_dir(&temp).unwrap().count(), 0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn open_shows_the_link_and_ends_once_it_is_loaded() {
    let folder = Folder::new("open");
    let bin = browser(&folder);
    let (out, bytes) = trace(&folder);
    for args in [
        vec!["serve", "--open", "--port", "0", &out],
        vec!["conv", "--open", "--port", "0", &vector("freertos_sim.bin")],
    ] {
        let served = serve(cli(&args).env("PATH", &bin));
        let opened = folder.0.join("opened");
        until(|| opened.exists().then_some(()));
        assert_eq!(fs::read_to_string(&opened).unwrap(), served.link);
        fs::remove_file(opened).unwrap();
        served.ask("GET", "/favicon.ico", &[]).is("404", &[]);
        served.get(&["Range: bytes=0-9"]).is("206", &[]);
        // Other clients do not end it.
        assert_eq!(served.get(&[]).body, bytes);
        served.get(&["Origin: https://evil.example"]).is("403", &[]);
        assert_eq!(served.load().body, bytes);
        let (code, stderr) = served.end();
        assert_eq!(code, Some(0), "{stderr}");
    }
}

/// However a recording is shown, the page pins the cores and the losses, opens the groups of objects, and has a note at the
/// first losses; without a browser, the message describes how another machine reaches this one.
#[cfg(target_os = "linux")]
#[test]
fn the_page_shows_losses_and_a_message_explains_remote_access() {
    use tband_format::Event::{DroppedEvtCnt, TsResolutionNs, Valmarker};
    let folder = Folder::new("commands");
    let bin = browser(&folder);
    let value = |ts, val| frame(ts, Valmarker { valmarker_id: 1, val });
    let lost = |ts, cnt| frame(ts, DroppedEvtCnt { cnt });
    let resolution = frame(0, TsResolutionNs { ns_per_ts: 1000 });
    let bytes =
        [resolution, value(1, 1), lost(5, 3), value(6, 2), lost(9, 10), value(9, 3)].concat();
    let recording = folder.file("lossy.bin", &bytes);
    for args in [
        vec!["serve", "--port", "0", &recording],
        vec!["serve", "--open", "--port", "0", &recording],
        vec!["conv", "--serve", "--port", "0", &recording],
        vec!["conv", "--open", "--port", "0", &recording],
    ] {
        let mut command = cli(&args);
        command.env("PATH", &bin).env("USER", "eve");
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("BROWSER");
        let served = serve(command.env("SSH_CONNECTION", "10.0.0.2 4000 10.0.0.9 22"));
        let commands = served.commands.as_array().unwrap().clone();
        let of = |id: &str| -> Vec<String> {
            let id = format!("dev.perfetto.{id}");
            let args = commands.iter().filter(|it| it["id"] == id).map(|it| it["args"].to_string());
            args.collect()
        };
        assert_eq!(
            of("PinTracksByRegex"),
            [r#"["^CPU \\d+ Scheduling$","name"]"#, r#"["^lost events$","name"]"#],
            "{args:?}"
        );
        let [groups] = &of("ExpandTracksByRegex")[..] else { panic!("{commands:?}") };
        for group in ["Errors", "Queues", "Mutexes", "Semaphores", "markers"] {
            assert!(groups.contains(group), "{group}: {groups}");
        }
        assert_eq!(
            of("AddNoteAtTimestamp"),
            [r#"["1000","3 events lost"]"#, r#"["6000","7 events lost"]"#],
            "{args:?}"
        );
        let port = served.port;
        let is_open = args.contains(&"--open");
        if is_open {
            served.load().is("200", &[]);
        } else {
            interrupt(&served);
        }
        let (_, stderr) = served.end();
        let line = format!("ssh -L {port}:127.0.0.1:{port} eve@10.0.0.9");
        assert_eq!(stderr.matches(&line).count(), 1, "{args:?}: {stderr}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn reports_a_missing_browser() {
    let folder = Folder::new("no-browser");
    let (out, _) = trace(&folder);
    let mut command = cli(&["serve", "--open", "--port", "0", &out]);
    let mut served = serve(command.env("PATH", folder.path("nothing")));
    until(|| {
        let line = served.program.stderr_line();
        assert_ne!(line, "", "the message does not name it");
        line.contains("cannot open a browser").then_some(())
    });
    served.load().is("200", &[]);
    assert_eq!(served.program.wait().unwrap().code(), Some(0));
}

#[test]
fn a_port_that_is_taken_is_passed_over() {
    let folder = Folder::new("port");
    let (out, _) = trace(&folder);
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    let served = serve(&mut cli(&["serve", "--port", &port.to_string(), &out]));
    assert!(served.port > port);
    let text = format!("warning: port {port} is taken, serving on {}", served.port);
    interrupt(&served);
    let (_, stderr) = served.end();
    assert!(stderr.contains(&text), "{stderr}");
    assert!(stderr.contains("other than 9001"), "{stderr}");
}

#[test]
fn refuses_other_files_than_traces_and_recordings() {
    let folder = Folder::new("serve-refused");
    let ran = run(&["serve", &vector("README.md")]);
    assert_fails(&ran, 2, &["error: ", "README.md: not a Perfetto trace", "not a tband recording"]);
    let empty = folder.file("empty", b"");
    assert_fails(&run(&["serve", &empty]), 2, &["empty: not a Perfetto trace", "holds no event"]);
    assert_fails(&run(&["serve", &folder.path("none")]), 2, &["cannot read", "none"]);
    let junk = folder.file("junk.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\xffjunk");
    assert_fails(&run(&["serve", &junk]), 2, &["junk.gz: "]);
}

#[test]
fn the_page_is_served_to_this_machine_only() {
    let folder = with_examples("web");
    let served = serve_page(&mut cli(&["web", "--port", "0", "--dir", &folder.path("page")]));
    served.ask("GET", "/", &[]).is("200", &["Content-Type: text/html; charset=utf-8"]);
    let answer = served.ask("GET", "/sw.js?x", &[]);
    answer.is("200", &["Content-Type: text/javascript; charset=utf-8"]);
    assert_eq!(answer.body, b"sw.js");
    served.ask("GET", "/../Cargo.toml", &[]).is("404", &[]);
    served.ask("POST", "/", &[]).is("405", &[]);
    served.ask("GET", "/", &["Host: evil.example"]).is("403", &[]);
    interrupt(&served);
    assert_eq!(served.end().0, Some(0));
}

#[test]
fn a_missing_page_is_reported_with_the_remedy() {
    let folder = Folder::new("no-page");
    let ran = run(&["web", "--port", "0", "--dir", &folder.path("none")]);
    assert_fails(&ran, 2, &["cannot read", "index.html", "cargo xtask web --out DIR"]);
    // This one was built without.
    if std::env::var_os("TBAND_WEB_DIR").is_none() {
        let ran = run(&["web", "--port", "0"]);
        assert_fails(
            &ran,
            2,
            &["built without the page", "cargo xtask web --install", "--dir DIR"],
        );
    }
}

/// In a container the browser's requests come from outside, to an address and a port of the machine around it.
#[test]
fn another_address_is_served_with_a_warning() {
    let folder = Folder::new("serve-address");
    let (out, bytes) = trace(&folder);
    let served = serve(&mut cli(&["serve", "--address", "0.0.0.0", "--port", "0", &out]));
    let other = SocketAddr::from((Ipv4Addr::new(127, 0, 0, 2), served.port));
    assert!(TcpStream::connect(other).is_ok());
    for (host, status) in [
        ("Host: 127.0.0.1:9001", "200"),
        ("Host: 192.168.1.5:8000", "200"),
        ("Host: [fd00::5]:8000", "200"),
        ("Host: evil.example", "403"),
        ("Host: 127.0.0.1.evil.example:9001", "403"),
    ] {
        let answer = served.get(&[host]);
        answer.is(status, &[FOR_PERFETTO]);
        assert_eq!(answer.body == bytes, status == "200", "{host}");
    }
    served.get(&["Origin: http://192.168.1.66"]).is("403", &[FOR_PERFETTO]);
    interrupt(&served);
    let (code, output) = served.end();
    assert_eq!(code, Some(0), "{output}");
    assert!(
        output.contains("warning: serving on 0.0.0.0:") && output.contains("anyone"),
        "{output}"
    );

    // The command that converts and serves has the same option.
    let recording = vector("freertos_sim.bin");
    let conv = ["conv", "--serve", "--address", "0.0.0.0", "--port", "0", &recording];
    let served = serve(&mut cli(&conv));
    let other = SocketAddr::from((Ipv4Addr::new(127, 0, 0, 2), served.port));
    assert!(TcpStream::connect(other).is_ok());
    interrupt(&served);
    assert!(served.end().1.contains("can read the trace"));
    let out = folder.path("out.pftrace");
    let unused = ["conv", "--address", "0.0.0.0", "-o", &out, &recording];
    assert_fails(&finish(&mut cli(&unused)), 2, &["--serve"]);

    let folder = with_examples("serve-address-web");
    let page = folder.path("page");
    let web = ["web", "--port", "0", "--dir", &page];
    let served = serve_page(cli(&web).args(["--address", "0.0.0.0"]));
    served.ask("GET", "/", &["Host: 192.168.1.5:8000"]).is("200", &[]);
    served.ask("GET", "/", &["Host: evil.example"]).is("403", &[]);
    interrupt(&served);
    assert!(served.end().1.contains("warning: serving on 0.0.0.0:"));
    // This machine only, unless another address is named.
    let served = serve_page(&mut cli(&web));
    served.ask("GET", "/", &["Host: 192.168.1.5:8000"]).is("403", &[]);
    interrupt(&served);
    assert!(!served.end().1.contains("warning"));
    assert_fails(
        &finish(cli(&web).args(["--address", "192.0.2.1"])),
        2,
        &["192.0.2.1 is not an address of this machine", "--address"],
    );
}
