//! Errors of the converter in the words of the command line.

use tband_app::command_result::Failure;
use tband_conv::ConvError;
use tband_report::duration::duration;

/// Returns the error for a command without a result.
pub fn failed(failure: Failure) -> anyhow::Error {
    match failure {
        Failure::Convert(error) => named(error),
        Failure::NoSuch(text) => anyhow::Error::msg(text),
    }
}

/// The error of a window that ends before it begins.
pub fn named(error: ConvError) -> anyhow::Error {
    match error {
        ConvError::EmptyWindow { from_ns, to_ns } => anyhow::anyhow!(
            "--from is after --to: that is at {}, this at {}",
            duration(from_ns),
            duration(to_ns)
        ),
        other => other.into(),
    }
}
