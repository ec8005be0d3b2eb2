/* The interface between libtband.a and the files of port/ and freertos-hooks/, which call these functions. It is not
 * for you: names that begin with tband_lib_ are reserved and change with any version. tband.h includes it.
 *
 * Generated from tband-ffi by `cargo xtask header`; do not edit. */

#ifndef TBAND_LIBRARY_H
#define TBAND_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A frame that is being written; zero if the event is not recorded. Two pointers, in registers. */
#if UINTPTR_MAX > 0xFFFFFFFFU
typedef struct tband_frame {
  uint8_t *code;
  uint8_t *at;
} tband_frame;
#else
typedef uint64_t tband_frame;
#endif


/**
 * Kind of selection for `tband_lib_filter_state_choose`: the event of id `of`.
 */
#define TBAND_FILTER_EVENT 0

/**
 * Like `TBAND_FILTER_EVENT`: the classes whose bits are set in `of`, `TBAND_CLASS_*`.
 */
#define TBAND_FILTER_CLASSES 1

/**
 * Like `TBAND_FILTER_EVENT`: everything.
 */
#define TBAND_FILTER_ALL 2

/**
 * Like `TBAND_FILTER_EVENT`, plus a `TBAND_OBJECT_*`: the object of that kind with number `of`.
 */
#define TBAND_FILTER_OBJECT 16

/**
 * Like `TBAND_FILTER_EVENT`, plus a `TBAND_OBJECT_*`: all objects of that kind.
 */
#define TBAND_FILTER_KIND 32

/**
 * Value in `of_event` for events that are left out for all objects.
 */
#define TBAND_FILTER_NOTHING 79

/**
 * Author of a change of the filter: the firmware.
 */
#define TBAND_BY_FIRMWARE 0

/**
 * Like `TBAND_BY_FIRMWARE`: a command of the host.
 */
#define TBAND_BY_HOST 1

/**
 * Longest frame of an event with one number, in bytes.
 */
#define TBAND_FRAME_LEN_U32 18

/**
 * Longest frame of an event with two numbers, in bytes.
 */
#define TBAND_FRAME_LEN_U32_U32 23

/**
 * Longest frame of an event with a number and a signed value, in bytes.
 */
#define TBAND_FRAME_LEN_U32_S64 28

/**
 * Longest frame of an event with up to five numbers, in bytes.
 */
#define TBAND_FRAME_LEN_NUMBERS 38

/**
 * Flag of `tband_metadata.head`: the event replaces nothing in the metadata buffers.
 */
#define TBAND_META_NEW 2048

/**
 * Flag of `tband_metadata.head`: a request to remove the entries of the object in the first number; the second number
 * has bit id % 32 for each event to remove.
 */
#define TBAND_META_FORGET 4096

/**
 * Flag of `tband_metadata.head`: for the metadata buffers only.
 */
#define TBAND_META_NOT_SENT 8192

/**
 * Flag of `tband_metadata.head`: for the metadata buffers only, and only if an entry to replace is there.
 */
#define TBAND_META_UPDATE 24576

/**
 * Flag of `tband_metadata.head`: the event has a string, though it may be empty.
 */
#define TBAND_META_TEXT 32768

/**
 * Initial value of `tband_metadata.changes` for a buffer that must be searched.
 */
#define TBAND_META_START 0

/**
 * `tband_packet_setup.policy`: if no packet is free, events are counted as discarded.
 */
#define TBAND_POLICY_STREAM 0

/**
 * `tband_packet_setup.policy`: if no packet is free, recording stops.
 */
#define TBAND_POLICY_SNAPSHOT 1

/**
 * `tband_packet_setup.policy`: if no packet is free, the oldest is overwritten.
 */
#define TBAND_POLICY_POST_MORTEM 2

/**
 * A core's limit, the second of its pointers, is this many bytes in front of the tail of its open packet. The tail
 * contains a pointer to the next event, and the lower half of the time of the last one.
 */
#define TBAND_PACKET_TO_TAIL 12

/**
 * Longest head of an event in a packet: id, and a time of 30 bits.
 */
#define TBAND_PACKET_HEAD_LEN 5

/**
 * An event that comes this many ticks or more after the previous one needs `tband_lib_packet_open_next_*`.
 */
#define TBAND_PACKET_LONG 4194304

/**
 * Flag next to an event's id and count of numbers, in packets: the last number is a count of kernel ticks.
 */
#define TBAND_LAST_IS_TICKS 4096

/**
 * Like `TBAND_LAST_IS_TICKS`: the last number is optional, and present.
 */
#define TBAND_LAST_IS_OPTIONAL 8192

/**
 * Like `TBAND_LAST_IS_TICKS`: an optional number after the others is missing.
 */
#define TBAND_LAST_IS_MISSING 16384

/**
 * Condition of a trigger: an event, whose id is the value.
 */
#define TBAND_TRIGGER_EVENT 0

/**
 * Condition of a trigger: a queue has as many items as the value, or more.
 */
#define TBAND_TRIGGER_QUEUE_FULL 1

/**
 * Condition of a trigger: a task begins to run more ticks of the timer than the value after it became ready.
 */
#define TBAND_TRIGGER_READY_WAIT 2

/**
 * Condition of a trigger: a task has fewer bytes of stack left than the value.
 */
#define TBAND_TRIGGER_STACK 3

/**
 * Condition of a trigger: a value marker equals the value or is greater.
 */
#define TBAND_TRIGGER_AT_LEAST 4

/**
 * Condition of a trigger: a value marker equals the value or is less.
 */
#define TBAND_TRIGGER_AT_MOST 5

/**
 * Condition of a trigger: a value marker equals the value.
 */
#define TBAND_TRIGGER_EQUAL 6

/**
 * Condition of a trigger: an operation failed.
 */
#define TBAND_TRIGGER_FAILURE 7

/**
 * Condition of a trigger: the firmware has crashed.
 */
#define TBAND_TRIGGER_CRASH 8

/**
 * The object of a trigger: any.
 */
#define TBAND_TRIGGER_ANY 4294967295

/**
 * Result of `tband_lib_trigger_state_sees` when the recording must end.
 */
#define TBAND_TRIGGER_ENDS 128

/**
 * Added to `from` of `tband_lib_trigger_state_sees`: when the recording ends, it stops.
 */
#define TBAND_TRIGGER_STOPS 256

/**
 * `value` of `tband_lib_trigger_state_sees` for `task_to_rdy_state`: the kernel lists a task again that was ready
 * before.
 */
#define TBAND_TRIGGER_RELISTED 1

/**
 * Memory for the recorder's state of one core. All zero before the first use.
 */
typedef struct tband_core_state {
  uint8_t *private_pointers[2];
  uint32_t private_words[6];
} tband_core_state;

/**
 * A metadata event (`TBAND_EVT_META_*`).
 */
typedef struct tband_metadata {
  /**
   * NUL-terminated string, at most `tband_configMAX_STR_LEN` bytes of which are read; NULL for none, or for an empty
   * one.
   */
  const char *text;
  /**
   * Numbers; the array has three elements.
   */
  uint32_t *numbers;
  /**
   * Id of the event; from bit 8 the count of its numbers, 1 to 3; flags `TBAND_META_*`; from bit 16 the maximum
   * length in bytes of the string.
   */
  uint32_t head;
  /**
   * Position of the search in a metadata buffer for the entry that the event replaces.
   */
  uint8_t *at;
  /**
   * Belongs to `at`; `TBAND_META_START` for a buffer that must be searched.
   */
  uint32_t changes;
} tband_metadata;

/**
 * Memory for the state of one core's ring of packets. All zero before the first use.
 */
typedef struct tband_ring_state {
  uint8_t *private_pointers[2];
  uint32_t private_words[3];
} tband_ring_state;

/**
 * Memory for the state of the consumer of packets. All zero before the first use.
 */
typedef struct tband_packet_reader {
  uint32_t private_words[4];
} tband_packet_reader;

/**
 * Fill level of a metadata buffer, kept across a reset.
 */
typedef struct tband_table_measure {
  /**
   * Bytes in use.
   */
  uint16_t used;
  /**
   * Metadata events that did not fit.
   */
  uint16_t dropped;
  /**
   * Required size of the buffer; 0 if everything fits.
   */
  uint16_t needed;
} tband_table_measure;

/**
 * Location of the metadata that belongs to the packets in the rings.
 */
typedef struct tband_kept {
  /**
   * The metadata buffers of all cores.
   */
  uint8_t *tables;
  /**
   * For a recording from before a reset: the fill level of each core's buffer. Otherwise NULL.
   */
  struct tband_table_measure *measures;
} tband_kept;

/**
 * The shim's configuration of packets for the library, a constant.
 */
typedef struct tband_packet_setup {
  /**
   * Number of cores, 1 to 64.
   */
  uint32_t core_count;
  /**
   * State of each core's ring.
   */
  struct tband_ring_state *rings;
  /**
   * Bytes of a packet (`tband_configPACKET_SIZE`).
   */
  uint32_t packet_size;
  /**
   * Packets: for each core `packet_count` times `packet_size` bytes, aligned to 8 bytes.
   */
  uint8_t *memory;
  /**
   * The last packet of the first core in that memory.
   */
  uint8_t *last_packet;
  /**
   * Number of packets of a core (`tband_configPACKET_COUNT`).
   */
  uint32_t packet_count;
  /**
   * State of the consumer, `tband_reader`. NULL with snapshots: then only the library's functions that take packets
   * refer to it.
   */
  struct tband_packet_reader *reader;
  /**
   * Bytes of the longest event.
   */
  uint32_t max_event_len;
  /**
   * The metadata is sent again after this many packets; 0: on request only (`tband_configPACKET_METADATA_EVERY`).
   */
  uint32_t metadata_every;
  /**
   * Policy for a core without a free packet: `TBAND_POLICY_*`.
   */
  uint32_t policy;
  /**
   * State at the begin of packets: for each core `at_begin_words` words, the number of the running task, 0 if there
   * is none, then the complements of the numbers of the open interrupts, the outermost first, and then 0. A start
   * clears the interrupts.
   */
  uint32_t *at_begin;
  /**
   * Open interrupts of the class ISR, or NULL: for each core `class_isr_words` words, encoded as in `at_begin`.
   */
  const uint32_t *class_isrs;
  /**
   * A slot for packets of metadata, as long as a packet's header, the longest frame and 64 bytes, and aligned to 4
   * bytes. NULL: they are written into the slot of a packet that was sent.
   */
  uint8_t *metadata_slot;
  /**
   * See `at_begin`.
   */
  uint32_t at_begin_words;
  /**
   * See `class_isrs`.
   */
  uint32_t class_isr_words;
  /**
   * NULL if nothing is kept across a reset.
   */
  const struct tband_kept *kept;
  /**
   * 1 if the library must call `tband_lib_port_packet_closed`.
   */
  uint32_t hands_out;
  /**
   * 1 if `tband_packet_close` is called before the first event after a wrap of the time's lower half.
   */
  uint32_t sees_turns;
  /**
   * Maximum number of packets that are closed and not released: `packet_count`, or with RTT one less.
   */
  uint32_t most_waiting;
} tband_packet_setup;

/**
 * State of a core's shedding, and counts that are not recorded yet. All zero: nothing is shed.
 */
typedef struct tband_shed_state {
  /**
   * Number of steps of the order that are taken; 0: nothing is shed.
   */
  uint32_t level;
  uint32_t private_words[26];
} tband_shed_state;

/**
 * The order in which classes are shed, and the thresholds.
 */
typedef struct tband_shed_order {
  /**
   * The steps: `TBAND_CLASS_*`, combined with OR.
   */
  const uint32_t *steps;
  /**
   * Number of steps, 1 to 32.
   */
  uint32_t count;
  /**
   * Fill level of the ring at which the first step is taken, in percent.
   */
  uint32_t from;
  /**
   * Maximum number of waiting packets at which one more can be opened.
   */
  uint32_t last;
} tband_shed_order;

/**
 * The selection, the shed events and their order: a constant of the shim.
 */
typedef struct tband_shedding {
  /**
   * The filter, a `tband_filter_state`, whose bytes and words also include the events that any core sheds.
   */
  void *filter;
  /**
   * An element for each core.
   */
  struct tband_shed_state *cores;
  /**
   * Number of cores.
   */
  uint32_t core_count;
  /**
   * The order of shedding.
   */
  struct tband_shed_order order;
} tband_shedding;

/**
 * A command of the host. See `TBAND_COMMAND_...` for kinds.
 */
typedef struct tband_command {
  /**
   * The arguments; only the first `count` are valid.
   */
  uint32_t arguments[6];
  /**
   * Number by which the answer identifies the command.
   */
  uint16_t number;
  /**
   * Kind of the command.
   */
  uint8_t kind;
  /**
   * Number of valid arguments.
   */
  uint8_t count;
} tband_command;

/**
 * The table that hooks read, and the selection. All zero: everything is recorded.
 */
typedef struct tband_filter_state {
  /**
   * By the id of an event: 0 if the event is recorded for all objects. Otherwise the index, from the start of this
   * struct, of the word that has a bit for the object's number modulo 32, counted down from the uppermost bit by
   * rotation.
   */
  uint8_t of_event[256];
  /**
   * The words that `of_event` refers to.
   */
  uint32_t looks[16];
  uint32_t private_words[31];
} tband_filter_state;

/**
 * A buffer in a control block of RTT, with the layout that debug probes know.
 */
typedef struct tband_rtt_buffer {
  /**
   * Its name.
   */
  const char *name;
  /**
   * Its memory; NULL: the buffer does not exist.
   */
  uint8_t *memory;
  /**
   * Size of the memory in bytes.
   */
  uint32_t size;
  /**
   * Offset of the next byte to write.
   */
  uint32_t write;
  /**
   * Offset of the next byte to read.
   */
  uint32_t read;
  /**
   * Behaviour of the firmware if it is full; 0: it does not wait.
   */
  uint32_t flags;
} tband_rtt_buffer;

/**
 * The table that hooks read, and the triggers that were set. All zero: no trigger is armed.
 */
typedef struct tband_trigger_state {
  /**
   * By the id of an event: 0 if no trigger inspects it.
   */
  uint8_t watched[256];
  uint32_t private_words[68];
} tband_trigger_state;

/**
 * The user's configuration for the library, a constant whose name consists of `tband_shim_for_library_abi_`, a number
 * and the CPU's architecture. The number rises whenever this struct or a function of the library changes, so that a
 * shim and a library that do not match do not link.
 */
typedef struct tband_setup {
  /**
   * State of each core: `core_count` elements.
   */
  struct tband_core_state *cores;
  /**
   * Number of cores, 1 to 255 (`tband_portNUMBER_OF_CORES`).
   */
  uint32_t core_count;
  /**
   * Longest recorded string in bytes (`tband_configMAX_STR_LEN`).
   */
  uint32_t max_str_len;
  /**
   * Events between drop counter events; 0 turns them off (`tband_configTRACE_DROP_CNT_EVERY`).
   */
  uint32_t drop_cnt_every;
  /**
   * Bytes of each metadata buffer, at most 65535; 0 turns it off (`tband_configMETADATA_BUF_SIZE`).
   */
  uint32_t metadata_buf_size;
  /**
   * Metadata buffers: `core_count` times `metadata_buf_size` bytes.
   */
  uint8_t *metadata_bufs;
  /**
   * Snapshot buffers: `core_count` times `snapshot_buf_size` bytes. In other backends the buffers in which frames
   * are built: `core_count` times `frame_buf_size` bytes.
   */
  uint8_t *event_bufs;
  /**
   * Bytes of each snapshot buffer (`tband_configBACKEND_SNAPSHOT_BUF_SIZE`); 0 in other backends.
   */
  uint32_t snapshot_buf_size;
  /**
   * Bytes of the longest frame and of each frame buffer, `TBAND_FRAME_BUF_SIZE(max_str_len)`.
   */
  uint32_t frame_buf_size;
  /**
   * NUL-terminated name of the firmware build (`tband_configBUILD_ID`), or null.
   */
  const char *build_id;
  /**
   * Fields of the `trace_info` event: `TBAND_FORMAT_VERSION`, number of cores, flags (bit 0: kernel
   * events of FreeRTOS are recorded), kernel version as major * 10000 + minor * 100 + patch, kernel
   * ticks per second.
   */
  uint32_t trace_info[5];
  /**
   * Number of fields that are sent: 5, 3 without a kernel, 0 for none (`tband_configTRACE_INFO_ENABLE`).
   */
  uint32_t trace_info_count;
  /**
   * For debuggers: the timer's frequency in Hz and its divisor, or null if recordings do not begin with it. Both are
   * 0 until the first start if the frequency is only known at run time.
   */
  const uint32_t *frequency;
  /**
   * NUL-terminated identity of the program, 12 characters that the link of the firmware defines
   * (`cmake/TbandIdentity.cmake`); empty or null otherwise.
   */
  const char *program;
} tband_setup;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Counts a timed event of the backend and opens its frame with id and timestamp. One `tband_*_close_*` must
 * follow, in the same critical section. `ts` in ticks; `head` is the event's id and, from bit 8, the length of
 * its longest frame, `TBAND_FRAME_LEN_*`. Inside the critical section of `core`, any task or interrupt.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
tband_frame tband_lib_streaming_open(uint32_t head,
                                     struct tband_core_state *core,
                                     uint64_t ts);

/**
 * Writes the fields of an event with one number (`TBAND_EVT_U32_*`), and sends or stores its frame. No effect
 * if no frame is open.
 *
 * Requirements:
 * `frame` comes from `tband_*_open` for the same core, which was called with the length for these fields.
 */
void tband_lib_streaming_close_u32(tband_frame frame,
                                   struct tband_core_state *core,
                                   uint32_t first);

/**
 * Like `tband_*_close_u32`, with two numbers (`TBAND_EVT_U32_U32_*`).
 *
 * Requirements:
 * See `tband_*_close_u32`.
 */
void tband_lib_streaming_close_u32_u32(tband_frame frame,
                                       struct tband_core_state *core,
                                       uint32_t first,
                                       uint32_t second);

/**
 * Like `tband_*_close_u32`, with a number and a signed value (`TBAND_EVT_U32_S64_*`).
 *
 * Requirements:
 * See `tband_*_close_u32`.
 */
void tband_lib_streaming_close_u32_s64(tband_frame frame,
                                       int64_t value,
                                       uint32_t first,
                                       struct tband_core_state *core);

/**
 * Like `tband_*_close_u32`, with a number and a string (`TBAND_EVT_U32_STR_*`). `text` may be NULL, which is an
 * empty string; at most `tband_configMAX_STR_LEN` bytes of it are read.
 *
 * Requirements:
 * See `tband_*_close_u32`; `text` is readable to its NUL or for `tband_configMAX_STR_LEN` bytes.
 */
void tband_lib_streaming_close_u32_str(tband_frame frame,
                                       struct tband_core_state *core,
                                       uint32_t first,
                                       const char *text);

/**
 * Like `tband_*_close_u32`, with up to five numbers (`TBAND_EVT_*` of three `U32` and more).
 *
 * Requirements:
 * See `tband_*_close_u32`; `count`, at most 5, numbers are at `numbers`.
 */
void tband_lib_streaming_close_numbers(tband_frame frame,
                                       struct tband_core_state *core,
                                       const uint32_t *numbers,
                                       uint32_t count);

/**
 * For recordings in Tonbandgeraet's way: returns whether a metadata event goes through the backend now. Counts
 * it, and sends the drop counter that may be due. If true, `tband_*_send_metadata` must follow in the same
 * critical section.
 *
 * Requirements:
 * See `tband_*_open`.
 */
bool tband_lib_streaming_may_send_metadata(struct tband_core_state *core,
                                           uint64_t ts);

/**
 * Sends a metadata event, if recording is on. `ts` is for a `core_id` that may precede it if several cores
 * share a stream.
 *
 * Requirements:
 * See `tband_lib_metadata_keep`.
 */
void tband_lib_streaming_send_metadata(struct tband_core_state *core,
                                       const struct tband_metadata *event,
                                       uint64_t ts);

/**
 * Counts a timed event of the backend and opens its frame with id and timestamp. One `tband_*_close_*` must
 * follow, in the same critical section. `ts` in ticks; `head` is the event's id and, from bit 8, the length of
 * its longest frame, `TBAND_FRAME_LEN_*`. Inside the critical section of `core`, any task or interrupt.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
tband_frame tband_lib_snapshot_open(uint32_t head,
                                    struct tband_core_state *core,
                                    uint64_t ts);

/**
 * Writes the fields of an event with one number (`TBAND_EVT_U32_*`), and sends or stores its frame. No effect
 * if no frame is open.
 *
 * Requirements:
 * `frame` comes from `tband_*_open` for the same core, which was called with the length for these fields.
 */
void tband_lib_snapshot_close_u32(tband_frame frame,
                                  struct tband_core_state *core,
                                  uint32_t first);

/**
 * Like `tband_*_close_u32`, with two numbers (`TBAND_EVT_U32_U32_*`).
 *
 * Requirements:
 * See `tband_*_close_u32`.
 */
void tband_lib_snapshot_close_u32_u32(tband_frame frame,
                                      struct tband_core_state *core,
                                      uint32_t first,
                                      uint32_t second);

/**
 * Like `tband_*_close_u32`, with a number and a signed value (`TBAND_EVT_U32_S64_*`).
 *
 * Requirements:
 * See `tband_*_close_u32`.
 */
void tband_lib_snapshot_close_u32_s64(tband_frame frame,
                                      int64_t value,
                                      uint32_t first,
                                      struct tband_core_state *core);

/**
 * Like `tband_*_close_u32`, with a number and a string (`TBAND_EVT_U32_STR_*`). `text` may be NULL, which is an
 * empty string; at most `tband_configMAX_STR_LEN` bytes of it are read.
 *
 * Requirements:
 * See `tband_*_close_u32`; `text` is readable to its NUL or for `tband_configMAX_STR_LEN` bytes.
 */
void tband_lib_snapshot_close_u32_str(tband_frame frame,
                                      struct tband_core_state *core,
                                      uint32_t first,
                                      const char *text);

/**
 * Like `tband_*_close_u32`, with up to five numbers (`TBAND_EVT_*` of three `U32` and more).
 *
 * Requirements:
 * See `tband_*_close_u32`; `count`, at most 5, numbers are at `numbers`.
 */
void tband_lib_snapshot_close_numbers(tband_frame frame,
                                      struct tband_core_state *core,
                                      const uint32_t *numbers,
                                      uint32_t count);

/**
 * For recordings in Tonbandgeraet's way: returns whether a metadata event goes through the backend now. Counts
 * it, and sends the drop counter that may be due. If true, `tband_*_send_metadata` must follow in the same
 * critical section.
 *
 * Requirements:
 * See `tband_*_open`.
 */
bool tband_lib_snapshot_may_send_metadata(struct tband_core_state *core,
                                          uint64_t ts);

/**
 * Sends a metadata event, if recording is on. `ts` is for a `core_id` that may precede it if several cores
 * share a stream.
 *
 * Requirements:
 * See `tband_lib_metadata_keep`.
 */
void tband_lib_snapshot_send_metadata(struct tband_core_state *core,
                                      const struct tband_metadata *event,
                                      uint64_t ts);

/**
 * Counts a timed event of the backend and opens its frame with id and timestamp. One `tband_*_close_*` must
 * follow, in the same critical section. `ts` in ticks; `head` is the event's id and, from bit 8, the length of
 * its longest frame, `TBAND_FRAME_LEN_*`. Inside the critical section of `core`, any task or interrupt.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
tband_frame tband_lib_external_open(uint32_t head,
                                    struct tband_core_state *core,
                                    uint64_t ts);

/**
 * Writes the fields of an event with one number (`TBAND_EVT_U32_*`), and sends or stores its frame. No effect
 * if no frame is open.
 *
 * Requirements:
 * `frame` comes from `tband_*_open` for the same core, which was called with the length for these fields.
 */
void tband_lib_external_close_u32(tband_frame frame,
                                  struct tband_core_state *core,
                                  uint32_t first);

/**
 * Like `tband_*_close_u32`, with two numbers (`TBAND_EVT_U32_U32_*`).
 *
 * Requirements:
 * See `tband_*_close_u32`.
 */
void tband_lib_external_close_u32_u32(tband_frame frame,
                                      struct tband_core_state *core,
                                      uint32_t first,
                                      uint32_t second);

/**
 * Like `tband_*_close_u32`, with a number and a signed value (`TBAND_EVT_U32_S64_*`).
 *
 * Requirements:
 * See `tband_*_close_u32`.
 */
void tband_lib_external_close_u32_s64(tband_frame frame,
                                      int64_t value,
                                      uint32_t first,
                                      struct tband_core_state *core);

/**
 * Like `tband_*_close_u32`, with a number and a string (`TBAND_EVT_U32_STR_*`). `text` may be NULL, which is an
 * empty string; at most `tband_configMAX_STR_LEN` bytes of it are read.
 *
 * Requirements:
 * See `tband_*_close_u32`; `text` is readable to its NUL or for `tband_configMAX_STR_LEN` bytes.
 */
void tband_lib_external_close_u32_str(tband_frame frame,
                                      struct tband_core_state *core,
                                      uint32_t first,
                                      const char *text);

/**
 * Like `tband_*_close_u32`, with up to five numbers (`TBAND_EVT_*` of three `U32` and more).
 *
 * Requirements:
 * See `tband_*_close_u32`; `count`, at most 5, numbers are at `numbers`.
 */
void tband_lib_external_close_numbers(tband_frame frame,
                                      struct tband_core_state *core,
                                      const uint32_t *numbers,
                                      uint32_t count);

/**
 * For recordings in Tonbandgeraet's way: returns whether a metadata event goes through the backend now. Counts
 * it, and sends the drop counter that may be due. If true, `tband_*_send_metadata` must follow in the same
 * critical section.
 *
 * Requirements:
 * See `tband_*_open`.
 */
bool tband_lib_external_may_send_metadata(struct tband_core_state *core,
                                          uint64_t ts);

/**
 * Sends a metadata event, if recording is on. `ts` is for a `core_id` that may precede it if several cores
 * share a stream.
 *
 * Requirements:
 * See `tband_lib_metadata_keep`.
 */
void tband_lib_external_send_metadata(struct tband_core_state *core,
                                      const struct tband_metadata *event,
                                      uint64_t ts);

/**
 * Makes room for an event that does not fit into the open packet of `core`, or comes long after the previous one:
 * opens another packet, or makes the event use a long time. If the result is not NULL, try again. If it is NULL, the
 * event must not be recorded, because recording is off or all packets are in use. `begin` is the event's full time in
 * ticks. Inside the critical section of `core`, any task or interrupt.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`, and `setup` is `tband_shim_packets`.
 */
uint8_t *tband_lib_packet_open_next_cores(struct tband_core_state *core,
                                          const struct tband_packet_setup *setup,
                                          uint64_t begin);

/**
 * Like `tband_lib_core_refuse`, with packets.
 *
 * Requirements:
 * See `tband_lib_core_refuse`.
 */
void tband_lib_packet_refuse_cores(struct tband_core_state *core, bool is_metadata);

/**
 * Counts `events` events of `core` as lost: they were left out, and no packet reports them. Inside the critical
 * section of `core`.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
void tband_lib_packet_discard_cores(struct tband_core_state *core,
                                    uint32_t events);

/**
 * Called after a packet of `core` was opened: takes steps of the order of shedding, or takes them back, depending on
 * the number of waiting packets; hooks follow. Inside the critical section of `core`; recording is on.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`; `of` is the shim's.
 */
void tband_lib_packet_shed_turn_cores(struct tband_core_state *core,
                                      const struct tband_shedding *of);

/**
 * Returns true if `tband_packet_shed_turn` would take a step back if the open packet were closed now. Same context.
 *
 * Requirements:
 * See `tband_packet_shed_turn`.
 */
bool tband_lib_packet_shed_may_turn_back_cores(struct tband_core_state *core,
                                               const struct tband_shedding *of);

/**
 * Closes the open packet of `core`, and of no other core, at time `now`. Inside the critical section of `core`.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
void tband_lib_packet_close_own_cores(struct tband_core_state *core,
                                      uint64_t now);

/**
 * Like `tband_lib_filter_state_apply`, with the events that cores shed.
 *
 * Requirements:
 * `of` is the shim's.
 */
void tband_lib_packet_shed_apply_cores(const struct tband_shedding *of);

/**
 * With several cores: returns true if counts of shed events must be written by `tband_packet_write_shed`. The one
 * reader.
 *
 * Requirements:
 * `of` is the shim's.
 */
bool tband_lib_packet_shed_is_due_cores(const struct tband_shedding *of);

/**
 * Writes the counts of shed events. The one reader, inside the critical section.
 *
 * Requirements:
 * `of` is the shim's.
 */
void tband_lib_packet_write_shed_cores(const struct tband_shedding *of);

/**
 * Starts recording into the rings, after their contents. Returns 0, or -1 if recording is on or a core is still inside
 * an event. Inside the critical section.
 */
int32_t tband_lib_packet_start_cores(void);

/**
 * Like `tband_packet_start`, with several cores: earlier counts of shed events are recorded or counted as lost, and
 * nothing is shed.
 *
 * Requirements:
 * `of` is the shim's.
 */
int32_t tband_lib_packet_start_shedding_cores(const struct tband_shedding *of);

/**
 * Stops recording. Returns 0, or -1 if it was not on. Inside the critical section.
 */
int32_t tband_lib_packet_stop_cores(void);

/**
 * Empties the rings. Returns 0, or -1 while recording is on or a core is inside an event. Inside the critical section;
 * no packets are being taken.
 */
int32_t tband_lib_packet_clear_cores(void);

/**
 * Closes the open packet of `core` if it is more than `age` ticks old; with 0 in any case. `now` is the time in ticks.
 * If it is before the packet's last event, the packet ends at that event's time. Inside the critical section of
 * `core`.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
void tband_lib_packet_close_cores(struct tband_core_state *core,
                                  uint32_t age,
                                  uint64_t now);

/**
 * Finds the packets that a recording before a reset has left, so that they can be taken like those of a stopped
 * recording. Returns whether there are any. Nothing was recorded since the reset; in the context that starts
 * recordings. About 30 instructions per packet, and 10 per byte of the metadata.
 */
bool tband_lib_packet_recover_cores(void);

/**
 * Stores the fill level of the metadata buffer of a core. Inside the critical section, and with the lock.
 *
 * Requirements:
 * `core_id` is below the number of cores; `measure` is written to.
 */
void tband_lib_packet_measure_cores(uint32_t core_id,
                                    struct tband_table_measure *measure);

/**
 * Stops recording when a core has closed `packets` more packets; with 0 at once. Inside the critical section.
 */
void tband_lib_packet_freeze_after_cores(uint16_t packets);

/**
 * Returns the number of bytes of the packets that can be taken now, without metadata. Recording is off.
 */
size_t tband_lib_packet_amount_cores(void);

/**
 * Returns true if `tband_packet_write_due` has a packet to write; until then `tband_packet_next` returns NULL. The one
 * reader.
 */
bool tband_lib_packet_is_due_cores(void);

/**
 * Writes the next packet of metadata, or the end of a recording that was stopped, for `tband_packet_next`. The one
 * reader, inside the critical section; about twelve instructions per byte of metadata.
 */
void tband_lib_packet_write_due_cores(void);

/**
 * Returns the next packet, with its checksum, and its length; NULL if there is none. The one reader.
 *
 * Requirements:
 * `len` is written to.
 */
const uint8_t *tband_lib_packet_next_cores(size_t *len);

/**
 * Releases the packet that `tband_packet_next` has returned. The one reader.
 */
void tband_lib_packet_give_back_cores(void);

/**
 * Copies the next bytes of the packet that `tband_packet_next` has returned to `to`, at most `len`, and returns their
 * number; releases the packet after its last byte. The one reader.
 *
 * Requirements:
 * There is room for `len` bytes.
 */
size_t tband_lib_packet_read_cores(uint8_t *to,
                                   size_t len,
                                   const uint8_t *packet,
                                   size_t packet_len);

/**
 * Requests the metadata to be sent again, with the next packets that are taken. Any context.
 */
void tband_lib_packet_request_metadata_cores(void);

/**
 * Returns the memory of a core's packets; NULL for cores that do not exist. Any context.
 */
const uint8_t *tband_lib_packet_memory_cores(unsigned int core_id);

/**
 * Returns the number of bytes of a core's closed packets; 0 until the core has finished. Any context.
 */
size_t tband_lib_packet_memory_amount_cores(unsigned int core_id);

/**
 * Makes room for an event that does not fit into the open packet of `core`, or comes long after the previous one:
 * opens another packet, or makes the event use a long time. If the result is not NULL, try again. If it is NULL, the
 * event must not be recorded, because recording is off or all packets are in use. `begin` is the event's full time in
 * ticks. Inside the critical section of `core`, any task or interrupt.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`, and `setup` is `tband_shim_packets`.
 */
uint8_t *tband_lib_packet_open_next_one_post_mortem(struct tband_core_state *core,
                                                    const struct tband_packet_setup *setup,
                                                    uint64_t begin);

/**
 * Like `tband_lib_core_refuse`, with packets.
 *
 * Requirements:
 * See `tband_lib_core_refuse`.
 */
void tband_lib_packet_refuse_one_post_mortem(struct tband_core_state *core, bool is_metadata);

/**
 * Counts `events` events of `core` as lost: they were left out, and no packet reports them. Inside the critical
 * section of `core`.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
void tband_lib_packet_discard_one_post_mortem(struct tband_core_state *core,
                                              uint32_t events);

/**
 * Called after a packet of `core` was opened: takes steps of the order of shedding, or takes them back, depending on
 * the number of waiting packets; hooks follow. Inside the critical section of `core`; recording is on.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`; `of` is the shim's.
 */
void tband_lib_packet_shed_turn_one_post_mortem(struct tband_core_state *core,
                                                const struct tband_shedding *of);

/**
 * Returns true if `tband_packet_shed_turn` would take a step back if the open packet were closed now. Same context.
 *
 * Requirements:
 * See `tband_packet_shed_turn`.
 */
bool tband_lib_packet_shed_may_turn_back_one_post_mortem(struct tband_core_state *core,
                                                         const struct tband_shedding *of);

/**
 * Closes the open packet of `core`, and of no other core, at time `now`. Inside the critical section of `core`.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
void tband_lib_packet_close_own_one_post_mortem(struct tband_core_state *core,
                                                uint64_t now);

/**
 * Like `tband_lib_filter_state_apply`, with the events that cores shed.
 *
 * Requirements:
 * `of` is the shim's.
 */
void tband_lib_packet_shed_apply_one_post_mortem(const struct tband_shedding *of);

/**
 * With several cores: returns true if counts of shed events must be written by `tband_packet_write_shed`. The one
 * reader.
 *
 * Requirements:
 * `of` is the shim's.
 */
bool tband_lib_packet_shed_is_due_one_post_mortem(const struct tband_shedding *of);

/**
 * Writes the counts of shed events. The one reader, inside the critical section.
 *
 * Requirements:
 * `of` is the shim's.
 */
void tband_lib_packet_write_shed_one_post_mortem(const struct tband_shedding *of);

/**
 * Starts recording into the rings, after their contents. Returns 0, or -1 if recording is on or a core is still inside
 * an event. Inside the critical section.
 */
int32_t tband_lib_packet_start_one_post_mortem(void);

/**
 * Like `tband_packet_start`, with several cores: earlier counts of shed events are recorded or counted as lost, and
 * nothing is shed.
 *
 * Requirements:
 * `of` is the shim's.
 */
int32_t tband_lib_packet_start_shedding_one_post_mortem(const struct tband_shedding *of);

/**
 * Stops recording. Returns 0, or -1 if it was not on. Inside the critical section.
 */
int32_t tband_lib_packet_stop_one_post_mortem(void);

/**
 * Empties the rings. Returns 0, or -1 while recording is on or a core is inside an event. Inside the critical section;
 * no packets are being taken.
 */
int32_t tband_lib_packet_clear_one_post_mortem(void);

/**
 * Closes the open packet of `core` if it is more than `age` ticks old; with 0 in any case. `now` is the time in ticks.
 * If it is before the packet's last event, the packet ends at that event's time. Inside the critical section of
 * `core`.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
void tband_lib_packet_close_one_post_mortem(struct tband_core_state *core,
                                            uint32_t age,
                                            uint64_t now);

/**
 * Finds the packets that a recording before a reset has left, so that they can be taken like those of a stopped
 * recording. Returns whether there are any. Nothing was recorded since the reset; in the context that starts
 * recordings. About 30 instructions per packet, and 10 per byte of the metadata.
 */
bool tband_lib_packet_recover_one_post_mortem(void);

/**
 * Stores the fill level of the metadata buffer of a core. Inside the critical section, and with the lock.
 *
 * Requirements:
 * `core_id` is below the number of cores; `measure` is written to.
 */
void tband_lib_packet_measure_one_post_mortem(uint32_t core_id,
                                              struct tband_table_measure *measure);

/**
 * Stops recording when a core has closed `packets` more packets; with 0 at once. Inside the critical section.
 */
void tband_lib_packet_freeze_after_one_post_mortem(uint16_t packets);

/**
 * Returns the number of bytes of the packets that can be taken now, without metadata. Recording is off.
 */
size_t tband_lib_packet_amount_one_post_mortem(void);

/**
 * Returns true if `tband_packet_write_due` has a packet to write; until then `tband_packet_next` returns NULL. The one
 * reader.
 */
bool tband_lib_packet_is_due_one_post_mortem(void);

/**
 * Writes the next packet of metadata, or the end of a recording that was stopped, for `tband_packet_next`. The one
 * reader, inside the critical section; about twelve instructions per byte of metadata.
 */
void tband_lib_packet_write_due_one_post_mortem(void);

/**
 * Returns the next packet, with its checksum, and its length; NULL if there is none. The one reader.
 *
 * Requirements:
 * `len` is written to.
 */
const uint8_t *tband_lib_packet_next_one_post_mortem(size_t *len);

/**
 * Releases the packet that `tband_packet_next` has returned. The one reader.
 */
void tband_lib_packet_give_back_one_post_mortem(void);

/**
 * Copies the next bytes of the packet that `tband_packet_next` has returned to `to`, at most `len`, and returns their
 * number; releases the packet after its last byte. The one reader.
 *
 * Requirements:
 * There is room for `len` bytes.
 */
size_t tband_lib_packet_read_one_post_mortem(uint8_t *to,
                                             size_t len,
                                             const uint8_t *packet,
                                             size_t packet_len);

/**
 * Requests the metadata to be sent again, with the next packets that are taken. Any context.
 */
void tband_lib_packet_request_metadata_one_post_mortem(void);

/**
 * Returns the memory of a core's packets; NULL for cores that do not exist. Any context.
 */
const uint8_t *tband_lib_packet_memory_one_post_mortem(unsigned int core_id);

/**
 * Returns the number of bytes of a core's closed packets; 0 until the core has finished. Any context.
 */
size_t tband_lib_packet_memory_amount_one_post_mortem(unsigned int core_id);

/**
 * Makes room for an event that does not fit into the open packet of `core`, or comes long after the previous one:
 * opens another packet, or makes the event use a long time. If the result is not NULL, try again. If it is NULL, the
 * event must not be recorded, because recording is off or all packets are in use. `begin` is the event's full time in
 * ticks. Inside the critical section of `core`, any task or interrupt.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`, and `setup` is `tband_shim_packets`.
 */
uint8_t *tband_lib_packet_open_next_one_snapshot(struct tband_core_state *core,
                                                 const struct tband_packet_setup *setup,
                                                 uint64_t begin);

/**
 * Like `tband_lib_core_refuse`, with packets.
 *
 * Requirements:
 * See `tband_lib_core_refuse`.
 */
void tband_lib_packet_refuse_one_snapshot(struct tband_core_state *core, bool is_metadata);

/**
 * Counts `events` events of `core` as lost: they were left out, and no packet reports them. Inside the critical
 * section of `core`.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
void tband_lib_packet_discard_one_snapshot(struct tband_core_state *core,
                                           uint32_t events);

/**
 * Called after a packet of `core` was opened: takes steps of the order of shedding, or takes them back, depending on
 * the number of waiting packets; hooks follow. Inside the critical section of `core`; recording is on.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`; `of` is the shim's.
 */
void tband_lib_packet_shed_turn_one_snapshot(struct tband_core_state *core,
                                             const struct tband_shedding *of);

/**
 * Returns true if `tband_packet_shed_turn` would take a step back if the open packet were closed now. Same context.
 *
 * Requirements:
 * See `tband_packet_shed_turn`.
 */
bool tband_lib_packet_shed_may_turn_back_one_snapshot(struct tband_core_state *core,
                                                      const struct tband_shedding *of);

/**
 * Closes the open packet of `core`, and of no other core, at time `now`. Inside the critical section of `core`.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
void tband_lib_packet_close_own_one_snapshot(struct tband_core_state *core,
                                             uint64_t now);

/**
 * Like `tband_lib_filter_state_apply`, with the events that cores shed.
 *
 * Requirements:
 * `of` is the shim's.
 */
void tband_lib_packet_shed_apply_one_snapshot(const struct tband_shedding *of);

/**
 * With several cores: returns true if counts of shed events must be written by `tband_packet_write_shed`. The one
 * reader.
 *
 * Requirements:
 * `of` is the shim's.
 */
bool tband_lib_packet_shed_is_due_one_snapshot(const struct tband_shedding *of);

/**
 * Writes the counts of shed events. The one reader, inside the critical section.
 *
 * Requirements:
 * `of` is the shim's.
 */
void tband_lib_packet_write_shed_one_snapshot(const struct tband_shedding *of);

/**
 * Starts recording into the rings, after their contents. Returns 0, or -1 if recording is on or a core is still inside
 * an event. Inside the critical section.
 */
int32_t tband_lib_packet_start_one_snapshot(void);

/**
 * Like `tband_packet_start`, with several cores: earlier counts of shed events are recorded or counted as lost, and
 * nothing is shed.
 *
 * Requirements:
 * `of` is the shim's.
 */
int32_t tband_lib_packet_start_shedding_one_snapshot(const struct tband_shedding *of);

/**
 * Stops recording. Returns 0, or -1 if it was not on. Inside the critical section.
 */
int32_t tband_lib_packet_stop_one_snapshot(void);

/**
 * Empties the rings. Returns 0, or -1 while recording is on or a core is inside an event. Inside the critical section;
 * no packets are being taken.
 */
int32_t tband_lib_packet_clear_one_snapshot(void);

/**
 * Closes the open packet of `core` if it is more than `age` ticks old; with 0 in any case. `now` is the time in ticks.
 * If it is before the packet's last event, the packet ends at that event's time. Inside the critical section of
 * `core`.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
void tband_lib_packet_close_one_snapshot(struct tband_core_state *core,
                                         uint32_t age,
                                         uint64_t now);

/**
 * Finds the packets that a recording before a reset has left, so that they can be taken like those of a stopped
 * recording. Returns whether there are any. Nothing was recorded since the reset; in the context that starts
 * recordings. About 30 instructions per packet, and 10 per byte of the metadata.
 */
bool tband_lib_packet_recover_one_snapshot(void);

/**
 * Stores the fill level of the metadata buffer of a core. Inside the critical section, and with the lock.
 *
 * Requirements:
 * `core_id` is below the number of cores; `measure` is written to.
 */
void tband_lib_packet_measure_one_snapshot(uint32_t core_id,
                                           struct tband_table_measure *measure);

/**
 * Stops recording when a core has closed `packets` more packets; with 0 at once. Inside the critical section.
 */
void tband_lib_packet_freeze_after_one_snapshot(uint16_t packets);

/**
 * Returns the number of bytes of the packets that can be taken now, without metadata. Recording is off.
 */
size_t tband_lib_packet_amount_one_snapshot(void);

/**
 * Returns true if `tband_packet_write_due` has a packet to write; until then `tband_packet_next` returns NULL. The one
 * reader.
 */
bool tband_lib_packet_is_due_one_snapshot(void);

/**
 * Writes the next packet of metadata, or the end of a recording that was stopped, for `tband_packet_next`. The one
 * reader, inside the critical section; about twelve instructions per byte of metadata.
 */
void tband_lib_packet_write_due_one_snapshot(void);

/**
 * Returns the next packet, with its checksum, and its length; NULL if there is none. The one reader.
 *
 * Requirements:
 * `len` is written to.
 */
const uint8_t *tband_lib_packet_next_one_snapshot(size_t *len);

/**
 * Releases the packet that `tband_packet_next` has returned. The one reader.
 */
void tband_lib_packet_give_back_one_snapshot(void);

/**
 * Copies the next bytes of the packet that `tband_packet_next` has returned to `to`, at most `len`, and returns their
 * number; releases the packet after its last byte. The one reader.
 *
 * Requirements:
 * There is room for `len` bytes.
 */
size_t tband_lib_packet_read_one_snapshot(uint8_t *to,
                                          size_t len,
                                          const uint8_t *packet,
                                          size_t packet_len);

/**
 * Requests the metadata to be sent again, with the next packets that are taken. Any context.
 */
void tband_lib_packet_request_metadata_one_snapshot(void);

/**
 * Returns the memory of a core's packets; NULL for cores that do not exist. Any context.
 */
const uint8_t *tband_lib_packet_memory_one_snapshot(unsigned int core_id);

/**
 * Returns the number of bytes of a core's closed packets; 0 until the core has finished. Any context.
 */
size_t tband_lib_packet_memory_amount_one_snapshot(unsigned int core_id);

/**
 * Makes room for an event that does not fit into the open packet of `core`, or comes long after the previous one:
 * opens another packet, or makes the event use a long time. If the result is not NULL, try again. If it is NULL, the
 * event must not be recorded, because recording is off or all packets are in use. `begin` is the event's full time in
 * ticks. Inside the critical section of `core`, any task or interrupt.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`, and `setup` is `tband_shim_packets`.
 */
uint8_t *tband_lib_packet_open_next_one_stream(struct tband_core_state *core,
                                               const struct tband_packet_setup *setup,
                                               uint64_t begin);

/**
 * Like `tband_lib_core_refuse`, with packets.
 *
 * Requirements:
 * See `tband_lib_core_refuse`.
 */
void tband_lib_packet_refuse_one_stream(struct tband_core_state *core, bool is_metadata);

/**
 * Counts `events` events of `core` as lost: they were left out, and no packet reports them. Inside the critical
 * section of `core`.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
void tband_lib_packet_discard_one_stream(struct tband_core_state *core,
                                         uint32_t events);

/**
 * Called after a packet of `core` was opened: takes steps of the order of shedding, or takes them back, depending on
 * the number of waiting packets; hooks follow. Inside the critical section of `core`; recording is on.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`; `of` is the shim's.
 */
void tband_lib_packet_shed_turn_one_stream(struct tband_core_state *core,
                                           const struct tband_shedding *of);

/**
 * Returns true if `tband_packet_shed_turn` would take a step back if the open packet were closed now. Same context.
 *
 * Requirements:
 * See `tband_packet_shed_turn`.
 */
bool tband_lib_packet_shed_may_turn_back_one_stream(struct tband_core_state *core,
                                                    const struct tband_shedding *of);

/**
 * Closes the open packet of `core`, and of no other core, at time `now`. Inside the critical section of `core`.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
void tband_lib_packet_close_own_one_stream(struct tband_core_state *core,
                                           uint64_t now);

/**
 * Like `tband_lib_filter_state_apply`, with the events that cores shed.
 *
 * Requirements:
 * `of` is the shim's.
 */
void tband_lib_packet_shed_apply_one_stream(const struct tband_shedding *of);

/**
 * With several cores: returns true if counts of shed events must be written by `tband_packet_write_shed`. The one
 * reader.
 *
 * Requirements:
 * `of` is the shim's.
 */
bool tband_lib_packet_shed_is_due_one_stream(const struct tband_shedding *of);

/**
 * Writes the counts of shed events. The one reader, inside the critical section.
 *
 * Requirements:
 * `of` is the shim's.
 */
void tband_lib_packet_write_shed_one_stream(const struct tband_shedding *of);

/**
 * Starts recording into the rings, after their contents. Returns 0, or -1 if recording is on or a core is still inside
 * an event. Inside the critical section.
 */
int32_t tband_lib_packet_start_one_stream(void);

/**
 * Like `tband_packet_start`, with several cores: earlier counts of shed events are recorded or counted as lost, and
 * nothing is shed.
 *
 * Requirements:
 * `of` is the shim's.
 */
int32_t tband_lib_packet_start_shedding_one_stream(const struct tband_shedding *of);

/**
 * Stops recording. Returns 0, or -1 if it was not on. Inside the critical section.
 */
int32_t tband_lib_packet_stop_one_stream(void);

/**
 * Empties the rings. Returns 0, or -1 while recording is on or a core is inside an event. Inside the critical section;
 * no packets are being taken.
 */
int32_t tband_lib_packet_clear_one_stream(void);

/**
 * Closes the open packet of `core` if it is more than `age` ticks old; with 0 in any case. `now` is the time in ticks.
 * If it is before the packet's last event, the packet ends at that event's time. Inside the critical section of
 * `core`.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
void tband_lib_packet_close_one_stream(struct tband_core_state *core,
                                       uint32_t age,
                                       uint64_t now);

/**
 * Finds the packets that a recording before a reset has left, so that they can be taken like those of a stopped
 * recording. Returns whether there are any. Nothing was recorded since the reset; in the context that starts
 * recordings. About 30 instructions per packet, and 10 per byte of the metadata.
 */
bool tband_lib_packet_recover_one_stream(void);

/**
 * Stores the fill level of the metadata buffer of a core. Inside the critical section, and with the lock.
 *
 * Requirements:
 * `core_id` is below the number of cores; `measure` is written to.
 */
void tband_lib_packet_measure_one_stream(uint32_t core_id,
                                         struct tband_table_measure *measure);

/**
 * Stops recording when a core has closed `packets` more packets; with 0 at once. Inside the critical section.
 */
void tband_lib_packet_freeze_after_one_stream(uint16_t packets);

/**
 * Returns the number of bytes of the packets that can be taken now, without metadata. Recording is off.
 */
size_t tband_lib_packet_amount_one_stream(void);

/**
 * Returns true if `tband_packet_write_due` has a packet to write; until then `tband_packet_next` returns NULL. The one
 * reader.
 */
bool tband_lib_packet_is_due_one_stream(void);

/**
 * Writes the next packet of metadata, or the end of a recording that was stopped, for `tband_packet_next`. The one
 * reader, inside the critical section; about twelve instructions per byte of metadata.
 */
void tband_lib_packet_write_due_one_stream(void);

/**
 * Returns the next packet, with its checksum, and its length; NULL if there is none. The one reader.
 *
 * Requirements:
 * `len` is written to.
 */
const uint8_t *tband_lib_packet_next_one_stream(size_t *len);

/**
 * Releases the packet that `tband_packet_next` has returned. The one reader.
 */
void tband_lib_packet_give_back_one_stream(void);

/**
 * Copies the next bytes of the packet that `tband_packet_next` has returned to `to`, at most `len`, and returns their
 * number; releases the packet after its last byte. The one reader.
 *
 * Requirements:
 * There is room for `len` bytes.
 */
size_t tband_lib_packet_read_one_stream(uint8_t *to,
                                        size_t len,
                                        const uint8_t *packet,
                                        size_t packet_len);

/**
 * Requests the metadata to be sent again, with the next packets that are taken. Any context.
 */
void tband_lib_packet_request_metadata_one_stream(void);

/**
 * Returns the memory of a core's packets; NULL for cores that do not exist. Any context.
 */
const uint8_t *tband_lib_packet_memory_one_stream(unsigned int core_id);

/**
 * Returns the number of bytes of a core's closed packets; 0 until the core has finished. Any context.
 */
size_t tband_lib_packet_memory_amount_one_stream(unsigned int core_id);

/**
 * Decodes the command in a frame of `len` bytes, without its terminating zero byte. Returns false if the frame is
 * damaged or not a command; the arguments of `command` may have changed then. Any context; about 100 bytes of stack,
 * and a few instructions per byte.
 *
 * Requirements:
 * `frame` points to `len` bytes that no other code changes during the call, and `command` to one that may be written.
 */
bool tband_lib_command_read(const uint8_t *frame,
                            size_t len,
                            struct tband_command *command);

/**
 * Announces that a core is about to record; with several cores only, before the event's calls. Returns true
 * if recording is on. It then stays on until `tband_lib_core_exit`, which the core that stops the recording
 * waits for.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`. Inside the critical section.
 */
bool tband_lib_core_enter(struct tband_core_state *core);

/**
 * Reverses `tband_lib_core_enter`.
 *
 * Requirements:
 * See `tband_lib_core_enter`.
 */
void tband_lib_core_exit(struct tband_core_state *core);

/**
 * Counts an event that was caused by the function which takes the core's frames. It is refused because no
 * event can begin inside another. `is_metadata`: it is a metadata event. Called inside that function, and
 * so inside the critical section.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
void tband_lib_core_refuse(struct tband_core_state *core,
                           bool is_metadata);

/**
 * Counts an event while recording is off, for recordings in Tonbandgeraet's way, whose periodic drop counts
 * continue then. Inside the critical section of `core`.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
void tband_lib_core_pass(struct tband_core_state *core);

/**
 * Returns true if recording is off and no core is inside an event. Any context.
 */
bool tband_lib_recorder_finished(void);

/**
 * Returns true if recording is off and this core is not inside an event. Cores that do not exist count as
 * not inside an event. Any context.
 */
bool tband_lib_core_finished(unsigned int core_id);

/**
 * Returns the start of a core's metadata buffer; NULL if there is none. Any context.
 */
const uint8_t *tband_lib_core_metadata(unsigned int core_id);

/**
 * Returns the number of bytes in a core's metadata buffer; 0 if there is none. Any context.
 */
size_t tband_lib_core_metadata_amount(unsigned int core_id);

/**
 * Returns the number of metadata events of a core that did not fit into its metadata buffer; saturates at
 * 65535. Any context.
 */
uint32_t tband_lib_core_metadata_dropped(unsigned int core_id);

/**
 * Returns the number of events dropped since reset, of all cores together, modulo 2^32. Any context.
 */
uint32_t tband_lib_recorder_dropped(void);

/**
 * Sends the description of the recorder, which the other backends send at their start. Inside the
 * critical section of `core`.
 *
 * Requirements:
 * `core` points into `tband_setup.cores`.
 */
void tband_lib_external_send_trace_info(uint64_t ts, struct tband_core_state *core);

/**
 * Changes the selection; it takes effect with `tband_lib_filter_state_apply`. Returns false, and changes nothing, if
 * there is no such event, class, kind or object, if it is always recorded, or if 16 objects are exceptions already.
 * Inside the critical section, one core at a time.
 *
 * Requirements:
 * `state` is the shim's.
 */
bool tband_lib_filter_state_choose(struct tband_filter_state *state,
                                   uint32_t what,
                                   uint32_t of,
                                   bool on,
                                   uint32_t by);

/**
 * Makes hooks follow the selection. With `asks` they evaluate every event exactly, whether it is left out or not.
 * Context as for `tband_lib_filter_state_choose`.
 *
 * Requirements:
 * `state` is the shim's.
 */
void tband_lib_filter_state_apply(struct tband_filter_state *state,
                                  bool asks);

/**
 * Returns true if the event of this id with this first number is not recorded. For hooks, if the bit in `looks` is
 * set.
 *
 * Requirements:
 * `state` is the shim's.
 */
bool tband_lib_filter_state_is_off(const struct tband_filter_state *state,
                                   uint32_t id,
                                   uint32_t number);

/**
 * Writes the fields of the event that records fact number `at` of the filter, from 0 on. Returns false after the last
 * one, and as long as the filter was never changed.
 *
 * Requirements:
 * `state` is the shim's, and `fields` has room for two.
 */
bool tband_lib_filter_state_fact(const struct tband_filter_state *state,
                                 uint32_t at,
                                 uint32_t *fields);

/**
 * Returns a count that rises with each change of the filter, and is odd during a change. Facts belong to one filter if
 * the count is even before the first one and the same after the last. For several cores.
 *
 * Requirements:
 * `state` is the shim's.
 */
uint32_t tband_lib_filter_state_changes(const struct tband_filter_state *state);

/**
 * Looks up the number of the object of this kind, `TBAND_OBJECT_*`, and this name, in the metadata buffer `buf` of
 * core `of`. Returns false if there is none. Inside the critical section; with several cores with the lock.
 *
 * Requirements:
 * `of` points into `tband_setup.cores`, and `buf` is that core's. `name` is readable to its NUL or for `max_str_len`
 * bytes, and `number` may be written.
 */
bool tband_lib_metadata_number_of(const struct tband_core_state *of,
                                  uint8_t *buf,
                                  uint32_t kind,
                                  const char *name,
                                  uint32_t max_str_len,
                                  uint32_t *number);

/**
 * Performs one step of an event through the metadata buffer `buf` of core `of`, with several cores: overwrites the
 * entry that the event replaces with zeros. Returns true if there is more to do in this buffer. The caller may leave
 * the critical section between two steps. It must not leave it between the step that has found the entry, and has set
 * the flag `TBAND_META_NEW`, and `tband_lib_metadata_keep`.
 *
 * A step processes 64 bytes, including gaps, and then continues to the end of the entry. If an entry was stored or
 * moved in any buffer since the last step, the step changes `changes`, and the buffer is searched from its start.
 * Whether recording is on or off; inside the critical section, any task or interrupt; with several cores with the
 * lock.
 *
 * Requirements:
 * `of` points into `tband_setup.cores`, and `buf` is that core's. The numbers of `event` are there.
 */
bool tband_lib_metadata_tidy(struct tband_metadata *event,
                             struct tband_core_state *of,
                             uint8_t *buf);

/**
 * Like `tband_lib_metadata_tidy` with one core, and with several cores for events with the flag `TBAND_META_NEW`.
 * After the last step, or when the step has found the entry that the event replaces, stores the event if it must be
 * kept: in the first gap that was made since the last store, if that is large enough; or after the last entry; or, if
 * that does not fit, after all gaps have been closed. An event that still does not fit is counted.
 *
 * Requirements:
 * See `tband_lib_metadata_tidy`; `buf` has `size` bytes, and the text is readable to its NUL or for
 * `tband_configMAX_STR_LEN` bytes.
 */
bool tband_lib_metadata_keep(struct tband_metadata *event,
                             struct tband_core_state *of,
                             uint8_t *buf,
                             uint32_t size);

/**
 * Sends `len` bytes, which are complete frames (`tband_portBACKEND_STREAM_DATA`). Returns true if they were
 * dropped. Called inside the critical section, from any task or interrupt; with several cores also with the
 * recorder's lock held.
 */
extern bool tband_lib_port_stream(const uint8_t *data,
                                  size_t len);

/**
 * Passes one frame to the user's `tband_submit_to_backend`. Returns true if it was dropped. Context as
 * `tband_lib_port_stream`.
 */
extern bool tband_lib_port_submit(const uint8_t *data,
                                  size_t len,
                                  bool is_metadata);

/**
 * Called when a snapshot buffer is full and recording has stopped
 * (`tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK`). Called once, inside the critical section of the event that did
 * not fit.
 */
extern void tband_lib_port_snapshot_full(void);

/**
 * Returns the nanoseconds per timestamp tick (`tband_portTIMESTAMP_RESOLUTION_NS`), below 2^32. Called at the
 * start of a recording, inside the critical section.
 */
extern uint32_t tband_lib_port_ts_resolution_ns(void);

/**
 * Returns the time now in ticks (`tband_portTIMESTAMP`). Packets only; inside the critical section.
 */
extern uint64_t tband_lib_port_packet_timestamp(void);

/**
 * Returns the numerator, in the lower half, and denominator of the timer's frequency in Hz; 0 if it is unknown, or
 * must not be recorded. Packets, and the streaming backend.
 */
extern uint64_t tband_lib_port_frequency(void);

/**
 * Called when a packet was closed, inside the critical section, if `tband_packet_setup.hands_out` is 1.
 */
extern void tband_lib_port_packet_closed(void);

/**
 * Takes the lock between cores: no effect with one core, otherwise `tband_lib_spin_lock` or `tband_portSPIN_LOCK`.
 * Inside the critical section.
 */
extern void tband_lib_port_lock(void);

/**
 * Releases the lock between cores.
 */
extern void tband_lib_port_unlock(void);

/**
 * Waits for a lock between cores and takes it. For `tband_lib_port_lock`; missing on chips without compare-and-swap.
 */
void tband_lib_spin_lock(void);

/**
 * Releases what `tband_lib_spin_lock` took.
 *
 * Requirements:
 * The caller holds the lock.
 */
void tband_lib_spin_unlock(void);

/**
 * Releases the slots that the probe has read, and lets it read the closed packets. Inside the critical section.
 *
 * Requirements:
 * `buffer` has the memory of the packets.
 */
void tband_lib_rtt_sync(struct tband_rtt_buffer *buffer);

/**
 * Like `tband_lib_rtt_sync`; also writes the packet that is due: metadata, or the end of a recording that was stopped.
 * `now` is the time in ticks. Inside the critical section, outside of any event.
 *
 * Requirements:
 * See `tband_lib_rtt_sync`; `core` points into `tband_setup.cores`.
 */
void tband_lib_rtt_turn(struct tband_core_state *core,
                        struct tband_rtt_buffer *buffer,
                        uint64_t now);

/**
 * Starts recording. Returns 0, or -1 if it is on. `was_announced`: `tband_lib_rtt_announce` was called before. Inside
 * the critical section.
 *
 * Requirements:
 * See `tband_lib_rtt_sync`.
 */
int32_t tband_lib_rtt_start(struct tband_rtt_buffer *buffer,
                            bool was_announced);

/**
 * Lets the probe read the information about the recording before it is started. Returns 0, or -1 if recording is on.
 * Inside the critical section.
 *
 * Requirements:
 * See `tband_lib_rtt_sync`.
 */
int32_t tband_lib_rtt_announce(struct tband_rtt_buffer *buffer);

/**
 * Returns whether the probe has read all packets. Inside the critical section.
 *
 * Requirements:
 * See `tband_lib_rtt_sync`.
 */
bool tband_lib_rtt_was_read(struct tband_rtt_buffer *buffer);

/**
 * Returns true if the event of this id and this first number, at this time, is not recorded on the core. If only
 * shedding is the reason, the event is counted. Inside the critical section of the core, like all functions here.
 *
 * Requirements:
 * `of` is the shim's, and has core `index`.
 */
bool tband_lib_shedding_leaves_out(const struct tband_shedding *of,
                                   uint32_t index,
                                   uint32_t id,
                                   uint32_t number,
                                   uint32_t now);

/**
 * Returns true if the core sheds events of this id.
 *
 * Requirements:
 * See `tband_lib_shedding_leaves_out`.
 */
bool tband_lib_shedding_sheds(const struct tband_shedding *of, uint32_t index, uint32_t id);

/**
 * Like `tband_lib_filter_state_fact`, for the filter and the shed events of the core; at least one fact exists.
 *
 * Requirements:
 * See `tband_lib_shedding_leaves_out`; `fields` has room for two.
 */
bool tband_lib_shedding_fact(const struct tband_shedding *of,
                             uint32_t index,
                             uint32_t at,
                             uint32_t *fields);

/**
 * Writes the fields of the event that records how many events of a class were shed, for a class whose count is not
 * recorded yet. Returns false if there is none.
 *
 * Requirements:
 * See `tband_lib_shedding_leaves_out`; `fields` has room for two.
 */
bool tband_lib_shedding_next_count(const struct tband_shedding *of,
                                   uint32_t index,
                                   uint32_t *fields);

/**
 * Marks the count that `tband_lib_shedding_next_count` has returned as recorded.
 *
 * Requirements:
 * See `tband_lib_shedding_leaves_out`.
 */
void tband_lib_shedding_mark_recorded(const struct tband_shedding *of, uint32_t index);

/**
 * Resets shedding and its counts on the only core, at the start of a recording.
 *
 * Requirements:
 * `of` is the shim's.
 */
void tband_lib_shedding_begin(const struct tband_shedding *of);

/**
 * Starts recording into the snapshot buffers, after their contents. Returns 0, or -1 if recording is
 * on or a core is still inside an event. Inside the critical section of core `core_id`.
 */
int32_t tband_lib_snapshot_trigger(uint32_t core_id);

/**
 * Like `tband_lib_snapshot_trigger`, byte for byte as Tonbandgeraet starts one.
 */
int32_t tband_lib_snapshot_trigger_plain(void);

/**
 * Stops recording. Returns 0, or -1 if it was not on. Inside the critical section.
 */
int32_t tband_lib_snapshot_stop(void);

/**
 * Empties the snapshot buffers. Returns 0, or -1 while recording is on or a core is inside an event.
 * Inside the critical section.
 */
int32_t tband_lib_snapshot_reset(void);

/**
 * Returns the start of a core's snapshot buffer; NULL for cores that do not exist. Any context.
 */
const uint8_t *tband_lib_core_snapshot(unsigned int core_id);

/**
 * Returns the number of bytes in a core's snapshot buffer; 0 until the core has finished. Any
 * context.
 */
size_t tband_lib_core_snapshot_amount(unsigned int core_id);

/**
 * Starts the stream: the metadata of every core, the description of the recorder if `with_metadata`, then
 * events. Returns 0; -1 if recording is on already; -2 if the port dropped part of that: recording is off then,
 * except without `with_metadata`, where the drop is only counted. Inside the critical section of core `core_id`;
 * `ts` is the time now in ticks.
 */
int32_t tband_lib_streaming_start(uint64_t ts,
                                  uint32_t core_id,
                                  bool with_metadata);

/**
 * Like `tband_lib_streaming_start`, byte for byte as Tonbandgeraet starts a stream.
 */
int32_t tband_lib_streaming_start_plain(uint32_t core_id, bool with_metadata);

/**
 * Stops the stream. Returns 0, or -1 if it was not on. Inside the critical section.
 */
int32_t tband_lib_streaming_stop(void);

/**
 * Sets and arms a trigger; returns its number, or -1 if 7 are armed already or it would never fire. Inside the
 * critical section, and with the lock, like all functions here.
 *
 * Requirements:
 * `state` is the shim's.
 */
int32_t tband_lib_trigger_state_set(struct tband_trigger_state *state,
                                    uint32_t condition,
                                    uint32_t of,
                                    int64_t value,
                                    uint32_t nth,
                                    uint32_t after);

/**
 * Arms a trigger as it was set, or disarms it. Returns false if it was never set.
 *
 * Requirements:
 * `state` is the shim's.
 */
bool tband_lib_trigger_state_arm(struct tband_trigger_state *state, uint32_t at, bool armed);

/**
 * Returns true if the trigger is armed.
 *
 * Requirements:
 * `state` is the shim's.
 */
bool tband_lib_trigger_state_is_armed(const struct tband_trigger_state *state, uint32_t at);

/**
 * Prepares the triggers for the start of a recording.
 *
 * Requirements:
 * `state` is the shim's.
 */
void tband_lib_trigger_state_start(struct tband_trigger_state *state);

/**
 * Marks the states of tasks as unknown, because events of tasks were left out.
 *
 * Requirements:
 * `state` is the shim's.
 */
void tband_lib_trigger_state_forget(struct tband_trigger_state *state);

/**
 * Called after an event was recorded on this core; returns the next action, which the caller performs without the
 * lock. 0: none. `TBAND_TRIGGER_ENDS`: record the event `frozen`, with `n`; then the recording ends. Otherwise: record
 * the event `trigger`, with `n` and `is`, and call this function again with its result as `from`, which is 0 in the
 * first call. `TBAND_TRIGGER_STOPS` may be added to `from`.
 *
 * Requirements:
 * `state` is the shim's, and `n` and `is` may be written.
 */
uint32_t tband_lib_trigger_state_sees(struct tband_trigger_state *state,
                                      uint32_t from,
                                      uint32_t id,
                                      uint32_t number,
                                      int64_t value,
                                      uint32_t now,
                                      uint32_t core,
                                      uint32_t *n,
                                      int64_t *is);

/**
 * Returns how often any trigger has fired since the last reset, modulo 2^32.
 *
 * Requirements:
 * `state` is the shim's.
 */
uint32_t tband_lib_trigger_state_fired(const struct tband_trigger_state *state);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TBAND_LIBRARY_H */
