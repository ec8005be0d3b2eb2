//! Options: the settings of users, and their values for the converter.

mod command_settings;
mod request_options;
pub mod values;
mod window;

pub use command_settings::CommandSettings;
pub use request_options::{OPTIONS, OptionSetter, RequestOptions};
pub use window::{SPAN, Window, WindowEnds};
