//! Commands of pages to the target: from the server's threads to the recorder's, and back.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use anyhow::anyhow;

use crate::target_commands::CommandOutcome;

/// A command of a page, and the receiver of its outcome.
pub struct PageCommand {
    pub text: String,
    pub asks: Sender<CommandOutcome>,
}

/// The channel from pages to the recorder. The link contains the token, which permits commands.
pub struct PageCommands {
    token: String,
    to: Sender<PageCommand>,
}

impl PageCommands {
    /// Creates the channel, and its receiving end.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn new() -> anyhow::Result<(Arc<Self>, Receiver<PageCommand>)> {
        let mut secret = [0; 16];
        getrandom::fill(&mut secret)
            .map_err(|error| anyhow!("no random number for the page's token: {error}"))?;
        let token = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        let (to, asked) = channel();
        Ok((Arc::new(Self { token, to }), asked))
    }

    /// The token.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// This is the token. It takes as long whichever of its letters are right.
    pub fn is_token(&self, text: &str) -> bool {
        let differs = self.token.bytes().zip(text.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        self.token.len() == text.len() && differs == 0
    }

    /// Sends this command, and waits for its outcome; `None`: the recording has ended.
    pub fn ask(&self, text: &str) -> Option<CommandOutcome> {
        let (asks, came) = channel();
        self.to.send(PageCommand { text: text.to_owned(), asks }).ok()?;
        came.recv().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_each_is_another() {
        let (one, asked) = PageCommands::new().unwrap();
        let (other, _) = PageCommands::new().unwrap();
        assert_eq!(one.token().len(), 32);
        assert!(one.is_token(one.token()) && !one.is_token(other.token()));
        let token = one.token();
        for wrong in
            ["", &token[1..], &format!("{token}0"), &token.to_uppercase().replace('0', "1")]
        {
            assert!(!one.is_token(wrong) || wrong == token, "{wrong}");
        }
        drop(asked);
        assert_eq!(one.ask("info"), None);
    }
}
