//! Inputs that are fed: their names and cores, and the message for one that is not a recording.

use crate::cores::MAX_CORES;
use crate::error::ConvError;

/// Hint in the message for an input that is not a recording.
pub(super) const HINT: &str = "; feed the bytes that the target recorded";

/// Inputs with their names and cores.
pub(super) fn named<N: Into<String>>(
    inputs: impl IntoIterator<Item = (N, u32)>,
) -> Result<Vec<(String, u32)>, ConvError> {
    let inputs: Vec<(String, u32)> =
        inputs.into_iter().map(|(name, core)| (name.into(), core)).collect();
    if let Some((input, core)) = inputs.iter().find(|(_, core)| *core >= MAX_CORES) {
        return Err(ConvError::NoSuchCore { input: input.clone(), core: *core });
    }
    if inputs.is_empty() { Err(ConvError::NoInput) } else { Ok(inputs) }
}
