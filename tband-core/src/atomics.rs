//! The words that events, their interrupts and the consumer share: atomics, with the names of the core library.
//!
//! CPUs before Armv6 and a few others have no atomic loads and stores. They have one core, so that only its own interrupts come
//! between two accesses, and each load or store of a word is one instruction. There the build script sets the cfg
//! `without_atomics`, and the names are those of volatile cells: the compiler neither omits nor splits their accesses. The
//! fences of the CPU are then fences of the compiler.

#[cfg(not(without_atomics))]
pub use core::sync::atomic::{
    AtomicPtr, AtomicU8, AtomicU16, AtomicU32, Ordering, compiler_fence, fence,
};

#[cfg(without_atomics)]
pub use cells::{AtomicPtr, AtomicU8, AtomicU16, AtomicU32, compiler_fence, fence};
#[cfg(without_atomics)]
pub use core::sync::atomic::Ordering;

#[cfg(without_atomics)]
mod cells {
    use core::cell::UnsafeCell;
    use core::ptr;
    use core::sync::atomic::Ordering;

    #[cfg(target_pointer_width = "16")]
    compile_error!(
        "tband: this CPU has no atomic words of 32 bits and stores them in parts, so that an interrupt would see half of a change. \
         Record with Tonbandgeraet's library in C, whose recordings tband-cli reads"
    );

    /// A word of one core and its interrupts.
    #[derive(Debug)]
    #[repr(transparent)]
    pub struct Cell<T>(UnsafeCell<T>);

    pub type AtomicU8 = Cell<u8>;
    pub type AtomicU16 = Cell<u16>;
    pub type AtomicU32 = Cell<u32>;
    pub type AtomicPtr<T> = Cell<*mut T>;

    // SAFETY: the program has one core. Interrupts use the cell by loads and stores of the whole word only, each one instruction.
    unsafe impl<T> Sync for Cell<T> {}

    // SAFETY: as above; what a pointer in it points to is not touched by it.
    unsafe impl<T> Send for Cell<T> {}

    impl<T: Copy> Cell<T> {
        pub const fn new(value: T) -> Self {
            Self(UnsafeCell::new(value))
        }

        #[inline(always)]
        pub fn load(&self, order: Ordering) -> T {
            // SAFETY: the cell is valid and aligned, and no reference to its content exists.
            let value = unsafe { self.0.get().read_volatile() };
            compiler_fence(order);
            value
        }

        #[inline(always)]
        pub fn store(&self, value: T, order: Ordering) {
            compiler_fence(order);
            // SAFETY: as in `load`.
            unsafe { self.0.get().write_volatile(value) }
        }

        pub const fn as_ptr(&self) -> *mut T {
            self.0.get()
        }
    }

    impl<T: Copy> From<T> for Cell<T> {
        fn from(value: T) -> Self {
            Self::new(value)
        }
    }

    impl Default for Cell<u8> {
        fn default() -> Self {
            Self::new(0)
        }
    }

    impl Default for Cell<u16> {
        fn default() -> Self {
            Self::new(0)
        }
    }

    impl Default for Cell<u32> {
        fn default() -> Self {
            Self::new(0)
        }
    }

    impl<T> Default for Cell<*mut T> {
        fn default() -> Self {
            Self::new(ptr::null_mut())
        }
    }

    /// Orders the accesses that the compiler makes for this core, unless the order is relaxed. The one of the core library would call
    /// `__sync_synchronize`, which no C library of these CPUs has.
    #[inline(always)]
    pub fn compiler_fence(order: Ordering) {
        if !matches!(order, Ordering::Relaxed) {
            #[cfg(not(target_pointer_width = "16"))]
            // SAFETY: no instruction; the compiler takes it for one that reads and writes memory.
            unsafe {
                core::arch::asm!("", options(nostack, preserves_flags))
            }
        }
    }

    /// Like [`compiler_fence`]: there is no other core.
    #[inline(always)]
    pub fn fence(order: Ordering) {
        compiler_fence(order);
    }
}
