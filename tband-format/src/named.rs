//! Fields of one byte whose values have names.
//!
//! A type holds any byte, so that values of a newer recorder are kept. Values stay below 128, where a byte and a varint
//! have the same encoding, so firmware records them as numbers.

#[cfg(feature = "host")]
use crate::field::fixed::FixedField;
use crate::field::packed::{Bytes, PackedField};
use crate::field::text::without_text;
use crate::field::{Field, FieldKind, Value};
use crate::reader::{FieldError, Reader};
use crate::short_reader::ShortReader;
use crate::writer::FrameWriter;

macro_rules! named_bytes {
    ($(
        $(#[doc = $doc:literal])+
        $type:ident $name:literal { $(
            $(#[doc = $value_doc:literal])+
            $constant:ident = $value:literal $meaning:literal,
        )+ }
    )*) => { $(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $type(pub u8);

        impl $type {
            $(
                $(#[doc = $value_doc])+
                pub const $constant: Self = {
                    assert!($value < 128);
                    Self($value)
                };
            )+

            const VALUES: &'static [(u8, &'static str)] = &[$(($value, $meaning)),+];

            /// Returns the name of the value; `None` for a value that this version does not know.
            #[must_use]
            pub fn name(self) -> Option<&'static str> {
                Self::VALUES.iter().find(|(value, _)| *value == self.0).map(|(_, name)| *name)
            }
        }

        impl<'a> Field<'a> for $type {
            const KIND: FieldKind = FieldKind::Enum { name: $name, values: Self::VALUES };

            #[inline]
            fn read(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
                reader.byte().map(Self)
            }

            unsafe fn write(self, writer: &mut FrameWriter) {
                // SAFETY: the caller made room for this field.
                unsafe { writer.u8(self.0) }
            }

            fn payload_len(self) -> usize {
                1
            }

            fn value(self) -> Option<Value<'a>> {
                Some(Value::Named(self.0, self.name()))
            }
        }

        without_text!($type);

        #[cfg(feature = "host")]
        impl<'a> FixedField<'a> for $type {
            const WIDTH: usize = 1;

            #[inline]
            fn write_fixed(self, place: &mut [u8]) -> Option<()> {
                self.0.write_fixed(place)
            }

            #[inline]
            fn read_fixed(place: &[u8], bytes: &'a [u8], text_at: u8) -> Option<Self> {
                u8::read_fixed(place, bytes, text_at).map(Self)
            }
        }

        impl<'a> PackedField<'a> for $type {
            fn read_packed(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
                reader.byte().map(Self)
            }

            #[inline]
            fn read_short(short: ShortReader<'a>) -> Option<(Self, ShortReader<'a>)> {
                let (byte, left) = short.byte();
                Some((Self(byte), left))
            }

            #[inline]
            fn small(byte: u8) -> Option<Self> {
                Some(Self(byte))
            }

            fn write_packed(self, bytes: &mut Bytes<'_>) -> Option<()> {
                bytes.byte(self.0)
            }
        }
    )* };
}

named_bytes! {
    /// Kind of a queue-like kernel object.
    QueueKind "queue kind" {
        /// Plain queue.
        QUEUE = 0 "queue",
        /// Counting semaphore.
        COUNTING_SEMAPHORE = 1 "counting semaphore",
        /// Binary semaphore.
        BINARY_SEMAPHORE = 2 "binary semaphore",
        /// Mutex.
        MUTEX = 3 "mutex",
        /// Recursive mutex.
        RECURSIVE_MUTEX = 4 "recursive mutex",
        /// Queue set.
        QUEUE_SET = 5 "queue set",
    }

    /// Kind of a stream buffer (`sbTYPE_*` of the kernel).
    StreamBufferKind "stream buffer kind" {
        /// Bytes.
        STREAM_BUFFER = 0 "stream buffer",
        /// Messages, each with its length in front.
        MESSAGE_BUFFER = 1 "message buffer",
        /// Bytes, handed on only when the trigger level is exceeded.
        BATCHING_BUFFER = 2 "stream batching buffer",
    }

    /// Effect of a notification on the task's present value (`eNotifyAction` of the kernel).
    NotifyAction "notify action" {
        /// Nothing: it wakes only.
        NONE = 0 "no action",
        /// Sets bits in it.
        SET_BITS = 1 "set bits",
        /// Adds one.
        INCREMENT = 2 "increment",
        /// Replaces it.
        OVERWRITE = 3 "overwrite",
        /// Replaces it unless an earlier notification is still pending.
        WRITE = 4 "write",
        /// Like write, but a notification was pending: the notification fails.
        WRITE_REFUSED = 5 "write refused",
    }

    /// Command to the kernel's timer task (`tmrCOMMAND_*` of the kernel).
    TimerCommand "timer command" {
        /// Start, sent by the kernel itself.
        START_DONT_TRACE = 0 "start untraced",
        /// Start.
        START = 1 "start",
        /// Restart.
        RESET = 2 "reset",
        /// Stop.
        STOP = 3 "stop",
        /// Take a new period, and start.
        CHANGE_PERIOD = 4 "change period",
        /// Delete the timer.
        DELETE = 5 "delete",
        /// Start, sent by an interrupt.
        START_FROM_ISR = 6 "start from isr",
        /// Restart, sent by an interrupt.
        RESET_FROM_ISR = 7 "reset from isr",
        /// Stop, sent by an interrupt.
        STOP_FROM_ISR = 8 "stop from isr",
        /// Take a new period, and start; sent by an interrupt.
        CHANGE_PERIOD_FROM_ISR = 9 "change period from isr",
    }

    /// The object that the kernel could not create.
    Created "kernel object" {
        /// A queue or semaphore.
        QUEUE = 0 "queue",
        /// A counting semaphore; the failure of its queue is reported before it.
        COUNTING_SEMAPHORE = 1 "counting semaphore",
        /// A mutex; the failure of its queue is reported before it.
        MUTEX = 2 "mutex",
        /// A task.
        TASK = 3 "task",
        /// An event group.
        EVENT_GROUP = 4 "event group",
        /// A stream, batching or message buffer.
        STREAM_BUFFER = 5 "stream buffer",
        /// A software timer.
        TIMER = 6 "timer",
    }

    /// The reason why a run of the firmware has ended, or is about to end.
    CrashKind "crash kind" {
        /// An exception of the core: HardFault and its relatives, a trap.
        EXCEPTION = 0 "exception",
        /// An assertion does not hold.
        ASSERT = 1 "failed assertion",
        /// A task has used more stack than it has.
        STACK_OVERFLOW = 2 "stack overflow",
        /// The heap has no memory left.
        MALLOC_FAILED = 3 "malloc failed",
        /// A watchdog warns that it will reset the target.
        WATCHDOG = 4 "watchdog",
        /// A condition that the firmware itself treats as fatal.
        OTHER = 5 "fatal error",
        /// Code in Rust has panicked.
        PANIC = 6 "panic",
    }

    /// The detail of a crash that an event `fault` contains.
    FaultFact "fault fact" {
        /// Register r0 of an ARM core.
        R0 = 0 "r0",
        /// Register r1 of an ARM core.
        R1 = 1 "r1",
        /// Register r2 of an ARM core.
        R2 = 2 "r2",
        /// Register r3 of an ARM core.
        R3 = 3 "r3",
        /// Register r4 of an ARM core.
        R4 = 4 "r4",
        /// Register r5 of an ARM core.
        R5 = 5 "r5",
        /// Register r6 of an ARM core.
        R6 = 6 "r6",
        /// Register r7 of an ARM core.
        R7 = 7 "r7",
        /// Register r8 of an ARM core.
        R8 = 8 "r8",
        /// Register r9 of an ARM core.
        R9 = 9 "r9",
        /// Register r10 of an ARM core.
        R10 = 10 "r10",
        /// Register r11 of an ARM core.
        R11 = 11 "r11",
        /// Register r12 of an ARM core.
        R12 = 12 "r12",
        /// Stack pointer, also of RISC-V, before the exception pushed anything onto the stack.
        SP = 13 "sp",
        /// Link register: where the function returns to, unless it has used the register since.
        LR = 14 "lr",
        /// Address of the instruction, also of RISC-V; of a failed assertion and the like that of the one after the call.
        PC = 15 "pc",
        /// Program status register; if bit 24 is clear, the called address does not contain Thumb code.
        XPSR = 16 "xpsr",
        /// Value for the return from the exception: bit 2 is set if the process stack was in use.
        EXC_RETURN = 17 "exc_return",
        /// Configurable fault status register: usage, bus and memory management faults.
        CFSR = 18 "cfsr",
        /// Hard fault status register.
        HFSR = 19 "hfsr",
        /// Debug fault status register.
        DFSR = 20 "dfsr",
        /// Address of a memory management fault, if bit 7 of cfsr is set.
        MMFAR = 21 "mmfar",
        /// Address of a bus fault, if bit 15 of cfsr is set.
        BFAR = 22 "bfar",
        /// Number of the exception, as in the vector table: 2 NMI, 3 HardFault, 4 MemManage, 5 BusFault, 6 UsageFault, 16
        /// and up interrupts; 0 in a task.
        EXCEPTION = 23 "exception",
        /// Number of the task that runs.
        TASK = 32 "task",
        /// Lowest address of the task's stack.
        STACK_BEGIN = 33 "stack_begin",
        /// Address of the first byte after the task's stack, assuming an even number of words.
        STACK_END = 34 "stack_end",
        /// Line of a failed assertion in its file.
        LINE = 35 "line",
        /// Words from the stack pointer on that have checksums, in eight blocks of the same size, the last one shorter.
        STACK_WORDS = 39 "stack_words",
        /// Checksum of the first block of the stack: `(sum ^ word) * 16777619`, from 2166136261 on.
        STACK_SUM0 = 40 "stack_sum0",
        /// Checksum of the second block of the stack.
        STACK_SUM1 = 41 "stack_sum1",
        /// Checksum of the third block of the stack.
        STACK_SUM2 = 42 "stack_sum2",
        /// Checksum of the fourth block of the stack.
        STACK_SUM3 = 43 "stack_sum3",
        /// Checksum of the fifth block of the stack.
        STACK_SUM4 = 44 "stack_sum4",
        /// Checksum of the sixth block of the stack.
        STACK_SUM5 = 45 "stack_sum5",
        /// Checksum of the seventh block of the stack.
        STACK_SUM6 = 46 "stack_sum6",
        /// Checksum of the eighth block of the stack.
        STACK_SUM7 = 47 "stack_sum7",
        /// First four bytes of the build id that the linker gave the program, as a little-endian word.
        BUILD_FIRST = 48 "build_first",
        /// The next four bytes of the build id.
        BUILD_SECOND = 49 "build_second",
        /// Start of the 1024 bytes of the program's code that the checksum covers, used if the program has no build id.
        CODE_AT = 50 "code_at",
        /// Checksum of these bytes, computed like that of the stack.
        CODE_SUM = 51 "code_sum",
        /// Register x1 of a RISC-V core, ra.
        X1 = 65 "ra",
        /// Register x3 of a RISC-V core, gp.
        X3 = 67 "gp",
        /// Register x4 of a RISC-V core, tp.
        X4 = 68 "tp",
        /// Register x5 of a RISC-V core, t0.
        X5 = 69 "t0",
        /// Register x6 of a RISC-V core, t1.
        X6 = 70 "t1",
        /// Register x7 of a RISC-V core, t2.
        X7 = 71 "t2",
        /// Register x8 of a RISC-V core, s0.
        X8 = 72 "s0",
        /// Register x9 of a RISC-V core, s1.
        X9 = 73 "s1",
        /// Register x10 of a RISC-V core, a0.
        X10 = 74 "a0",
        /// Register x11 of a RISC-V core, a1.
        X11 = 75 "a1",
        /// Register x12 of a RISC-V core, a2.
        X12 = 76 "a2",
        /// Register x13 of a RISC-V core, a3.
        X13 = 77 "a3",
        /// Register x14 of a RISC-V core, a4.
        X14 = 78 "a4",
        /// Register x15 of a RISC-V core, a5.
        X15 = 79 "a5",
        /// Register x16 of a RISC-V core, a6.
        X16 = 80 "a6",
        /// Register x17 of a RISC-V core, a7.
        X17 = 81 "a7",
        /// Register x18 of a RISC-V core, s2.
        X18 = 82 "s2",
        /// Register x19 of a RISC-V core, s3.
        X19 = 83 "s3",
        /// Register x20 of a RISC-V core, s4.
        X20 = 84 "s4",
        /// Register x21 of a RISC-V core, s5.
        X21 = 85 "s5",
        /// Register x22 of a RISC-V core, s6.
        X22 = 86 "s6",
        /// Register x23 of a RISC-V core, s7.
        X23 = 87 "s7",
        /// Register x24 of a RISC-V core, s8.
        X24 = 88 "s8",
        /// Register x25 of a RISC-V core, s9.
        X25 = 89 "s9",
        /// Register x26 of a RISC-V core, s10.
        X26 = 90 "s10",
        /// Register x27 of a RISC-V core, s11.
        X27 = 91 "s11",
        /// Register x28 of a RISC-V core, t3.
        X28 = 92 "t3",
        /// Register x29 of a RISC-V core, t4.
        X29 = 93 "t4",
        /// Register x30 of a RISC-V core, t5.
        X30 = 94 "t5",
        /// Register x31 of a RISC-V core, t6.
        X31 = 95 "t6",
        /// Why it has trapped.
        MCAUSE = 97 "mcause",
        /// Address or instruction that belongs to the cause; 0 if there is none.
        MTVAL = 98 "mtval",
        /// Machine status register in the trap.
        MSTATUS = 99 "mstatus",
    }
}
