//! The content of the guide: commands, files for an editor, a moving picture.

#[cfg(unix)]
mod commands;
mod moving;
#[path = "../support/mod.rs"]
mod support;
mod vscode;
