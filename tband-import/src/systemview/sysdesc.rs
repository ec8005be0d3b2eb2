//! The target's description: `N=Application,D=Device,C=Core,O=OS`, and names of interrupts: `I#15=SysTick`.

/// Longest value that is kept, in bytes.
const MAX_VALUE: usize = 256;

/// The description that the target sends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SysDesc {
    pub application: Option<String>,
    pub device: Option<String>,
    pub core: Option<String>,
    pub os: Option<String>,
    /// The kernel is another one than FreeRTOS, which has other ids of calls.
    pub has_other_kernel: bool,
}

impl SysDesc {
    /// Learns a text; names of interrupts go to `isr`.
    pub fn learn(&mut self, text: &[u8], mut isr: impl FnMut(u32, &str)) {
        let text = String::from_utf8_lossy(text);
        for part in text.split(',') {
            let Some((key, value)) = part.split_once('=') else { continue };
            let value = value.trim();
            let kept = || Some(value.chars().take(MAX_VALUE).collect());
            match key.trim() {
                "N" => self.application = kept(),
                "D" => self.device = kept(),
                "C" => self.core = kept(),
                "O" => {
                    self.has_other_kernel = !value.to_ascii_lowercase().contains("freertos");
                    self.os = kept();
                }
                key => {
                    if let Some(Ok(number)) = key.strip_prefix("I#").map(str::parse) {
                        isr(number, value);
                    }
                }
            }
        }
    }

    /// The chip is one of Espressif's.
    pub fn is_of_espressif(&self) -> bool {
        let device = self.device.as_deref().unwrap_or_default();
        device.to_ascii_lowercase().starts_with("esp")
    }

    /// In words.
    pub fn text(&self) -> String {
        let all = [&self.application, &self.device, &self.core, &self.os];
        let known: Vec<&str> = all.into_iter().flatten().map(String::as_str).collect();
        known.join(", ")
    }
}
