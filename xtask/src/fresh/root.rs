//! Root folders: the bare system that is kept, and copies of it that commands run in.
//!
//! A command runs in separate namespaces for mounts and processes. The kernel undoes both when its first process ends, however
//! that happens, so no mount is ever left behind, and a root folder can always be removed.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::{run_quiet, run_with_output};

/// Packages in addition to the bare system: Rust's linker, and tools to clone from a server.
const PACKAGES: &str = "gcc,libc6-dev,git,ca-certificates";

/// The file with the trusted certificate authorities.
const CERTIFICATES: &str = "etc/ssl/certs/ca-certificates.crt";

/// Where the clone is, on the machine.
const CLONE: &str = "root/tband";

/// Variables that tell programs how to reach a registry.
const NETWORK: [&str; 4] = ["http_proxy", "https_proxy", "no_proxy", "all_proxy"];

/// Sets up mounts, runs a command, and returns its status. The command is not the first process, because that would not end by
/// Ctrl-C.
const ENTER: &str = r#"
set -e
root=$1 rust=$2; shift 2
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
if [ -n "$rust" ]; then
    mount --bind "$rust" "$root/opt/rust"
    mount -o remount,bind,ro "$root/opt/rust"
fi
chroot "$root" "$@"
exit $?
"#;

/// A bare system.
pub struct Base {
    root: PathBuf,
    folder: PathBuf,
}

/// A copy of a bare system. It is removed when this is dropped.
pub struct Machine {
    root: PathBuf,
    keep: bool,
    with_rust: bool,
    /// Where commands start.
    folder: &'static str,
}

/// Release of the system that this runs on.
pub fn own_suite() -> Result<String> {
    let text = fs::read_to_string("/etc/os-release").context("/etc/os-release")?;
    let line = text.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    line.map(str::to_owned).context("no release is known; name one with --suite")
}

impl Base {
    /// Returns the one that was created before, or otherwise a new one.
    pub fn find_or_make(folder: &Path, suite: &str) -> Result<Self> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        remove_left_over(folder)?;
        let base = Self { root: folder.join(suite), folder: folder.to_owned() };
        if !base.root.exists() {
            // An interrupted run leaves nothing that looks complete.
            let new = folder.join(format!("part-{}", std::process::id()));
            make(&new, suite, PACKAGES)?;
            fs::rename(&new, &base.root).context("cannot keep the bare system")?;
        }
        Ok(base)
    }

    /// A new machine with Rust and a clone of a checkout.
    pub fn machine(&self, checkout: &Path, keep: bool) -> Result<Machine> {
        let mut machine = self.without_rust(keep)?;
        (machine.with_rust, machine.folder) = (true, CLONE);
        let mut clone = Command::new("git");
        clone.args(["clone", "--quiet"]).arg(format!("file://{}", checkout.display()));
        run_quiet(clone.arg(machine.root.join(CLONE)))?;
        Ok(machine)
    }

    /// A new machine with neither.
    pub fn without_rust(&self, keep: bool) -> Result<Machine> {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(1);
        let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let name = format!("machine-{}-{count}", std::process::id());
        let root = self.folder.join(name);
        let machine = Machine { root, keep, with_rust: false, folder: "root" };
        let mut copy = Command::new("cp");
        run_quiet(copy.args(["-a", "--reflink=auto"]).arg(&self.root).arg(&machine.root))?;
        Ok(machine)
    }

    /// Packages that are there by name, not for the sake of others.
    pub fn packages(&self) -> Result<BTreeSet<String>> {
        packages(&self.root)
    }
}

impl Machine {
    /// Its root folder, as this machine sees it.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns a command that runs there, in the clone if there is one, without this process's environment.
    pub fn command(&self, words: &[String]) -> Result<Command> {
        let mut rust = String::new();
        if self.with_rust {
            let rustc = run_quiet(Command::new("rustc").args(["--print", "sysroot"]))?;
            rust = String::from_utf8(rustc.stdout).context("Rust's folder")?;
        }
        let mut command = Command::new("unshare");
        command
            .args(["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, "sh"])
            .arg(&self.root)
            .arg(rust.trim())
            .args(["/usr/bin/env", "-i", "HOME=/root", "LANG=C.UTF-8"])
            .arg("PATH=/opt/rust/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        for name in NETWORK {
            for name in [name.to_owned(), name.to_uppercase()] {
                if let Ok(value) = env::var(&name) {
                    command.arg(format!("{name}={value}"));
                }
            }
        }
        command.args(["sh", "-c", r#"cd "/$0" && exec "$@""#, self.folder]).args(words);
        Ok(command)
    }

    /// As [`Base::packages`].
    pub fn packages(&self) -> Result<BTreeSet<String>> {
        packages(&self.root)
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if self.keep {
            eprintln!("The machine is kept in {}", self.root.display());
        } else if let Err(error) = fs::remove_dir_all(&self.root) {
            eprintln!("cannot remove {}: {error}", self.root.display());
        }
    }
}

fn packages(root: &Path) -> Result<BTreeSet<String>> {
    let mut mark = Command::new("chroot");
    let list = run_quiet(mark.arg(root).args(["apt-mark", "showmanual"]))?;
    Ok(String::from_utf8_lossy(&list.stdout).lines().map(str::to_owned).collect())
}

/// Removes the remains of interrupted runs.
fn remove_left_over(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let mut parts = name.split('-');
        let is_ours = matches!(parts.next(), Some("machine" | "part"));
        let process = parts.next().map(|id| Path::new("/proc").join(id));
        if is_ours && process.is_some_and(|it| !it.exists()) {
            fs::remove_dir_all(entry.path()).with_context(|| format!("cannot remove {name}"))?;
        }
    }
    Ok(())
}

/// Returns the root of another release of Debian that has these packages, with commas between; it is kept in `folder`.
///
/// # Errors
/// It cannot be created.
pub fn with_packages(folder: &Path, suite: &str, packages: &str) -> Result<PathBuf> {
    let root = folder.join(suite);
    if !root.exists() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        // An interrupted run leaves nothing that looks complete.
        let new = folder.join(format!("part-{}", std::process::id()));
        make(&new, suite, packages)?;
        fs::rename(&new, &root).context("cannot keep the system")?;
    }
    Ok(root)
}

/// Creates a bare system that reaches registries as this one does.
fn make(root: &Path, suite: &str, packages: &str) -> Result<()> {
    eprintln!("Making a bare {suite} ...");
    let sources = sources(suite)?;
    let mut debootstrap = Command::new("debootstrap");
    debootstrap.args(["--variant=minbase", &format!("--include={packages}"), suite]).arg(root);
    if let Some((server, _)) = sources.first() {
        debootstrap.arg(server);
    }
    run_with_output(&mut debootstrap)?;
    let write = |path: &str, text: &[u8]| {
        let path = root.join(path);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    if !sources.is_empty() {
        let lines: String =
            sources.iter().map(|(server, rest)| format!("deb {server} {rest}\n")).collect();
        write("etc/apt/sources.list", lines.as_bytes())?;
    }
    // Proxies and similar settings; not apt's settings for packages, which may be specific to this machine.
    let settings = run_quiet(Command::new("apt-config").args(["dump", "Acquire"]))?;
    let settings = String::from_utf8_lossy(&settings.stdout).into_owned();
    let wanted = |line: &&str| !line.starts_with("Acquire::IndexTargets");
    let settings: Vec<_> = settings.lines().filter(wanted).collect();
    write("etc/apt/apt.conf.d/00acquire", settings.join("\n").as_bytes())?;
    for file in [CERTIFICATES, "etc/resolv.conf", "etc/hosts"] {
        if let Ok(text) = fs::read(Path::new("/").join(file)) {
            write(file, &text)?;
        }
    }
    let cargo = env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo = cargo.or_else(|| env::var_os("HOME").map(|home| Path::new(&home).join(".cargo")));
    if let Some(text) = cargo.and_then(|folder| fs::read(folder.join("config.toml")).ok()) {
        fs::create_dir_all(root.join("root/.cargo"))?;
        write("root/.cargo/config.toml", &text)?;
    }
    fs::create_dir_all(root.join("opt/rust"))?;
    Ok(())
}

/// Where this machine has packages of a release from: server, and the rest of a line of apt's. None if it
/// has another release.
fn sources(suite: &str) -> Result<Vec<(String, String)>> {
    let mut list = Command::new("apt-get");
    list.args(["indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)"]);
    let list = run_quiet(list.arg("Created-By: Packages"))?;
    let list = String::from_utf8_lossy(&list.stdout).into_owned();
    let mut sources: Vec<(String, String)> = list
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter(|(_, rest)| rest.split([' ', '-', '/']).next() == Some(suite))
        .map(|(server, rest)| (server.to_owned(), rest.to_owned()))
        .collect();
    // The release itself first, then its updates.
    sources.sort_by_key(|(_, rest)| rest.len());
    sources.dedup();
    Ok(sources)
}
