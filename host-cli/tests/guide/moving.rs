//! The README's moving picture equals the output of `cargo xtask picture` with this `tband-cli`, except for the picture of the
//! report in it, which may be older.

use std::fs;

use xtask::picture::moving;
use xtask::workspace_root;

/// The text without the picture in it, and the bytes of that as text.
fn apart(svg: &str) -> (String, String) {
    let (before, rest) = svg.split_once("data:image/png;base64,").unwrap();
    let (picture, after) = rest.split_once('"').unwrap();
    (format!("{before}{after}"), picture.to_owned())
}

#[test]
fn the_moving_picture_shows_what_commands_print() {
    let root = workspace_root();
    let drawn = moving::draw(&root, env!("CARGO_BIN_EXE_tband-cli").as_ref()).unwrap();
    if std::env::var_os("TBAND_OVERWRITE").is_some() {
        fs::write(root.join(moving::FILE), &drawn).unwrap();
    }
    let kept = fs::read_to_string(root.join(moving::FILE)).unwrap();
    assert_eq!(apart(&kept).0, apart(&drawn).0, "run `cargo xtask picture`");
    assert!(kept.len() < 500_000, "{}", kept.len());
    assert!(apart(&kept).1.starts_with("iVBORw0KGgo"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    assert!(readme.contains(&format!("src=\"{}\"", moving::FILE)));
    // Ten seconds, and the recorded numbers.
    for text in ["10000ms", "5341 events", "tband top", "control", "TASK  "] {
        assert!(kept.contains(text), "{text}");
    }
}
