/* The shim connects the user's port macros to the library.
 *
 * Compiled in the user's project, once. It expands the port's critical section, timestamp and core id around the
 * library's calls, allocates all memory with the sizes of tband_config.h, and describes both to the library in a
 * constant, for example tband_shim_for_library_abi_3_armv7em. The linker reports this name as undefined if this file is
 * not linked, is of another version or is for another CPU. All other code is in the library. */
#include "tband_config_defaults.h"
#include "tband_architecture.h"

#if defined(TBAND_ARCHITECTURE_IS_UNKNOWN) && (tband_configENABLE != 0)
#error "tband: this compiler does not define for which CPU it compiles. Compile tband_shim.c with the name that your library has, see tband-ffi/architecture.rs:"
#error "    -DTBAND_ARCHITECTURE=armv7a"
#include TBAND_STOP
#endif

/* For headers that are parts of this file. */
#define TBAND_SHIM 1

#if tband_configENABLE != 0

#ifdef TBAND_IS_C90
#error "tband: tband's C files need C99, and the compiler is set to C90. Compile port/tband_shim.c with -std=gnu99 or newer."
#include TBAND_STOP
#endif

#if defined(TBAND_FREERTOS_UNDECIDED) && defined(TBAND_CAN_LOOK_FOR_FILES)
#if __has_include("FreeRTOS.h") && __has_include("FreeRTOSConfig.h")
#error "tband: FreeRTOS is on the include path, and tband_config.h does not say whether to record it. Add there:"
#error "    #define tband_configFREERTOS_TRACE_ENABLE 1   /* 0: only what your own code records */"
#include TBAND_STOP
#endif
#endif

#if tband_configFREERTOS_TRACE_ENABLE != 0
#if defined(TBAND_CAN_LOOK_FOR_FILES)
#if !__has_include("FreeRTOS.h")
#error "tband: tband_configFREERTOS_TRACE_ENABLE is 1, but FreeRTOS.h is not on the include path of tband. In CMake name the target that compiles the kernel, before tband: set(TBAND_FREERTOS_TARGET my_kernel). Without FreeRTOS set it to 0."
#include TBAND_STOP
#endif
#endif
/* The kernel's functions themselves, for the port too: their wrappers do not work in interrupts. Before tband.h, so
 * that the hooks see the kernel's configuration here as they do in the kernel, see tband_hooks_agreement.h. */
#define MPU_WRAPPERS_INCLUDED_FROM_API_FILE
#include "FreeRTOS.h"
#include "task.h"
#undef MPU_WRAPPERS_INCLUDED_FROM_API_FILE
#endif

#include "tband.h"

#if defined(TBAND_CAN_LOOK_FOR_FILES)
#if __has_include("tband_port.h")
#include "tband_port.h"
#else
#define TBAND_PORT_MISSING 1
#endif
#else
#include "tband_port.h"
#endif

#include "recorder/tband_unprivileged.h"

#include "recorder/tband_port_check.h"

#ifndef tband_portNUMBER_OF_CORES
#define tband_portNUMBER_OF_CORES 1
#endif
#ifndef tband_portGET_CORE_ID
#define tband_portGET_CORE_ID() 0
#endif

/* ---- The timer's frequency -------------------------------------------------------------------- */

/* Read when it is needed: some ports set up their clock at run time. So the only divisions of more than 32 bits here
 * are of constants. */
#if defined(tband_portTIMESTAMP_FREQUENCY_HZ)
#define TBAND_FREQUENCY_HZ() ((uint32_t)(tband_portTIMESTAMP_FREQUENCY_HZ))
#if defined(__GNUC__)
#define TBAND_CONSTANT_HZ                                                    \
  __builtin_choose_expr(__builtin_constant_p(tband_portTIMESTAMP_FREQUENCY_HZ), \
                        (tband_portTIMESTAMP_FREQUENCY_HZ), 1)
TBAND_STATIC_ASSERT((TBAND_CONSTANT_HZ) >= 1 && (TBAND_CONSTANT_HZ) <= 0xFFFFFFFFULL,
                    "tband: tband_portTIMESTAMP_FREQUENCY_HZ must be 1 to 4294967295; count a slower "
                    "timer, or shift the timestamp");
#endif
#if !defined(tband_portTIMESTAMP_FREQUENCY_DIVISOR)
#define tband_portTIMESTAMP_FREQUENCY_DIVISOR 1
/* To the nearest, at least 1. The sum is below 2^32. */
static inline uint32_t tband_resolution_ns(uint32_t hz) {
  const uint32_t ns = (hz == 0U) ? 0U : (1000000000U + (hz / 2U)) / hz;
  return (ns == 0U) ? 1U : ns;
}
#define TBAND_RESOLUTION_NS() tband_resolution_ns(TBAND_FREQUENCY_HZ())
#elif !defined(tband_portTIMESTAMP_RESOLUTION_NS)
#define TBAND_TICK_NS                                                               \
  (((1000000000ULL * (tband_portTIMESTAMP_FREQUENCY_DIVISOR)) +                     \
    ((tband_portTIMESTAMP_FREQUENCY_HZ) / 2U)) / (tband_portTIMESTAMP_FREQUENCY_HZ))
TBAND_STATIC_ASSERT(TBAND_TICK_NS <= 0xFFFFFFFFU,
                    "tband: a fraction of Hz must be of constants, of at least 1/4 Hz; else define "
                    "tband_portTIMESTAMP_RESOLUTION_NS, rounded to the nearest, as well");
#define TBAND_RESOLUTION_NS() ((uint32_t)((TBAND_TICK_NS == 0U) ? 1U : TBAND_TICK_NS))
#endif
#define TBAND_FREQUENCY_DIVISOR() ((uint32_t)(tband_portTIMESTAMP_FREQUENCY_DIVISOR))
#else
/* The assumed value, as far as the port knows. */
#define TBAND_FREQUENCY_HZ() 1000000000U
#define TBAND_FREQUENCY_DIVISOR() TBAND_RESOLUTION_NS()
#endif
#if defined(tband_portTIMESTAMP_RESOLUTION_NS)
#undef TBAND_RESOLUTION_NS
#define TBAND_RESOLUTION_NS() ((uint32_t)(tband_portTIMESTAMP_RESOLUTION_NS))
#endif

/* Recordings start with it, if the port knows it and they are to say more than Tonbandgeraet's do. */
#if defined(tband_portTIMESTAMP_FREQUENCY_HZ) && tband_configTRACE_INFO_ENABLE
#define TBAND_STARTS_WITH_FREQUENCY 1
#else
#define TBAND_STARTS_WITH_FREQUENCY 0
#endif

/* Lets a debugger find the frequency for a recording that begins long after the start: a constant, or the value that
 * the last start and tband_timestamp_frequency_changed() have written. */
#if TBAND_USES_PACKETS && TBAND_STARTS_WITH_FREQUENCY && defined(__ELF__) && defined(__GNUC__)
#define TBAND_FREQUENCY_IS_CONSTANT                          \
  (__builtin_constant_p(tband_portTIMESTAMP_FREQUENCY_HZ) && \
   __builtin_constant_p(tband_portTIMESTAMP_FREQUENCY_DIVISOR))
#define TBAND_IF_CONSTANT(then, otherwise) __builtin_choose_expr(TBAND_FREQUENCY_IS_CONSTANT, (then), (otherwise))
__attribute__((unused)) static const uint32_t tband_constant_frequency[2] = {
    TBAND_IF_CONSTANT(tband_portTIMESTAMP_FREQUENCY_HZ, 0U),
    TBAND_IF_CONSTANT(tband_portTIMESTAMP_FREQUENCY_DIVISOR, 0U)};
__attribute__((unused)) static uint32_t tband_frequency_now[2];
#define TBAND_FREQUENCY_FOR_DEBUGGERS \
  TBAND_IF_CONSTANT(&tband_constant_frequency[0], (const uint32_t *)&tband_frequency_now[0])
#define TBAND_STORE_FREQUENCY()                                \
  do {                                                         \
    if (!TBAND_FREQUENCY_IS_CONSTANT && TBAND_MAY_READ()) {    \
      tband_frequency_now[0] = TBAND_FREQUENCY_HZ();           \
      tband_frequency_now[1] = TBAND_FREQUENCY_DIVISOR();      \
    }                                                          \
  } while (0)
#else
#define TBAND_FREQUENCY_FOR_DEBUGGERS NULL
#define TBAND_STORE_FREQUENCY() ((void)0)
#endif

/* Numbers of 32 and of 64 bits are written alike. */
#define TBAND_RECORD_FREQUENCY()                                                 \
  do {                                                                           \
    TBAND_STORE_FREQUENCY();                                                     \
    tband_record_u32_u32(TBAND_EVT_U64_U64_TS_FREQUENCY, TBAND_FREQUENCY_HZ(), \
                         TBAND_FREQUENCY_DIVISOR());                             \
  } while (0)

#ifdef tband_portTIMESTAMP_START
#define TBAND_STARTS_TIMER 1
#else
#define TBAND_STARTS_TIMER 0
#define tband_portTIMESTAMP_START() ((void)0)
#endif

/* ---- Core id ---------------------------------------------------------------------------------- */

/* tband_portGET_CORE_ID may be a function-like macro or a plain value. Pasting distinguishes them: the
 * bare name of a function-like macro stays as it is. A value in parentheses cannot be pasted, so it is
 * recognised first. */
#define TBAND_SECOND(first, second, ...) second
#define TBAND_IS_PROBE(...) TBAND_SECOND(__VA_ARGS__, 0, 0)
#define TBAND_CAT(a, b) TBAND_CAT_(a, b)
#define TBAND_CAT_(a, b) a##b
#define TBAND_PAREN_PROBE(...) 0, 1, /* the comma cuts off what follows, as in (uint32_t)x */
#define TBAND_IS_PAREN(x) TBAND_IS_PROBE(TBAND_PAREN_PROBE x)
#define TBAND_NAME_PROBE_tband_portGET_CORE_ID 0, 1
#define TBAND_IS_CALL(x) TBAND_CAT(TBAND_IS_CALL_, TBAND_IS_PAREN(x))(x)
#define TBAND_IS_CALL_1(x) 0
#define TBAND_IS_CALL_0(x) TBAND_IS_PROBE(TBAND_CAT(TBAND_NAME_PROBE_, x))
#define TBAND_GET_CORE_ID_0() (tband_portGET_CORE_ID)
#define TBAND_GET_CORE_ID_1() (tband_portGET_CORE_ID())
#define TBAND_GET_CORE_ID() TBAND_CAT(TBAND_GET_CORE_ID_, TBAND_IS_CALL(tband_portGET_CORE_ID))()

#define TBAND_CORES ((uint32_t)(tband_portNUMBER_OF_CORES))

/* For cases that the preprocessor cannot check: see tband_port_check.h. */
#if tband_configFREERTOS_TRACE_ENABLE && defined(configNUMBER_OF_CORES)
TBAND_STATIC_ASSERT(TBAND_CORES >= (uint32_t)(configNUMBER_OF_CORES),
                    "tband: the kernel runs on more cores than the port records; define "
                    "tband_portNUMBER_OF_CORES and tband_portGET_CORE_ID() in tband_port.h");
#endif
TBAND_STATIC_ASSERT((TBAND_CORES >= 1U) && (TBAND_CORES <= 255U),
                    "tband: tband_portNUMBER_OF_CORES must be 1 to 255");

/* Index of the core this runs on. A port that answers out of range must not corrupt memory; its
 * events go to core 0. Constant with one core. */
static inline uint32_t tband_core_index(void) {
  if (TBAND_CORES == 1U) {
    return 0;
  }
  const uint32_t core_id = (uint32_t)TBAND_GET_CORE_ID();
  return (core_id < TBAND_CORES) ? core_id : 0U;
}

/* ---- Memory ----------------------------------------------------------------------------------- */

/* Longest frame for strings of `n` bytes; tband_core::emit::frame_buf_size has the same formula. Metadata is kept in
 * frames in both formats. */
#define TBAND_FRAME_BUF_SIZE(n) ((n) + ((n) / 128) + 19 > 38 ? (n) + ((n) / 128) + 19 : 38)

static tband_core_state tband_cores[TBAND_CORES];

/* Tonbandgeraet sends the periodic count of dropped events after one event more, and counts events that are
 * not recorded, too. */
#if tband_configTRACE_INFO_ENABLE
#define TBAND_DROP_CNT_EVERY (tband_configTRACE_DROP_CNT_EVERY)
#else
#define TBAND_DROP_CNT_EVERY \
  ((tband_configTRACE_DROP_CNT_EVERY) + (((tband_configTRACE_DROP_CNT_EVERY) > 0) ? 1 : 0))
#endif
#if tband_configTRACE_INFO_ENABLE || TBAND_BACKEND_IS_ALWAYS_ON || \
    (tband_configTRACE_DROP_CNT_EVERY == 0)
#define TBAND_COUNTS_UNRECORDED 0
#else
#define TBAND_COUNTS_UNRECORDED 1
#endif

#if tband_configUSE_METADATA_BUF
TBAND_STATIC_ASSERT((tband_configMETADATA_BUF_SIZE) <= 65535,
                    "tband: tband_configMETADATA_BUF_SIZE must be at most 65535");
#if tband_configUSE_BACKEND_POST_MORTEM
/* One half for the current recording, and one for the recording from before a reset. */
static uint8_t tband_both_metadata_bufs[2][TBAND_CORES][tband_configMETADATA_BUF_SIZE]
    tband_configPACKET_BUF_ATTRIBUTE;
#define TBAND_METADATA_BUFS tband_both_metadata_bufs[0]
#define TBAND_METADATA_BUF(core) tband_both_metadata_bufs[tband_half()][core]
static uint32_t tband_half(void);
#else
static uint8_t tband_metadata_bufs[TBAND_CORES][tband_configMETADATA_BUF_SIZE];
#define TBAND_METADATA_BUFS tband_metadata_bufs
#define TBAND_METADATA_BUF(core) tband_metadata_bufs[core]
#endif
#endif
/* The way without a jump. */
#if defined(__GNUC__)
#define TBAND_USUALLY(condition) __builtin_expect((condition), 1)
#else
#define TBAND_USUALLY(condition) (condition)
#endif

/* An interrupt in a table of open ones. 0 means none, so one number cannot be an interrupt's: TBAND_MAIN_PROGRAM. It
 * differs from 0 by a small constant, so that the conversion takes one instruction on every core. */
#define TBAND_ISR_KEY(number) ((uint32_t)(number) - TBAND_MAIN_PROGRAM)
#define TBAND_ISR_OF_KEY(key) ((key) + TBAND_MAIN_PROGRAM)
#define TBAND_HAS_ISR_CLASS \
  (tband_configFREERTOS_TRACE_ENABLE && tband_configFREERTOS_ISR_TRACE_ENABLE)

/* True if events that a recording may contain are described in the metadata that it begins with. So no events count as
 * lost because of a description that does not fit the ring. The description is stored as soon as the feature is
 * selected, because a recording may start without a call. That of shed events is stored before a start. With frames
 * there is no such metadata if a recording continues in the same stream, and without a metadata buffer nothing is
 * stored: both describe the events after the start. */
#define TBAND_DESCRIBES_BEFORE_START (TBAND_USES_PACKETS && tband_configUSE_METADATA_BUF)

/* The count of lost events contains only the program's events. TBAND_AS_OWN writes an event of the recorder, in the
 * critical section, and does not count it if it does not fit; TBAND_IS_LOST_AS_OWN does the same for an event written
 * since `before`. One event counts once. If a full buffer ends the recording, nothing is counted. Tonbandgeraet counts
 * all events. */
#if (tband_configUSE_BACKEND_STREAMING || tband_configUSE_BACKEND_EXTERNAL) && tband_configTRACE_INFO_ENABLE
#define TBAND_COUNTS_LOST 1
/* CoreState::DROPPED in tband-core/src/state.rs. */
#define TBAND_LOST(core) ((core)->private_words[1])
static TBAND_NEVER_INLINE bool tband_is_lost_as_own(tband_core_state *core, uint32_t before) {
  const bool is_lost = TBAND_LOST(core) != before;
  if (is_lost) {
    TBAND_LOST(core) -= 1U;
  }
  return is_lost;
}
#define TBAND_IS_LOST_AS_OWN(core, before) tband_is_lost_as_own((core), (before))
#else
#define TBAND_COUNTS_LOST 0
#define TBAND_LOST(core) 0U
#define TBAND_IS_LOST_AS_OWN(core, before) ((void)(before), false)
#endif
#define TBAND_AS_OWN(write)                                   \
  do {                                                        \
    const uint32_t tband_lost = TBAND_LOST(tband_core);       \
    write;                                                    \
    (void)TBAND_IS_LOST_AS_OWN(tband_core, tband_lost);       \
  } while (0)

#if tband_configUSE_FILTERS || tband_configUSE_TRIGGERS
/* One bit for each of the recorder's events that was described. One description is enough if the metadata buffer keeps
 * it; without that buffer each recording needs one. If an interrupt sets another bit at the same time, an event may be
 * described twice. */
static volatile uint8_t tband_described;
#define TBAND_DESCRIBED_FILTER 1U
#define TBAND_DESCRIBED_TRIGGER 2U
#define TBAND_DESCRIBE_ONCE(which, describe)                  \
  do {                                                        \
    if ((tband_described & (which)) == 0U) {                  \
      tband_described = (uint8_t)(tband_described | (which)); \
      describe;                                               \
    }                                                         \
  } while (0)
#endif

#include "filters/tband_filter.h"

#if TBAND_USES_PACKETS
#include "recorder/tband_packets.h"
#else
#include "recorder/tband_backend.h"
#include "recorder/tband_frames.h"
#endif

/* Packets: true if the timer has to be read once per wrap, and nothing is known to do so. For a timer that is not
 * extended at all, reading it does not help either. */
#if TBAND_USES_PACKETS
#if defined(tband_portTIMESTAMP_IS_EXTENDED) && (tband_portTIMESTAMP_IS_EXTENDED != 0)
#define TBAND_TIMER_TURNS (!(tband_configTIME_IS_KEPT))
#if tband_configFREERTOS_TRACE_ENABLE && (tband_configTICK_KEEPS_TIME != 0)
#undef TBAND_TIMER_TURNS
#define TBAND_TIMER_TURNS 0
#endif
#else
#define TBAND_TIMER_TURNS 0
#endif
#define TBAND_TIME_IS_NOT_KEPT (TBAND_TIMER_TURNS || (sizeof(tband_portTIMESTAMP()) < sizeof(uint64_t)))
#else
#define TBAND_TIME_IS_NOT_KEPT 0
#endif

#include "recorder/tband_buffers.h"
#include "tband_layout.h"
#include "recorder/tband_classes.h"

#include "recorder/tband_identity.h"

/* The number is in tband-ffi/src/port.rs as well, and rises when one could not work with the other. */
#define TBAND_SETUP TBAND_CAT(tband_shim_for_library_abi_3_, TBAND_ARCHITECTURE)
extern const tband_setup TBAND_SETUP;
const tband_setup TBAND_SETUP = {
    .cores = tband_cores,
    .core_count = TBAND_CORES,
    .max_str_len = tband_configMAX_STR_LEN,
    .frame_buf_size = TBAND_FRAME_BUF_SIZE(tband_configMAX_STR_LEN),
    .drop_cnt_every = TBAND_DROP_CNT_EVERY,
#if tband_configUSE_METADATA_BUF
    .metadata_buf_size = tband_configMETADATA_BUF_SIZE,
    .metadata_bufs = &TBAND_METADATA_BUFS[0][0],
#endif
    TBAND_BACKEND_SETUP
#if tband_configTRACE_INFO_ENABLE
    .build_id = tband_configBUILD_ID,
    .trace_info =
        {
            TBAND_FORMAT_VERSION,
            TBAND_CORES,
            (tband_configFREERTOS_TRACE_ENABLE ? 1U : 0U) | (TBAND_TIME_IS_NOT_KEPT ? 2U : 0U) |
                TBAND_CLASSES | TBAND_BUFFERS,
#if tband_configFREERTOS_TRACE_ENABLE
            (tskKERNEL_VERSION_MAJOR * 10000) + (tskKERNEL_VERSION_MINOR * 100) +
                tskKERNEL_VERSION_BUILD,
            (uint32_t)(configTICK_RATE_HZ),
#endif
        },
    .trace_info_count = tband_configFREERTOS_TRACE_ENABLE ? 5 : 3,
#endif
    .frequency = TBAND_FREQUENCY_FOR_DEBUGGERS,
    .program = TBAND_PROGRAM,
};

/* The same by a name that is always the same, for debuggers: tband.gdb begins here. */
#if defined(__ELF__) && defined(__GNUC__)
#define TBAND_TEXT(name) TBAND_TEXT_(name)
#define TBAND_TEXT_(name) #name
extern const tband_setup tband_debugger_setup
    __attribute__((alias(TBAND_TEXT(TBAND_SETUP)), used));
#if TBAND_USES_PACKETS
extern const tband_packet_setup tband_debugger_packets __attribute__((alias("tband_shim_packets"), used));
#else
extern const tband_setup tband_debugger_packets __attribute__((alias(TBAND_TEXT(TBAND_SETUP)), used));
#endif
#endif

/* For linkers that do not search a library for used symbols first: the library's functions for packets reference this
 * symbol. */
#if !TBAND_USES_PACKETS
#if defined(__ELF__) && defined(__GNUC__)
extern const tband_setup tband_shim_packets __attribute__((alias(TBAND_TEXT(TBAND_SETUP))));
#else
extern const uint32_t tband_shim_packets;
const uint32_t tband_shim_packets = 0;
#endif
#endif

/* ---- Port functions that the library calls ---------------------------------------------------- */

uint32_t tband_lib_port_ts_resolution_ns(void) { return TBAND_RESOLUTION_NS(); }

/* Functions that the selected backend does not need are never called. */
#ifndef TBAND_HAS_PORT_STREAM
bool tband_lib_port_stream(const uint8_t *data, size_t len) {
  (void)data;
  (void)len;
  return true;
}
#endif

#ifndef TBAND_HAS_PORT_SUBMIT
bool tband_lib_port_submit(const uint8_t *data, size_t len, bool is_metadata) {
  (void)data;
  (void)len;
  (void)is_metadata;
  return true;
}
#endif

#ifndef TBAND_HAS_PORT_SNAPSHOT_FULL
void tband_lib_port_snapshot_full(void) { TBAND_FILTER_RESTS(); }
#endif

/* Returns the frequency that the library sends without a call: in each repetition of the packets' metadata, and at the
 * begin of a stream. */
uint64_t tband_lib_port_frequency(void) {
#if TBAND_STARTS_WITH_FREQUENCY && (TBAND_USES_PACKETS || tband_configUSE_BACKEND_STREAMING)
  return ((uint64_t)TBAND_FREQUENCY_DIVISOR() << 32) | TBAND_FREQUENCY_HZ();
#else
  return 0;
#endif
}

#if !TBAND_USES_PACKETS
uint64_t tband_lib_port_packet_timestamp(void) { return 0; }

void tband_lib_port_packet_closed(void) {}
#endif

/* With several cores the library's spin lock is used; without compare-and-swap a lock of the chip is
 * needed, for example the SIO of RP2040. */
#if defined(__ARM_ARCH) && (__ARM_ARCH < 6)
TBAND_STATIC_ASSERT(TBAND_CORES == 1U,
                    "tband: several cores before Armv6 are not supported: they have neither atomics nor barriers");
#define TBAND_LOCK() ((void)0)
#define TBAND_UNLOCK() ((void)0)
#elif defined(tband_portSPIN_LOCK)
#define TBAND_LOCK() tband_portSPIN_LOCK()
#define TBAND_UNLOCK() tband_portSPIN_UNLOCK()
#elif defined(__ARM_ARCH_6M__) || (defined(__riscv) && !defined(__riscv_atomic))
TBAND_STATIC_ASSERT(TBAND_CORES == 1U,
                    "tband: this chip has no compare-and-swap; for several cores define "
                    "tband_portSPIN_LOCK() and tband_portSPIN_UNLOCK() in tband_port.h");
#define TBAND_LOCK() ((void)0)
#define TBAND_UNLOCK() ((void)0)
#else
#define TBAND_LOCK() tband_lib_spin_lock()
#define TBAND_UNLOCK() tband_lib_spin_unlock()
#endif

void tband_lib_port_lock(void) {
  if (TBAND_CORES > 1U) {
    TBAND_LOCK();
  }
}

void tband_lib_port_unlock(void) {
  if (TBAND_CORES > 1U) {
    TBAND_UNLOCK();
  }
}

/* ---- Recording -------------------------------------------------------------------------------- */

/* The only place that defines the order: critical section; then the time, so that a core's timestamps never step back;
 * calls of the library, which may use `tband_now` and `tband_core`; exit. A block, so that ports whose critical section
 * declares variables work. */
#define TBAND_IN_CRITICAL_SECTION(is_metadata, call) \
  TBAND_IN_SECTION(tband_portENTER_CRITICAL_FROM_ANY(), tband_portEXIT_CRITICAL_FROM_ANY(), is_metadata, call)
#define TBAND_IN_SECTION(enter, leave, is_metadata, call)                  \
  do {                                                                     \
    if ((TBAND_CORES == 1U) && TBAND_HANDS_OUT(0U)) {                      \
      TBAND_REFUSE(tband_cores, is_metadata);                              \
      break;                                                               \
    }                                                                      \
    enter;                                                                 \
    const uint32_t tband_index = tband_core_index();                       \
    tband_core_state *const tband_core = &tband_cores[tband_index];        \
    if ((TBAND_CORES > 1U) && TBAND_HANDS_OUT(tband_index)) {              \
      TBAND_REFUSE(tband_core, is_metadata);                               \
      leave;                                                               \
      break;                                                               \
    }                                                                      \
    const bool tband_live = TBAND_ENTER(tband_core);                       \
    const tband_time tband_now = TBAND_TIME_OF(is_metadata);               \
    call;                                                                  \
    if (TBAND_CORES > 1U) {                                                \
      tband_lib_core_exit(tband_core);                                     \
    }                                                                      \
    (void)tband_live;                                                      \
    (void)tband_now;                                                       \
    leave;                                                                 \
  } while (0)

/* As above, inside a critical section that the caller has entered: no code that records may interrupt it. This is
 * checked if the port can tell whether interrupts are masked, and if there is an assertion to report a violation. */
#if tband_configCHECK_KERNEL_CRITICAL_SECTIONS && defined(tband_portIS_MASKED) && defined(configASSERT)
#define TBAND_DEMAND_MASKED() configASSERT(tband_portIS_MASKED())
#else
#define TBAND_DEMAND_MASKED() ((void)0)
#endif
#define TBAND_IN_SECTION_UNDER_WAY(call) TBAND_IN_SECTION(TBAND_DEMAND_MASKED(), ((void)0), false, call)

/* Why it checks whether frames are being handed out: with one core, code that runs at that time is the function that
 * takes them, inside the critical section, which may not nest. With several cores the number of this core is certain
 * only inside a critical section.
 *
 * Why it checks a second time whether recording is on: another core may have stopped it since, and even emptied the
 * buffers, or have started it, and this core may see the flag before it sees the buffers. So a core announces that it
 * is about to record, and checks the flag a second time; the core that stops waits for it. With one core the critical
 * section is enough. */
#if defined(TBAND_STARTS_AT_FIRST_EVENT)
#define TBAND_ENTER(core) TBAND_STARTS_AT_FIRST_EVENT()
#elif TBAND_BACKEND_IS_ALWAYS_ON
#define TBAND_ENTER(core) ((TBAND_CORES == 1U) || (tband_lib_core_enter(core), true))
#else
#define TBAND_ENTER(core) ((TBAND_CORES == 1U) || tband_lib_core_enter(core))
#endif

/* As above, for timed events. */
#define TBAND_IN_RECORDING(call)     \
  TBAND_IN_CRITICAL_SECTION(false, { \
    if (tband_live) {                \
      call;                          \
    } else {                         \
      TBAND_FILTER_RESTS();          \
    }                                \
  })
#define TBAND_IN_RECORDING_MASKED(call) \
  TBAND_IN_SECTION_UNDER_WAY({          \
    if (tband_live) {                   \
      call;                             \
    } else {                            \
      TBAND_FILTER_RESTS();             \
    }                                   \
  })

/* As above, if the caller has not tested whether recording is on. */
#define TBAND_IF_RECORDING(call) TBAND_IF_RECORDING_IN(TBAND_IN_RECORDING, call)
#define TBAND_IF_RECORDING_IN(section, call)                             \
  do {                                                                   \
    if (TBAND_IS_REFUSED(false)) {                                       \
      break;                                                             \
    }                                                                    \
    if (tband_is_recording()) {                                          \
      section(call);                                                     \
    } else if (TBAND_COUNTS_UNRECORDED) {                                \
      TBAND_PASS();                                                      \
    }                                                                    \
  } while (0)

/* Defines the function of a hook, which records an event that a filter may leave out: `call` runs in the section.
 * TBAND_ENTRY: if the filter has to be evaluated, a second function runs `ask`. So the fast path costs only one table
 * lookup more than without filters, whatever the compiler does. TBAND_ENTRY_IN_ONE: a single function, for small
 * code. */
#if !tband_configUSE_FILTERS
#define TBAND_ENTRY_IN_ONE(storage, name, parameters, section, id, number, call) \
  storage void name parameters { TBAND_IF_RECORDING_IN(section, call); }
#define TBAND_ENTRY(storage, name, parameters, arguments, section, id, number, call, ask) \
  TBAND_ENTRY_IN_ONE(storage, name, parameters, section, id, number, call)
#else
#define TBAND_ENTRY_IN_ONE(storage, name, parameters, section, id, number, call)                            \
  storage void name parameters {                                                                            \
    if (!TBAND_IS_REFUSED(false) && (TBAND_FILTER_FOLLOWS_FLAG || tband_is_recording()) &&                  \
        !(tband_may_be_left_out(TBAND_FILTER_LOOK(), (id), (number)) &&                                     \
          (!tband_is_recording() || TBAND_IS_LEFT_OUT_OUTSIDE((id), (number)) || !TBAND_FILTER_WAKES()))) { \
      section(call);                                                                                        \
    }                                                                                                       \
  }
#if defined(__OPTIMIZE_SIZE__)
#define TBAND_ENTRY(storage, name, parameters, arguments, section, id, number, call, ask) \
  storage void name parameters {                                                          \
    if (!TBAND_IS_REFUSED(false) && tband_is_recording()) {                               \
      ask;                                                                                \
    }                                                                                     \
  }
#define TBAND_UNLESS_ASKED_OUT TBAND_UNLESS_LEFT_OUT
#define TBAND_RECORDING_ENTRY(storage, name, parameters, arguments, section, id, number, call) \
  TBAND_ENTRY_IN_ONE(storage, name, parameters, section, id, number, call)
#else
#define TBAND_ENTRY(storage, name, parameters, arguments, section, id, number, call, ask) \
  static TBAND_NEVER_INLINE void name##_asking parameters { ask; }                        \
  storage void name parameters {                                                          \
    if (TBAND_IS_REFUSED(false)) {                                                        \
      return;                                                                             \
    }                                                                                     \
    if (!TBAND_USUALLY(!tband_may_be_left_out(TBAND_FILTER_LOOK(), (id), (number)))) {    \
      if (tband_is_recording()) {                                                         \
        name##_asking arguments;                                                          \
      }                                                                                   \
      return;                                                                             \
    }                                                                                     \
    section(call);                                                                        \
  }
/* For use as `ask`, in the section. */
#define TBAND_UNLESS_ASKED_OUT(id, number, call)     \
  do {                                               \
    if (!TBAND_IS_LEFT_OUT_INSIDE((id), (number))) { \
      (void)TBAND_FILTER_WAKES();                    \
      call;                                          \
    }                                                \
  } while (0)
#endif
#endif

/* TBAND_ENTRY for hooks that only record. */
#ifndef TBAND_RECORDING_ENTRY
#define TBAND_RECORDING_ENTRY(storage, name, parameters, arguments, section, id, number, call) \
  TBAND_ENTRY(storage, name, parameters, arguments, section, id, number, call, {               \
    if (!TBAND_IS_LEFT_OUT_OUTSIDE((id), (number)) && TBAND_FILTER_WAKES()) {                  \
      section(call);                                                                           \
    }                                                                                          \
  })
#endif

/* Counts an event that is not recorded; not inside the function that takes frames, where no section can begin. */
#define TBAND_PASS()                                   \
  do {                                                 \
    if (!TBAND_IS_HANDING_OUT()) {                     \
      tband_portENTER_CRITICAL_FROM_ANY();             \
      tband_lib_core_pass(&tband_cores[tband_core_index()]); \
      tband_portEXIT_CRITICAL_FROM_ANY();              \
    }                                                  \
  } while (0)

/* Functions of an event layout, in their own critical section (TBAND_IN_RECORDING) or in the kernel's
 * (TBAND_IN_RECORDING_MASKED). TBAND_WRITE_... belongs to the selected format. */
#define TBAND_ENTRY_U32(name, section)                                                                \
  TBAND_RECORDING_ENTRY(extern, name, (uint32_t id, uint32_t first), (id, first), section, id, first, \
                       TBAND_WITH_TRIGGERS(id, TBAND_WRITE_U32(id, first),                            \
                                           tband_watched_u32(id, first, tband_core, tband_now)))
#define TBAND_ENTRY_U32_U32(name, section)                                                                          \
  TBAND_RECORDING_ENTRY(extern, name, (uint32_t id, uint32_t first, uint32_t second), (id, first, second), section, \
                        id, first,                                                                                  \
                        TBAND_WITH_TRIGGERS(id, TBAND_WRITE_U32_U32(id, first, second),                             \
                                            tband_watched_u32_u32(id, first, second, tband_core, tband_now)))
#define TBAND_ENTRY_NUMBERS(name, section)                                                                          \
  TBAND_RECORDING_ENTRY(extern, name, (uint32_t id, uint32_t count, const uint32_t *numbers), (id, count, numbers), \
                        section, id & 0xFFU, (count == 0U) ? 0U : numbers[0],                                       \
                        TBAND_WITH_TRIGGERS(id, TBAND_WRITE_NUMBERS(id, count, numbers),                            \
                                            tband_watched_numbers(id, count, numbers, tband_core, tband_now)))

TBAND_ENTRY_U32(tband_record_u32, TBAND_IN_RECORDING)

TBAND_ENTRY_U32_U32(tband_record_u32_u32, TBAND_IN_RECORDING)

#if tband_configUSE_FILTERS
/* In halves: with two branches the compiler then keeps each half in the best register, but would keep a 64-bit value in
 * two copies. */
#define TBAND_WHOLE(low, high) ((int64_t)(((uint64_t)(high) << 32) | (low)))
TBAND_RECORDING_ENTRY(TBAND_INLINE, tband_record_u32_halves, (uint32_t id, uint32_t first, uint32_t low, uint32_t high),
                      (id, first, low, high), TBAND_IN_RECORDING, id, first,
                      TBAND_WITH_TRIGGERS(id, TBAND_WRITE_U32_S64(id, first, TBAND_WHOLE(low, high)),
                                          tband_watched_u32_s64(id, first, TBAND_WHOLE(low, high), tband_core,
                                                                tband_now)))

void tband_record_u32_s64(uint32_t id, uint32_t first, int64_t value) {
  tband_record_u32_halves(id, first, (uint32_t)value, (uint32_t)((uint64_t)value >> 32));
}
#else
TBAND_RECORDING_ENTRY(extern, tband_record_u32_s64, (uint32_t id, uint32_t first, int64_t value), (id, first, value),
                     TBAND_IN_RECORDING, id, first,
                     TBAND_WITH_TRIGGERS(id, TBAND_WRITE_U32_S64(id, first, value),
                                         tband_watched_u32_s64(id, first, value, tband_core, tband_now)))
#endif

TBAND_RECORDING_ENTRY(extern, tband_record_u32_str, (uint32_t id, uint32_t first, const char *text), (id, first, text),
                      TBAND_IN_RECORDING, id, first,
                      TBAND_WITH_TRIGGERS(id, TBAND_WRITE_U32_STR(id, first, text),
                                          tband_watched_u32_str(id, first, text, tband_core, tband_now)))

TBAND_ENTRY_NUMBERS(tband_record_numbers, TBAND_IN_RECORDING)

/* See tband_api.h. */
TBAND_ENTRY_IN_ONE(extern, tband_record_answer, (uint32_t command, int64_t is), TBAND_IN_RECORDING,
                   TBAND_EVT_U32_S64_ANSWER, command,
                   TBAND_AND_LOOK(TBAND_EVT_U32_S64_ANSWER, command, TBAND_AS_OWN(TBAND_WRITE_ANSWER(command, is))))

#if tband_configUSE_SCHEDULER
#if tband_configFREERTOS_TRACE_ENABLE
#error "tband: FreeRTOS has hooks, and its tasks have numbers of their own. Put into tband_config.h:"
#error "    #define tband_configUSE_SCHEDULER 0"
#include TBAND_STOP
#endif
/* The event and the task that packets begin with change in one critical section: an interrupt after it may open a
 * packet. A packet that the switch's own event opens begins with the task before. */
#if TBAND_USES_PACKETS
#define TBAND_NOTE_TASK(core, task) (tband_at_begin[core][0] = (task))
#else
#define TBAND_NOTE_TASK(core, task) ((void)0)
#endif
TBAND_RECORDING_ENTRY(static, tband_record_switch, (uint32_t task, bool *is_recorded), (task, is_recorded),
                      TBAND_IN_RECORDING, TBAND_EVT_U32_TASK_SWITCHED_IN, task, {
                        TBAND_WITH_TRIGGERS(
                            TBAND_EVT_U32_TASK_SWITCHED_IN, TBAND_WRITE_U32(TBAND_EVT_U32_TASK_SWITCHED_IN, task),
                            tband_watched_u32(TBAND_EVT_U32_TASK_SWITCHED_IN, task, tband_core, tband_now));
                        TBAND_NOTE_TASK(tband_index, task);
                        *is_recorded = true;
                      })
void tband_record_running(uint32_t task) {
  bool is_recorded = false;
  tband_record_switch(task, &is_recorded);
#if TBAND_USES_PACKETS
  /* Not after an event: an interrupt may have switched to another task since. */
  if (!is_recorded && !TBAND_IS_HANDING_OUT()) {
    tband_portENTER_CRITICAL_FROM_ANY();
    TBAND_NOTE_TASK(tband_core_index(), task);
    tband_portEXIT_CRITICAL_FROM_ANY();
  }
#endif
}
void tband_scheduler_task_create(uint32_t task, const char *name, uint32_t priority) {
  tband_task_create(task, name, priority);
}
void tband_scheduler_task_is_idle(uint32_t task, uint32_t core) { tband_task_is_idle(task, core); }
void tband_scheduler_block(void) { tband_task_block(); }
void tband_scheduler_block_on(uint32_t object) { tband_task_block_on(object); }
void tband_scheduler_block_on_put(uint32_t object) { tband_task_block_on_put(object); }
void tband_scheduler_task_set_priority(uint32_t task, uint32_t priority) { tband_task_set_priority(task, priority); }
void tband_scheduler_task_name(uint32_t task, const char *name) { tband_task_name(task, name); }
void tband_scheduler_task_end(uint32_t task) { tband_task_end(task); }
void tband_scheduler_object_create(uint32_t object, uint32_t kind, const char *name, uint32_t level) {
  tband_object_create(object, kind, name, level);
}
void tband_scheduler_object_put(uint32_t object, uint32_t level) { tband_object_put(object, level); }
void tband_scheduler_object_take(uint32_t object, uint32_t level) { tband_object_take(object, level); }
uint32_t tband_scheduler_core(void) { return tband_core_index(); }
#endif

#if tband_configFREERTOS_TRACE_ENABLE && tband_configUSE_TRIGGERS
/* The kernel lists a task again that was ready before. */
TBAND_RECORDING_ENTRY(extern, tband_freertos_relisted, (uint32_t task), (task), TBAND_IN_RECORDING,
                     TBAND_EVT_U32_TASK_TO_RDY_STATE, task,
                     TBAND_WITH_TRIGGERS(TBAND_EVT_U32_TASK_TO_RDY_STATE,
                                         TBAND_WRITE_U32(TBAND_EVT_U32_TASK_TO_RDY_STATE, task),
                                         tband_watched_relisted(task, tband_core, tband_now)))
#endif

#if tband_configFREERTOS_TRACE_ENABLE && tband_configTRUST_KERNEL_CRITICAL_SECTIONS
#include "recorder/tband_masked.h"
#endif

#if TBAND_USES_PACKETS && (tband_configISR_TRACE_ENABLE != 0)
/* An interrupt begins, or ends, which packets say whatever is left out. */
#define TBAND_ENTRY_ISR(name, id, change)                                                              \
  TBAND_ENTRY(extern, name, (uint32_t isr_number), (isr_number), TBAND_IN_RECORDING, (id), isr_number, \
             {                                                                                         \
               TBAND_WRITE_WATCHED_U32((id), isr_number);                                              \
               change(&tband_at_begin[tband_index][1], TBAND_ISR_KEY(isr_number));                     \
             },                                                                                        \
             TBAND_IN_RECORDING({                                                                      \
               TBAND_UNLESS_ASKED_OUT((id), isr_number, TBAND_WRITE_WATCHED_U32((id), isr_number));    \
               change(&tband_at_begin[tband_index][1], TBAND_ISR_KEY(isr_number));                     \
             }))

/* See tband_api.h. */
TBAND_ENTRY_ISR(tband_record_isr_enter, TBAND_EVT_U32_ISR_ENTER, tband_isr_opens)

/* See tband_api.h. */
TBAND_ENTRY_ISR(tband_record_isr_exit, TBAND_EVT_U32_ISR_EXIT, tband_isr_closes)
#endif

/* State of an event's search through the metadata buffers. */
typedef struct tband_way {
  uint32_t steps;
  uint32_t buffer; /* with several cores the current one; TBAND_CORES after the last one */
  uint32_t into;   /* buffer where it was found; TBAND_CORES until then */
  uint32_t own;    /* buffer of the core of the last step */
} tband_way;

#if tband_configUSE_METADATA_BUF
/* Called before and after a metadata buffer is changed. */
#ifndef TBAND_METADATA_CHANGES
#define TBAND_METADATA_CHANGES(core) ((void)0)
#define TBAND_METADATA_CHANGED(core) ((void)0)
#endif

/* Several times the number of steps that an undisturbed event takes through all buffers. An event that takes more has
 * been disturbed too often, and finishes without a pause. With a buffer of a few steps this cannot happen. */
#define TBAND_STEPS_AT_MOST (4U * TBAND_CORES * ((tband_configMETADATA_BUF_SIZE / 64U) + 1U))
#define TBAND_IS_LONG_WAY ((TBAND_CORES > 1U) || (tband_configMETADATA_BUF_SIZE > 256))

/* Moves an event one step through the metadata buffers of several cores. Returns true if there is more to do. Each core
 * has separate names of interrupts. Another core may have stored an entry for the same object since the last step, in a
 * buffer that was searched before: then the search restarts. */
TBAND_INLINE bool tband_searches_on(tband_metadata *event, uint32_t own, tband_way *way) {
  const bool is_of_own = (event->head & 0xFFU) == TBAND_EVT_META_U32_STR_ISR_NAME;
  const uint32_t core = is_of_own ? own : way->buffer;
  if (is_of_own && (way->own != own)) {
    event->changes = TBAND_META_START; /* the task has moved to another core, which has a separate name */
  }
  const uint32_t changes = event->changes;
  if ((way->buffer >= TBAND_CORES) || ((event->head & TBAND_META_NEW) != 0U)) {
    return false;
  }
  way->own = own;
  TBAND_METADATA_CHANGES(core);
  const bool more = tband_lib_metadata_tidy(event, &tband_cores[core], TBAND_METADATA_BUF(core));
  TBAND_METADATA_CHANGED(core);
  if ((event->head & TBAND_META_NEW) != 0U) {
    way->into = core; /* the entry that it replaces was found and removed, so it fits */
    return false;
  }
  if ((event->changes != changes) && (way->buffer != 0U)) {
    way->buffer = 0;
  } else if (!more) {
    way->buffer = is_of_own ? TBAND_CORES : (way->buffer + 1U);
  } else {
    return true;
  }
  if (way->buffer >= TBAND_CORES) {
    event->head |= TBAND_META_NEW;
    return false;
  }
  event->at = TBAND_METADATA_BUF(way->buffer);
  return true;
}

/* Moves an event one step through the metadata buffers of all cores, and after the last one into the buffer where it
 * was found, or into that of the current core. Returns true if there is more to do. Another core may be changing or
 * sending a buffer, so a lock is held. The task may move to another core after each step. */
TBAND_INLINE bool tband_keep(tband_metadata *event, uint32_t own, tband_way *way) {
  bool more;
  tband_lib_port_lock();
  do {
    more = (TBAND_CORES > 1U) && tband_searches_on(event, own, way);
    if (!more) {
      const uint32_t into = ((TBAND_CORES > 1U) && (way->into < TBAND_CORES)) ? way->into : own;
      TBAND_METADATA_CHANGES(into);
      more = tband_lib_metadata_keep(event, &tband_cores[into], TBAND_METADATA_BUF(into),
                                     tband_configMETADATA_BUF_SIZE);
      TBAND_METADATA_CHANGED(into);
    }
    if (TBAND_IS_LONG_WAY) {
      way->steps += 1U;
    }
  } while (TBAND_IS_LONG_WAY && more && (way->steps > TBAND_STEPS_AT_MOST));
  tband_lib_port_unlock();
  return more;
}

/* The function that takes the frames may delete an object. It runs inside an event, where no other event can begin. The
 * object is removed from the buffers nevertheless: that event holds the section and the lock, so no other search is
 * running. But at the start of a stream that function may have been given a buffer, and may have processed only half of
 * it. Returns true if that is so. */
#if TBAND_BACKEND_SHARES_STREAM
TBAND_INLINE bool tband_forgets_inside(tband_metadata *event) {
  bool inside = (event->head & TBAND_META_FORGET) != 0U;
  if (TBAND_CORES == 1U) {
    inside = inside && TBAND_HANDS_OUT(0U);
  } else if (inside) {
    tband_portENTER_CRITICAL_FROM_ANY();
    inside = TBAND_HANDS_OUT(tband_core_index());
    tband_portEXIT_CRITICAL_FROM_ANY();
  }
  for (uint32_t core = 0; inside && (core < TBAND_CORES); core++) {
    event->changes = TBAND_META_START;
    while (tband_lib_metadata_tidy(event, &tband_cores[core], TBAND_METADATA_BUF(core))) {
    }
  }
  return inside;
}
#else
#define tband_forgets_inside(event) false
#endif
#else
#define tband_keep(event, own, way) false
#define tband_forgets_inside(event) false
#endif

/* In a head: how many bytes of the text are recorded at most. */
#define TBAND_META_TEXT_OF(len) ((uint32_t)(len) << 16)

/* Stores an event in the metadata buffer, and if it must be sent while recording, also sends it through the backend.
 * The library's calls follow each other here too, with the event built once. Between the steps through the buffer
 * interrupts are let in. Returns false if nothing may be recorded. */
TBAND_INLINE bool tband_metadata_goes(uint32_t head, uint32_t first, uint32_t second, const char *text, bool is_sent) {
  tband_metadata event;
  uint32_t values[3];
  tband_way way;
  bool more;
  /* One by one, because the compiler may turn a zero initialiser into a call of memset. */
  values[0] = first;
  values[1] = second;
  values[2] = (uint32_t)(uintptr_t)text;
  event.text = text;
  event.numbers = values;
  event.head = head;
  event.changes = TBAND_META_START;
#if tband_configUSE_METADATA_BUF
  if (TBAND_IS_LONG_WAY) {
    way.steps = 0;
  }
  if (TBAND_CORES > 1U) {
    way.buffer = 0;
    way.into = TBAND_CORES;
    way.own = 0;
  }
#endif
  (void)way;
  if (TBAND_IS_REFUSED(true) || tband_forgets_inside(&event)) {
    return false;
  }
  do {
    more = false; /* should it be refused */
    TBAND_IN_CRITICAL_SECTION(true, {
      more = tband_keep(&event, tband_index, &way);
      if (!more && is_sent) {
        /* Another core may have started a recording since, with the buffers as they were. */
        const bool live = tband_live || ((TBAND_CORES > 1U) && TBAND_ENTER(tband_core));
        TBAND_WRITE_METADATA(&event, live);
      }
    });
  } while (more);
  return true;
}

void tband_record_metadata(uint32_t head, uint32_t first, uint32_t second, const char *text) {
  (void)tband_metadata_goes(head | TBAND_META_TEXT_OF(tband_configMAX_STR_LEN), first, second, text,
                            (head & (TBAND_META_FORGET | TBAND_META_NOT_SENT)) == 0U);
}

#include "records/tband_records.h"
#include "records/tband_elements.h"
#if tband_configUSE_FILTERS
#include "filters/tband_filter_choose.h"
#if tband_configUSE_SHEDDING
#include "filters/tband_shedding.h"
#endif
#endif
#if tband_configUSE_TRIGGERS
#include "triggers/tband_trigger_arm.h"
#endif

/* ---- FreeRTOS --------------------------------------------------------------------------------- */

#if tband_configFREERTOS_TRACE_ENABLE

/* Cores may create objects at the same time, and a core's critical section keeps only itself out. */
uint32_t tband_freertos_next_number(uint32_t *last) {
  tband_portENTER_CRITICAL_FROM_ANY();
  tband_lib_port_lock();
  const uint32_t number = ++*last;
  tband_lib_port_unlock();
  tband_portEXIT_CRITICAL_FROM_ANY();
  return number;
}

#if TBAND_HAS_UNPRIVILEGED_TASKS
bool tband_freertos_is_refused(void) { return TBAND_IS_REFUSED(true); }

/* Called by the kernel, for a task that must not do it. */
void tband_freertos_refused(uint32_t is_metadata) {
  tband_portENTER_CRITICAL_FROM_ANY();
  if ((is_metadata != 0U) || tband_is_recording()) {
    TBAND_REFUSE(&tband_cores[tband_core_index()], is_metadata != 0U);
  }
  tband_portEXIT_CRITICAL_FROM_ANY();
}
#endif

#if tband_configFREERTOS_ISR_TRACE_ENABLE
#if !TBAND_USES_PACKETS
#include "recorder/tband_open_isrs.h"
#endif

void tband_freertos_isr_enter(uint32_t isr_number) {
  if (tband_is_recording()) {
    TBAND_IN_RECORDING(tband_isr_enters(isr_number, tband_core, tband_now));
  }
}

/* Runs also while recording is off, otherwise an interrupt that ends now would be open in the next recording. For
 * handlers that report only their exit, as portYIELD_FROM_ISR() does, an exit that leads to a switch is recorded, so
 * that the missing entry is noticed. */
void tband_freertos_isr_exit(uint32_t isr_number, uint32_t id) {
  if ((tband_open_isrs[tband_core_index()].keys[0] != 0U) ||
      ((id == TBAND_EVT_U32_ISR_EXIT_TO_SCHEDULER) && tband_is_recording())) {
    TBAND_IN_CRITICAL_SECTION(false, {
      if (tband_live) {
        tband_isr_exits(isr_number, id, tband_core, tband_now);
      } else {
        tband_isr_leaves(isr_number);
      }
    });
  }
}

#if TBAND_IS_ESP_IDF
/* Ends the innermost open interrupt of this core, if there is one. In a critical section. */
static void tband_end_innermost_isr(uint32_t index, uint32_t id, bool is_live, tband_core_state *core, tband_time now) {
  const uint32_t *const keys = tband_open_isrs[index].keys;
  uint32_t count = 0;
  while (keys[count] != 0U) {
    count++;
  }
  if (count == 0U) {
    return;
  }
  const uint32_t isr_number = TBAND_ISR_OF_KEY(keys[count - 1U]);
  if (is_live) {
    tband_isr_exits(isr_number, id, core, now);
  } else {
    tband_isr_leaves(isr_number);
  }
}

/* `core` is the caller's, which stays there: it runs in an interrupt or in the context switch. Interrupts that occur
 * between the test and the section end before the caller continues. */
void tband_freertos_innermost_isr_exit(uint32_t core, uint32_t id) {
  if (tband_open_isrs[core].keys[0] != 0U) {
    TBAND_IN_CRITICAL_SECTION(false, tband_end_innermost_isr(tband_index, id, tband_live, tband_core, tband_now));
  }
}

void tband_freertos_end_isrs(uint32_t core) {
  if (tband_open_isrs[core].keys[0] != 0U) {
    TBAND_IN_CRITICAL_SECTION(false, {
      while (tband_open_isrs[tband_index].keys[0] != 0U) {
        tband_end_innermost_isr(tband_index, TBAND_EVT_U32_ISR_EXIT_TO_SCHEDULER, tband_live, tband_core, tband_now);
      }
    });
  }
}
#endif

/* See tband_freertos.h. */
uint32_t tband_freertos_get_missed_isr_exit_cnt(unsigned int core_id) {
  return (TBAND_MAY_READ() && (core_id < TBAND_CORES)) ? tband_open_isrs[core_id].missed_exits : 0U;
}
#endif

#endif /* tband_configFREERTOS_TRACE_ENABLE */

/* ---- Reading ---------------------------------------------------------------------------------- */

/* A refused call is not counted: no event is missing in the recording because of it. Other languages call this in any
 * case. */
bool tband_may_read(void) {
#if TBAND_HAS_UNPRIVILEGED_TASKS
  return !tband_is_unprivileged();
#else
  return true;
#endif
}

bool tband_takes_events(void) { return !TBAND_IS_REFUSED(false) && tband_is_recording(); }

bool tband_is_always_on(void) { return TBAND_BACKEND_IS_ALWAYS_ON; }

#if tband_configMEMORY_PROTECTION
/* See tband_api.h. */
bool tband_may_record(bool is_metadata) {
  (void)is_metadata; /* unused if no task is unprivileged */
  return !TBAND_IS_REFUSED(is_metadata);
}
#endif

/* ---- Time ------------------------------------------------------------------------------------- */

/* See tband_api.h. */
void tband_gather_system_metadata(void) {
  if (TBAND_IS_REFUSED(true)) {
    return;
  }
#if TBAND_STARTS_TIMER /* for the backend that has no start */
  {
    tband_portENTER_CRITICAL_FROM_ANY();
    tband_portTIMESTAMP_START();
    tband_portEXIT_CRITICAL_FROM_ANY();
  }
#endif
  tband_record_metadata(TBAND_META_HEAD(TBAND_EVT_META_U64_TS_RESOLUTION_NS, 1),
                        tband_lib_port_ts_resolution_ns(), 0, NULL);
#ifdef TBAND_BACKEND_TELL_SYSTEM
  TBAND_IN_CRITICAL_SECTION(true, TBAND_BACKEND_TELL_SYSTEM(tband_now, tband_core));
  if (TBAND_STARTS_WITH_FREQUENCY) {
    TBAND_RECORD_FREQUENCY();
  }
#endif
}

/* See tband_api.h. */
void tband_timestamp_frequency_changed(void) { TBAND_RECORD_FREQUENCY(); }

/* See tband_api.h. */
void tband_keep_time(void) {
  if (TBAND_IS_REFUSED(false)) {
    return;
  }
  tband_portENTER_CRITICAL_FROM_ANY();
  TBAND_KEEP_TIME();
  tband_portEXIT_CRITICAL_FROM_ANY();
}

#if TBAND_FREERTOS_ENABLED
#include "recorder/tband_kernel_time.h"
#endif

#else /* tband_configENABLE */

/* An empty translation unit is not valid C. */
typedef int tband_shim_is_empty;

#endif /* tband_configENABLE */
