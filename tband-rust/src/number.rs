//! The types that wrap a number: markers and interrupts.

/// A type for things that the program numbers. It costs no memory, so make it a constant.
macro_rules! numbered {
    ($(#[doc = $doc:literal])+ $name:ident, $what:literal) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name(u32);

        impl $name {
            #[doc = concat!("The ", $what, " of a number that the program chooses.")]
            #[must_use]
            pub const fn new(id: u32) -> Self {
                Self(id)
            }

            /// Returns its number.
            #[must_use]
            pub const fn id(self) -> u32 {
                self.0
            }
        }
    };
}

pub(crate) use numbered;
