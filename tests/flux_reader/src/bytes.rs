//! Numbers and texts.

/// Bytes from the front on.
#[derive(Clone, Copy)]
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    pub fn take(&mut self, len: usize) -> &'a [u8] {
        let (head, rest) = self.0.split_at(len);
        self.0 = rest;
        head
    }

    pub fn byte(&mut self) -> u8 {
        self.take(1)[0]
    }

    pub fn pint(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= u64::from(byte & 0x7F) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return number;
            }
        }
    }

    pub fn value(&mut self) -> &'a [u8] {
        let len = self.pint() as usize;
        self.take(len)
    }

    pub fn text(&mut self) -> String {
        String::from_utf8(self.value().to_vec()).expect("UTF-8")
    }

    pub fn sint(&mut self) -> i64 {
        i64::try_from(number(self.value())).expect("64 bits")
    }
}

/// Little-endian, in two's complement.
pub fn number(bytes: &[u8]) -> i128 {
    assert!(bytes.len() <= 9, "a number of {} bytes", bytes.len());
    let sign = bytes.last().is_some_and(|byte| byte & 0x80 != 0);
    let mut whole = [if sign { 0xFF } else { 0 }; 16];
    whole[..bytes.len()].copy_from_slice(bytes);
    i128::from_le_bytes(whole)
}
