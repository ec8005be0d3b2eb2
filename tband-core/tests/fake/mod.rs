//! A port in memory, and a decoder for what the recorder hands it.

#![allow(dead_code, reason = "each test file uses its own part")]

pub mod declarations;
pub mod packets;

use std::cell::{Cell, RefCell};

use packets::{PacketMemory, TEXT_LEN};
use tband_core::emit::frame_buf_size;
use tband_core::port::SystemInfo;
use tband_core::ring::{PacketSetup, Reader};
use tband_core::{CoreState, Port, Recorder};
use tband_format::declaration::Declaration;
use tband_format::{Event, decode_frame};

/// Memory and transport for a recorder; `Cell`s because each test runs in one thread. `SET` is the set of events outside
/// of the base, from [`declarations`]. `ONE`: the recorder knows that there is one core, as firmware's does.
pub struct FakePort<const SET: usize = { declarations::NONE }, const ONE: bool = false> {
    pub cores: Vec<CoreState>,
    pub max_str_len: u32,
    pub drop_cnt_every: u32,
    pub info: SystemInfo<'static>,
    metadata: Vec<Buffer>,
    snapshots: Vec<Buffer>,
    frames: Vec<Buffer>,
    /// Everything that was sent, and whether each call was metadata (external backend).
    pub sent: RefCell<Vec<u8>>,
    pub calls: RefCell<Vec<(usize, bool)>>,
    /// The transport refuses while this is set.
    pub refuse: Cell<bool>,
    /// After this number of taken parts the port refuses, in this and all later calls.
    pub refuse_after: Cell<Option<u32>>,
    pub refused_calls: Cell<u32>,
    pub full_callbacks: Cell<u32>,
    pub locked: Cell<bool>,
    /// As `Port::frequency`.
    pub frequency: Cell<u64>,
    rings: Option<PacketMemory>,
    /// Packets: the time now, and how many of them were closed.
    pub now: Cell<u64>,
    pub closed: Cell<u32>,
    /// The buffers of frames and snapshots are at address 0, where a test has put memory.
    pub at_zero: Cell<bool>,
}

/// Memory that the recorder may write to, with more after it that it may not.
struct Buffer {
    bytes: RefCell<Vec<u8>>,
    size: usize,
}

/// No frame ends with it.
const GUARD: [u8; 64] = [0xA5; 64];

impl Buffer {
    fn new(size: usize) -> Self {
        let mut bytes = vec![0xEE; size];
        bytes.extend_from_slice(&GUARD);
        Self { bytes: RefCell::new(bytes), size }
    }

    fn start(&self) -> *mut u8 {
        self.bytes.borrow_mut().as_mut_ptr()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let guard = &self.bytes.get_mut()[self.size..];
        // A failing test has reported its reason already.
        assert!(std::thread::panicking() || guard == GUARD, "written after {} bytes", self.size);
    }
}

pub struct Sizes {
    pub cores: usize,
    pub metadata: usize,
    pub snapshot: usize,
    pub max_str_len: u32,
    pub drop_cnt_every: u32,
}

impl Default for Sizes {
    fn default() -> Self {
        Self { cores: 1, metadata: 256, snapshot: 4096, max_str_len: 20, drop_cnt_every: 0 }
    }
}

pub fn recorder(sizes: Sizes) -> Recorder<FakePort> {
    declaring(sizes)
}

/// A recorder that has events outside of the base to describe.
pub fn declaring<const SET: usize>(sizes: Sizes) -> Recorder<FakePort<SET>> {
    Recorder::new(port(sizes, None))
}

/// A recorder of packets; its memory, not a test's buffers, has the metadata.
pub fn with_packets<const SET: usize, const ONE: bool>(
    memory: PacketMemory,
) -> Recorder<FakePort<SET, ONE>> {
    let cores = memory.setup.core_count as usize;
    let sizes = Sizes { cores, metadata: 0, snapshot: 0, max_str_len: TEXT_LEN, drop_cnt_every: 0 };
    Recorder::new(port(sizes, Some(memory)))
}

fn port<const SET: usize, const ONE: bool>(
    sizes: Sizes,
    rings: Option<PacketMemory>,
) -> FakePort<SET, ONE> {
    let buffers = |size: usize| (0..sizes.cores).map(|_| Buffer::new(size)).collect();
    FakePort {
        cores: (0..sizes.cores).map(|_| CoreState::new()).collect(),
        max_str_len: sizes.max_str_len,
        drop_cnt_every: sizes.drop_cnt_every,
        info: SystemInfo { trace_info: &[], build_id: std::ptr::null(), program: std::ptr::null() },
        metadata: buffers(sizes.metadata),
        snapshots: buffers(sizes.snapshot),
        frames: buffers(frame_buf_size(sizes.max_str_len)),
        sent: RefCell::default(),
        calls: RefCell::default(),
        refuse: Cell::new(false),
        refuse_after: Cell::new(None),
        refused_calls: Cell::new(0),
        full_callbacks: Cell::new(0),
        locked: Cell::new(false),
        frequency: Cell::new(0),
        rings,
        now: Cell::new(0),
        closed: Cell::new(0),
        at_zero: Cell::new(false),
    }
}

impl<const SET: usize, const ONE: bool> FakePort<SET, ONE> {
    /// Of a recorder of packets.
    pub fn rings(&self) -> &PacketMemory {
        self.rings.as_ref().expect("a recorder of packets")
    }

    pub fn setup(&self) -> &PacketSetup {
        &self.rings().setup
    }

    /// As above, to change it before the start.
    pub fn setup_mut(&mut self) -> &mut PacketSetup {
        &mut self.rings.as_mut().expect("a recorder of packets").setup
    }

    fn placed(&self, buffer: &Buffer) -> *mut u8 {
        if self.at_zero.get() { std::ptr::null_mut() } else { buffer.start() }
    }

    fn take(&self, data: *const u8, len: usize, is_metadata: bool) -> bool {
        let left = self.refuse_after.get();
        if self.refuse.get() || left == Some(0) {
            self.refused_calls.set(self.refused_calls.get() + 1);
            return true;
        }
        self.refuse_after.set(left.map(|left| left - 1));
        self.sent.borrow_mut().extend((0..len).map(|at| read(data, at)));
        self.calls.borrow_mut().push((len, is_metadata));
        false
    }
}

impl<const SET: usize, const ONE: bool> Drop for FakePort<SET, ONE> {
    fn drop(&mut self) {
        // As above.
        if !std::thread::panicking() {
            self.rings.iter().for_each(PacketMemory::check_guards);
            assert!(!self.locked.get(), "the lock is still held");
        }
    }
}

// SAFETY: the vectors are as long as the sizes say, never move while the port lives, and only the
// recorder uses them; the same applies to the memory of packets.
unsafe impl<const SET: usize, const ONE: bool> Port for FakePort<SET, ONE> {
    const IS_ONE_CORE: bool = ONE;
    const DECLARATIONS: &'static [Declaration] = declarations::SETS[SET];

    fn core_count(&self) -> u32 {
        self.cores.len() as u32
    }
    fn core(&self, index: u32) -> &CoreState {
        &self.cores[index as usize]
    }
    fn max_str_len(&self) -> u32 {
        self.max_str_len
    }
    fn max_frame_len(&self) -> u32 {
        frame_buf_size(self.max_str_len) as u32
    }
    fn drop_cnt_every(&self) -> u32 {
        self.drop_cnt_every
    }
    fn metadata_buf(&self, index: u32) -> *mut u8 {
        match &self.rings {
            Some(rings) => rings.tables.wrapping_add(rings.table * index as usize),
            None => self.metadata[index as usize].start(),
        }
    }
    fn metadata_buf_size(&self) -> u32 {
        self.rings.as_ref().map_or(self.metadata[0].size, |rings| rings.table) as u32
    }
    fn snapshot_buf(&self, index: u32) -> *mut u8 {
        self.placed(&self.snapshots[index as usize])
    }
    fn snapshot_buf_size(&self) -> u32 {
        self.snapshots[0].size as u32
    }
    fn frame_buf(&self, index: u32) -> *mut u8 {
        self.placed(&self.frames[index as usize])
    }
    fn packets(&self) -> Option<&PacketSetup> {
        self.rings.as_ref().map(|rings| &rings.setup)
    }
    fn reader<'a>(&self, _: &'a PacketSetup) -> &'a Reader {
        // SAFETY: it stays to the end.
        unsafe { &*self.rings().reader }
    }
    fn timestamp(&self) -> u64 {
        self.now.get()
    }
    fn packet_closed(&self) {
        self.closed.set(self.closed.get() + 1);
    }
    fn ts_resolution_ns(&self) -> u32 {
        40
    }

    fn frequency(&self) -> u64 {
        self.frequency.get()
    }
    fn system_info(&self) -> SystemInfo<'_> {
        self.info
    }
    fn stream(&self, data: *const u8, len: usize) -> bool {
        self.take(data, len, false)
    }
    fn submit(&self, data: *const u8, len: usize, is_metadata: bool) -> bool {
        self.take(data, len, is_metadata)
    }
    fn lock(&self) {
        assert!(!self.locked.replace(true), "the lock is taken twice");
    }
    fn unlock(&self) {
        assert!(self.locked.replace(false), "the lock is released without being held");
    }
    fn snapshot_full(&self) {
        self.full_callbacks.set(self.full_callbacks.get() + 1);
    }
}

/// A byte of the recorder's, also of a slice that could not be one since it is at address 0.
pub fn read(start: *const u8, at: usize) -> u8 {
    // SAFETY: the recorder vouches for what it hands out.
    unsafe { start.wrapping_add(at).read_volatile() }
}

/// Returns every frame of `bytes` as text: event, timestamp and fields. Panics if a frame cannot be decoded.
pub fn decode(bytes: &[u8]) -> Vec<String> {
    assert!(bytes.is_empty() || bytes.ends_with(&[0]), "the bytes end inside a frame");
    let mut events = Vec::new();
    for frame in bytes.split(|&b| b == 0).filter(|frame| !frame.is_empty()) {
        let mut scratch = vec![0; frame.len()];
        let decoded = decode_frame(frame, &mut scratch).expect("the recorder makes whole events");
        events.push(text(decoded.ts, &decoded.event));
    }
    events
}

/// Returns one event as `name@ts field field`.
pub fn text(ts: Option<u64>, event: &Event<'_>) -> String {
    let mut text = event.name().to_owned();
    if let Some(ts) = ts {
        text += &format!("@{ts}");
    }
    event.for_each_field(|_, value| {
        text += &match value {
            tband_format::field::Value::Unsigned(n) => format!(" {n}"),
            tband_format::field::Value::Named(n, _) => format!(" {n}"),
            tband_format::field::Value::Signed(n) => format!(" {n}"),
            tband_format::field::Value::Str(s) => format!(" {s:?}"),
        };
    });
    text
}

/// The bytes that a getter of the recorder points to.
pub fn bytes((start, len): (*const u8, usize)) -> Vec<u8> {
    (0..len).map(|at| read(start, at)).collect()
}

/// A metadata event with one number and a text, given with its NUL.
pub fn named<'a>(
    id: u8,
    number: &'a [u32; 1],
    text: &'a std::ffi::CStr,
) -> tband_core::metadata::Metadata<'a> {
    tband_core::metadata::Metadata::new(id, number, text.as_ptr().cast())
}
