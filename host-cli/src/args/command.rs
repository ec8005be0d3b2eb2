//! Arguments of `command`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tband_app::options::values::duration;

use super::examples;

/// Arguments of `command`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::COMMAND)]
pub struct CommandArgs {
    /// How long to wait for the answer
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = wait)]
    pub wait: Duration,

    /// Keep what comes meanwhile, which is a part of the recording
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Print all commands
    #[arg(long, exclusive = true)]
    pub list: bool,

    /// Where the target is: serial:PORT@RATE, tcp:HOST:PORT, tcp-listen:PORT
    #[arg(required_unless_present = "list", value_name = "SOURCE")]
    pub source: Option<String>,

    /// What it is to do, as --list has it
    #[arg(required_unless_present = "list", value_name = "COMMAND")]
    pub name: Option<String>,

    /// Numbers, decimal or 0x...
    #[arg(value_name = "NUMBER", value_parser = number, allow_negative_numbers = true)]
    pub numbers: Vec<u32>,
}

fn wait(text: &str) -> Result<Duration, String> {
    let ns = u64::try_from(duration(text)?).map_err(|_| "a time above 0 is needed".to_owned())?;
    Ok(Duration::from_nanos(ns))
}

/// 32 bits; a number below 0 has the same bits.
fn number(text: &str) -> Result<u32, String> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let number = match hex {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    let fits =
        (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(number.as_ref().unwrap_or(&i64::MAX));
    let number = number.ok().filter(|_| fits);
    number.map(|number| number as u32).ok_or_else(|| "a number of 32 bits is needed".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_32_bits() {
        assert_eq!(number("0x20000000"), Ok(0x2000_0000));
        assert_eq!(number("-1"), Ok(u32::MAX));
        assert_eq!(number("4294967295"), Ok(u32::MAX));
        for wrong in
            ["", "x", "0x", "4294967296", "-2147483649", "0x1FFFFFFFF", "99999999999999999999"]
        {
            assert!(number(wrong).is_err(), "{wrong}");
        }
    }
}
