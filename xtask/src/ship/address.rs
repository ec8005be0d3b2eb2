//! The addresses of the project. `Cargo.toml` has them, and no other file repeats them.

use anyhow::{Result, ensure};

/// Address of the repository.
pub const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// Name and mail address of the maintainers.
pub const AUTHORS: &str = env!("CARGO_PKG_AUTHORS");

/// The end of the names of hosts that cannot exist, which placeholders have.
const PLACEHOLDER: &str = ".invalid";

/// Checks that the addresses are real.
///
/// # Errors
/// One of them is a placeholder.
pub fn check() -> Result<()> {
    check_each(&[("repository", REPOSITORY), ("authors", AUTHORS)])
}

fn check_each(addresses: &[(&str, &str)]) -> Result<()> {
    for (name, address) in addresses {
        ensure!(
            !address.is_empty() && !address.contains(PLACEHOLDER),
            "{name} in Cargo.toml is a placeholder, “{address}”: replace it with the address of the project"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_is_refused() {
        let real = ("repository", "https://example.org/tband");
        assert!(check_each(&[real]).is_ok());
        for placeholder in ["https://repository.invalid/tband", "a <a@b.invalid>", ""] {
            let error = check_each(&[real, ("authors", placeholder)]).unwrap_err().to_string();
            assert!(error.starts_with("authors in Cargo.toml is a placeholder"), "{error}");
        }
    }
}
