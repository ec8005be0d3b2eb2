//! Files of one core are one recording, in the order in which they are named.

use crate::error::ConvError;
use crate::input::Input;

/// A recording that may be several files.
struct Group<'a> {
    /// As the user named it.
    named: Option<u32>,
    /// The core of its first events.
    core: u32,
    input: Input<'a>,
}

/// Joins files that go on where another one ends: each with the core that the user has named for it, if so, whose
/// number the input has been given. A stream of another core is not the rest of what is before it. This looks at the
/// beginning of each if there are several, and leaves it to be read.
///
/// # Errors
/// [`ConvError::Read`] if an input cannot be opened.
pub fn group_by_core(inputs: Vec<(Option<u32>, Input<'_>)>) -> Result<Vec<Input<'_>>, ConvError> {
    let many = inputs.len() > 1;
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (named, input) in inputs {
        let starts = match named {
            None if many => input.starts_stream_of()?,
            _ => None,
        };
        let before = groups.iter().rposition(|group| {
            group.named == named && starts.is_none_or(|core| core == group.core)
        });
        match before {
            Some(index) => {
                let group = groups.remove(index);
                let input = group.input.followed_by(input);
                groups.insert(index, Group { input, ..group });
            }
            None => {
                let core = starts.or(named).unwrap_or(0);
                groups.push(Group { named, core, input });
            }
        }
    }
    Ok(groups.into_iter().map(|group| group.input).collect())
}
