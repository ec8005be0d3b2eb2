//! Manifests for package managers that download: the places of artefacts, and their checksums.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::address::REPOSITORY;
use crate::command::run_quiet;
use crate::dist::VERSION;

/// The version of winget's format.
const WINGET: &str = "1.6.0";
const IDENTIFIER: &str = "tband.tband-cli";

/// Artefacts that manifests name, in one folder.
#[derive(Debug)]
pub struct Artefacts<'a> {
    /// Where they are.
    pub folder: &'a Path,
    /// Packed sources.
    pub sources: &'a str,
    /// The program for Windows, if there is one.
    pub windows: Option<&'a str>,
    /// The address below which they will be, without `/` at its end.
    pub address: &'a str,
}

/// The formula of Homebrew, which builds from the sources, and the three files of winget: names and contents.
///
/// # Errors
/// An artefact is missing.
pub fn manifests(artefacts: &Artefacts<'_>) -> Result<Vec<(String, String)>> {
    let Artefacts { sources, windows, address, .. } = *artefacts;
    let sum = sha256(&artefacts.folder.join(sources))?;
    let mut files = vec![(
        "tband-cli.rb".to_owned(),
        format!(
            r##"class TbandCli < Formula
  desc "Converts and checks trace recordings of FreeRTOS and bare-metal firmware"
  homepage "{REPOSITORY}"
  url "{address}/{sources}"
  sha256 "{sum}"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "host-cli")
    system bin/"tband-cli", "man", "--out", man1
    generate_completions_from_executable(bin/"tband-cli", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/tband-cli --version")
  end
end
"##
        ),
    )];
    if let Some(windows) = windows {
        let sum = sha256(&artefacts.folder.join(windows))?.to_uppercase();
        let head = format!("PackageIdentifier: {IDENTIFIER}\nPackageVersion: {VERSION}\n");
        let mut add = |kind: &str, name: &str, content: String| {
            let content =
                format!("{head}{content}ManifestType: {kind}\nManifestVersion: {WINGET}\n");
            files.push((format!("{IDENTIFIER}{name}.yaml"), content));
        };
        add("version", "", "DefaultLocale: en-US\n".to_owned());
        add(
            "installer",
            ".installer",
            format!(
                "InstallerType: portable\nCommands:\n- tband-cli\nInstallers:\n- Architecture: x64\n  \
                 InstallerUrl: {address}/{windows}\n  InstallerSha256: {sum}\n"
            ),
        );
        add(
            "defaultLocale",
            ".locale.en-US",
            format!(
                "PackageLocale: en-US\nPublisher: the tband authors\nPackageName: tband-cli\n\
                 PackageUrl: {REPOSITORY}\nLicense: MIT OR Apache-2.0\n\
                 ShortDescription: Converts and checks trace recordings of FreeRTOS and bare-metal firmware\n"
            ),
        );
    }
    Ok(files)
}

fn sha256(file: &Path) -> Result<String> {
    let output = run_quiet(Command::new("sha256sum").arg("--binary").arg(file))?.stdout;
    let output = String::from_utf8(output)?;
    let sum = output.split(' ').next().map(|sum| sum.trim_start_matches('\\').to_owned());
    sum.with_context(|| format!("no checksum of {}", file.display()))
}
