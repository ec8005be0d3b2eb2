//! `sdk`: writes the SDK into a folder or an archive.

use std::{env, fs};

use anyhow::Context;

use super::{Sdk, archive};
use crate::Outcome;
use crate::args::SdkArgs;
use crate::folder::Folder;
use crate::output;
use crate::report::Report;
use tband_conv::counted;

pub fn run(args: &SdkArgs, report: &Report) -> anyhow::Result<Outcome> {
    let sdk = Sdk::open(args.sdk.as_deref())?;
    let program = env::current_exe()
        .and_then(|path| Ok((path.clone(), fs::read(path)?)))
        .context("cannot read this program's own file")?;
    let (path, program) = program;
    if let Some(out) = &args.out {
        let folder = Folder::begin(out, "the SDK", "sdk")?;
        let mut count = 1;
        for (name, bytes) in sdk.files() {
            folder.write(&name, bytes)?;
            count += 1;
        }
        let [bin, name] = archive::PROGRAM;
        let name = format!("{bin}/{name}{}", env::consts::EXE_SUFFIX);
        folder.write(&name, &program)?;
        folder.finish()?;
        // Its permission to be executed, with the others.
        let copy = out.join(&name);
        fs::metadata(&path)
            .and_then(|it| fs::set_permissions(&copy, it.permissions()))
            .with_context(|| format!("cannot write {}", copy.display()))?;
        report.line(&format!("{}: {}", out.display(), counted(count, "file")));
    }
    if let Some(tar) = &args.tar {
        output::to_file(tar, true, |out| {
            archive::write(&sdk, &program, out)?;
            out.flush()?;
            Ok(())
        })?;
        report.line(&format!("{}: written", tar.display()));
    }
    Ok(Outcome::Clean)
}
