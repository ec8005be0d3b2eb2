//! The guide's pictures of page and report are there in light and dark, and are shown by the reader's setting.

use std::fs;

use xtask::{picture, workspace_root};

/// Width and height of a PNG.
fn size(png: &[u8]) -> [u32; 2] {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
}

#[test]
fn pages_are_shown_light_and_dark() {
    let root = workspace_root();
    let folder = root.join(picture::PAGES);
    for scheme in ["light", "dark"] {
        let mut kept: Vec<_> = fs::read_dir(folder.join(scheme))
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        kept.sort();
        let mut wanted = picture::STATES.map(|state| format!("{state}.png"));
        wanted.sort();
        assert_eq!(kept, wanted, "run `cargo xtask picture`");
    }

    // Pages, and where pictures are from there.
    let texts = [
        ("README.md", "docs/src/pictures"),
        ("docs/src/guide/browser.md", "../pictures"),
        ("docs/src/guide/link/live.md", "../../pictures"),
        ("docs/src/guide/viewing/perfetto.md", "../../pictures"),
        ("docs/src/guide/viewing/report.md", "../../pictures"),
        ("docs/src/guide/viewing/why.md", "../../pictures"),
    ]
    .map(|(path, place)| (place, fs::read_to_string(root.join(path)).unwrap()));
    for state in picture::STATES {
        let [light, dark] = ["light", "dark"]
            .map(|scheme| fs::read(folder.join(scheme).join(format!("{state}.png"))).unwrap());
        assert_eq!(size(&light), size(&dark), "{state}");
        assert!(light != dark && light.len().max(dark.len()) < 200_000, "{state}");
        let shown = texts.iter().filter(|(place, text)| {
            let dark = format!(
                "<source media=\"(prefers-color-scheme: dark)\" srcset=\"{place}/dark/{state}.png\">"
            );
            text.contains(&dark) && text.contains(&format!("src=\"{place}/light/{state}.png\" alt=\""))
        });
        assert!(shown.count() > 0, "no page shows {state}");
    }
    // What one sees first.
    let (readme, _) = texts[0].1.split_once("\n## ").unwrap();
    assert!(readme.contains("<picture>"), "README.md has no picture before its first heading");
}

/// A drawing is there for light and dark, and a page shows it.
#[test]
fn drawings_are_shown_light_and_dark() {
    let root = workspace_root();
    let page = fs::read_to_string(root.join("docs/src/guide/viewing/activations.md")).unwrap();
    let drawing = fs::read_to_string(root.join(picture::PAGES).join("activation.svg")).unwrap();
    assert!(page.contains("<img src=\"../../pictures/activation.svg\" alt=\""));
    assert!(drawing.contains("@media (prefers-color-scheme:dark)") && drawing.contains("<title>"));
    // The terms that the page explains with it.
    for term in [
        "released",
        "ready",
        "started",
        "ended",
        "start delay",
        "response time",
        "busy time",
        "backlog",
        "inverted",
    ] {
        assert!(drawing.contains(term), "{term}");
    }
}
