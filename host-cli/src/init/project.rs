//! A project: its files, its chip, its kernel, and the places of tband in it.

use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{bail, ensure};

use super::config::POSIX_PORT;
use super::environment::{self, Environment};
use super::kernel::Kernel;
use super::record::Record;
use super::timer::{self, Choice, Timer};
use super::tonbandgeraet::Tonbandgeraet;
use crate::args::InitArgs;
use crate::chip::{self, Cpu};
use crate::sdk::Sdk;
use crate::survey::RECORD;
use crate::survey::Survey;
use crate::survey::build_file::BuildFile;
use crate::survey::paths::{self, Named};
use crate::syntax::cmake::Command;

/// A project, as far as its files show it.
pub struct Project<'s> {
    pub sdk: &'s Sdk,
    pub survey: Survey,
    pub environments: Vec<Environment>,
    pub cpu: Cpu,
    /// The place that names the CPU.
    pub cpu_place: String,
    pub kernel: Option<Kernel>,
    pub timer: Choice,
    /// Tonbandgerät in the build, which tband replaces.
    pub tonbandgeraet: Option<Tonbandgeraet>,
    /// The place of a port of the kernel for computers, which another build of the project has.
    pub simulated: Option<String>,
    /// The paths in the build files.
    pub named: Vec<Named>,
    /// The program of `--program`.
    pub program: Option<String>,
    /// The recorder's folder, and that of its configuration, in the project, with `/`.
    pub dir: String,
    pub config_dir: String,
    /// The record of an earlier run.
    pub record: Record,
}

impl<'s> Project<'s> {
    /// Examines the project of a command.
    ///
    /// # Errors
    /// The project uses tband already, its chip or clock is unknown, or it cannot be read.
    pub fn of(args: &InitArgs, sdk: &'s Sdk) -> anyhow::Result<Self> {
        let root = &args.folder;
        let dir = place(root, &args.dir)?;
        // Build files and shells give them another meaning.
        let special = dir.chars().find(|it| "#$:\"';%\\".contains(*it));
        if let Some(it) = special {
            bail!(
                "--dir {dir} has the character {it}, which build files cannot have in names; name another folder"
            );
        }
        let record = Record::read(&root.join(&dir).join(RECORD))?;
        let mut survey = Survey::of(root)?;
        survey.ensure_read()?;
        // Its own lines in build files say nothing about the project.
        survey.replace(|name| {
            let it = record.changed.get(name)?;
            let now = fs::read(root.join(name)).ok()?;
            record.is_unchanged(name, &now).then(|| it.before.clone())
        });
        if let Some(copy) = survey.copies.first() {
            bail!(
                "{} is tband already: \"tband-cli doctor\" checks a project that uses it",
                copy.display()
            );
        }
        let config_dir = place(root, Path::new(&format!("{dir}-config")))?;
        let named = paths::of(&survey.build);
        let tonbandgeraet = Tonbandgeraet::find(&survey, &named);
        for name in ["tband_config.h", "tband_port.h"] {
            if tonbandgeraet.is_some() {
                break;
            }
            let is_other = |it: &&&PathBuf| survey.name(it) != format!("{config_dir}/{name}");
            if let Some(path) = survey.headers_named(name).iter().find(is_other) {
                bail!(
                    "the project uses tband or Tonbandgerät already: {}; \"tband-cli doctor\" checks it, and \
                     docs/src/guide/start/tonbandgeraet.md describes the change from Tonbandgerät",
                    path.display()
                );
            }
        }
        let environments = environment::find(&survey);
        ensure!(
            !environments.is_empty(),
            "{} has no project: no CMakeLists.txt, Makefile, platformio.ini, sketch, or file of an IDE; name its folder",
            root.display()
        );
        let is_open = args.cpu.is_none();
        let is_simulated = |it: &str| match args.cpu.as_deref().and_then(Cpu::named) {
            Some(cpu) => cpu.is_posix() || cpu.is_windows(),
            None => {
                survey.build_at_root(it).is_some_and(|it| it.has("CONFIG_IDF_TARGET=\"linux\""))
            }
        };
        ensure!(
            !environments.contains(&Environment::EspIdf)
                || !["sdkconfig", "sdkconfig.defaults"].into_iter().any(is_simulated),
            "ESP-IDF's simulator, the target linux, is not recorded: choose a chip, for example with idf.py set-target esp32c6, or \
             use FreeRTOS's POSIX port, as examples/posix-freertos does"
        );
        let chosen = match chip::find(&survey, args.cpu.as_deref()) {
            Err(_)
                if is_open
                    && environments.contains(&Environment::EspIdf)
                    && survey.build_at_root("sdkconfig").is_none() =>
            {
                bail!(
                    "the project has no sdkconfig, which names the chip: run idf.py set-target esp32c6 first, or add --cpu esp32c6. tband has no \
                 library for the Xtensa cores of ESP32, the default, -S2 and -S3"
                )
            }
            Err(_)
                if is_open
                    && environments.contains(&Environment::PicoSdk)
                    && !names_board(&survey) =>
            {
                bail!(
                    "no build file names the board or the chip, as set(PICO_BOARD pico) does: add --cpu rp2040 (pico, the SDK's default) or \
                 --cpu rp2350 (pico2)"
                )
            }
            chosen => chosen?,
        };
        let own_kernel = environments.iter().any(|it| it.has_own_kernel());
        let program = args.program.clone();
        let lists = match &program {
            Some(name) => Some(file_of(&survey, name)?),
            None => None,
        };
        let kernel = if own_kernel {
            None
        } else {
            Kernel::find(&survey, sdk, &named, lists.as_deref(), args.config.as_deref())?
        };
        let timer = match &tonbandgeraet {
            Some(it) => Choice { timer: Timer::Own, place: format!("{}: yours", it.port) },
            None => timer::choose(&survey, &environments, chosen.cpu, kernel.as_ref(), args)?,
        };
        Ok(Self {
            sdk,
            survey,
            environments,
            cpu: chosen.cpu,
            cpu_place: chosen.place,
            kernel,
            timer,
            tonbandgeraet,
            simulated: chosen.simulated,
            named,
            program,
            dir,
            config_dir,
            record,
        })
    }

    /// The kernel's port protects memory between tasks.
    pub fn has_memory_protection(&self) -> bool {
        let is_it = |it: &Named| {
            it.path.contains("/portable/") && it.path.split('/').any(|it| it.ends_with("_MPU"))
        };
        self.named.iter().any(is_it)
    }

    /// Its build takes tband as a module of Zephyr, which records the threads.
    pub fn is_zephyr(&self) -> bool {
        self.environments.iter().any(|it| it.is_zephyr())
    }

    /// The kernel, if tband records it.
    pub fn recorded(&self) -> Option<&Kernel> {
        self.kernel.as_ref().filter(|it| it.is_recorded())
    }

    /// The path of a file without links; `None` if it is outside of the project.
    pub fn inside(&self, path: &Path) -> Option<PathBuf> {
        let root = fs::canonicalize(&self.survey.root).ok()?;
        let path = fs::canonicalize(path).ok()?;
        Some(self.survey.root.join(path.strip_prefix(root).ok()?))
    }

    /// The content of a user's file before `init` changed it; the present content if the user has changed it since.
    pub fn base(&self, path: &Path) -> Option<Vec<u8>> {
        let now = fs::read(path).ok()?;
        let name = self.survey.name(path);
        let changed = self.record.changed.get(&name);
        match changed {
            Some(it) if self.record.is_unchanged(&name, &now) => Some(it.before.clone()),
            _ => Some(now),
        }
    }

    /// Returns whether a user's file is as `init` changed it.
    pub fn is_as_written(&self, path: &Path) -> bool {
        let Some(path) = self.inside(path) else { return false };
        let name = self.survey.name(&path);
        self.record.changed.contains_key(&name)
            && fs::read(&path).is_ok_and(|now| self.record.is_unchanged(&name, &now))
    }

    /// The folders in the project with the headers that configure tband, in the order in which a compiler searches them.
    pub fn config_folders(&self) -> Vec<String> {
        match &self.tonbandgeraet {
            Some(it) => it.folders.clone(),
            None if self.cpu.is_posix() => {
                vec![self.config_dir.clone(), format!("{}/port/{POSIX_PORT}", self.dir)]
            }
            None => vec![self.config_dir.clone()],
        }
    }

    /// What a user adds to a project of an IDE.
    pub fn list_of_files(&self) -> String {
        let (dir, target) = (&self.dir, self.cpu.target);
        let kernel = self.recorded().is_some();
        let mut list =
            format!("add to the project of your IDE:\n  source   {dir}/port/tband_shim.c\n");
        if kernel {
            list += &format!("  source   {dir}/freertos-hooks/tband_freertos.c\n");
        }
        if self.cpu.is_posix() {
            list += &format!("  source   {dir}/port/{POSIX_PORT}/tband_port.c\n");
        }
        let folders = ["include", "freertos-hooks", "port"].map(|it| format!("{dir}/{it}"));
        for folder in self.config_folders().into_iter().chain(folders) {
            list += &format!("  include  {folder}\n");
        }
        list += &format!("  library  {dir}/lib/{target}/libtband.a, the last one");
        list
    }
}

/// A build file sets the board or the chip of the Pico SDK.
fn names_board(survey: &Survey) -> bool {
    let is_set = |it: &Command| {
        let target = it.target();
        it.name == "set" && (target == "PICO_BOARD" || target == "PICO_PLATFORM")
    };
    survey.build.iter().flat_map(BuildFile::commands).any(is_set)
}

/// The file of CMake with a program.
///
/// # Errors
/// No file adds such a program.
fn file_of(survey: &Survey, program: &str) -> anyhow::Result<String> {
    let is_it = |it: &Command| it.name == "add_executable" && it.target() == program;
    let file = survey.build.iter().find(|it| it.commands().iter().any(is_it));
    let Some(file) = file else {
        bail!(
            "--program {program}: no add_executable({program} ...) is in the project's files of CMake"
        )
    };
    Ok(file.name.clone())
}

/// The path of `--dir` in the project, with `/`.
///
/// # Errors
/// It is outside of the project, or leads through a link.
pub fn place(root: &Path, dir: &Path) -> anyhow::Result<String> {
    let outside =
        || format!("--dir {} is not a folder inside of {}", dir.display(), root.display());
    let relative = dir.strip_prefix(root).unwrap_or(dir);
    let mut names = Vec::new();
    for it in relative.components() {
        match (it, it.as_os_str().to_str()) {
            (Component::CurDir, _) => {}
            (Component::Normal(_), Some(name)) => names.push(name),
            _ => bail!(outside()),
        }
    }
    ensure!(!names.is_empty(), outside());
    let mut path = root.to_owned();
    for name in &names {
        path.push(name);
        let is_link = fs::symlink_metadata(&path).is_ok_and(|it| it.is_symlink());
        ensure!(!is_link, "{} is a link: name another --dir", path.display());
    }
    Ok(names.join("/"))
}
