/* Commands from the host: see include/tband_commands.h. Compile this file together with the shim if the firmware
 * receives commands.
 *
 * The input is not trusted: the line may be disturbed, or an attacker may try inputs. A frame that is too long, damaged
 * or not a command is counted and has no other effect. Commands that tband_config.h does not allow are not compiled. */
#include "tband.h"

#if tband_configENABLE != 0

#include "tband_ring.h"

TBAND_RING(tband_commands, tband_configCOMMAND_BUF_SIZE);

/* The frame that is being received; `len` is the buffer's size plus 1 if the frame is too long. */
static struct {
  uint8_t bytes[TBAND_MAX_COMMAND_FRAME];
  uint8_t len;
  /* At most 0xFFFF. */
  uint16_t damaged;
} tband_coming;

/* The last executed command, and its answer: the host repeats the command until it receives the answer. */
static struct {
  tband_command command;
  int64_t is;
  bool is_there;
} tband_last_executed;

bool tband_received(const uint8_t *bytes, size_t len) {
  return !TBAND_MAY_RECORD(false) || tband_ring_put(&tband_commands, bytes, len);
}

/* Takes bytes up to the end of a frame, and returns their number. `is_whole`: the frame is complete. */
static size_t tband_take_frame(const uint8_t *data, size_t len, bool *is_whole) {
  for (size_t at = 0; at < len; at++) {
    if (data[at] == 0U) {
      *is_whole = true;
      return at + 1U;
    }
    if (tband_coming.len < TBAND_MAX_COMMAND_FRAME) {
      tband_coming.bytes[tband_coming.len] = data[at];
    }
    if (tband_coming.len <= TBAND_MAX_COMMAND_FRAME) {
      tband_coming.len++;
    }
  }
  return len;
}

#if tband_configUSE_RTT || tband_configUSE_MAILBOX
/* The same for a buffer that a debug probe writes. Whatever it contains, nothing outside the buffer is read. */
static bool tband_probe_has_sent(volatile tband_rtt_buffer *down) {
  bool is_whole = false;
  for (uint32_t part = 0; (part < 2U) && !is_whole; part++) {
    const uint32_t size = down->size;
    const uint32_t from = down->read;
    const uint32_t write = down->write;
    if ((down->memory == NULL) || (from >= size) || (write >= size) || (from == write)) {
      break;
    }
    const uint32_t to = (from < write) ? write : size;
    const uint32_t after = from + (uint32_t)tband_take_frame(&down->memory[from], to - from, &is_whole);
    down->read = (after < size) ? after : 0U;
  }
  return is_whole;
}
#endif

#if tband_configUSE_RTT
static bool tband_probe_sends(void) {
  tband_rtt_buffer *const down = tband_rtt_down();
  return (down != NULL) && tband_probe_has_sent(down);
}
#elif tband_configUSE_MAILBOX
/* A debugger's script finds it in the ELF file by this name. It writes a command there, as into a down-buffer of
 * RTT. */
static uint8_t tband_mailbox_memory[2U * TBAND_MAX_COMMAND_FRAME];
extern tband_rtt_buffer tband_mailbox;
tband_rtt_buffer tband_mailbox = {"tband", tband_mailbox_memory, sizeof(tband_mailbox_memory), 0, 0, 0};
static bool tband_probe_sends(void) { return tband_probe_has_sent(&tband_mailbox); }
#else
static bool tband_probe_sends(void) { return false; }
#endif

/* Takes bytes up to the end of a frame. Returns true if the frame is complete. */
static bool tband_frame_comes(void) {
  bool is_whole = false;
  /* Twice, since the ring's end may be in between. */
  for (uint32_t part = 0; (part < 2U) && !is_whole; part++) {
    const uint8_t *data;
    const size_t len = tband_ring_peek(&tband_commands, &data);
    tband_ring_skip(&tband_commands, tband_take_frame(data, len, &is_whole));
  }
  return is_whole || tband_probe_sends();
}

static void tband_answer(const tband_command *command, int64_t is) {
  tband_last_executed.command = *command;
  tband_last_executed.is = is;
  tband_last_executed.is_there = true;
  if (tband_is_recording()) {
    TBAND_DESCRIBE_EVENT_ONCE(TBAND_EVT_U32_S64_ANSWER, TBAND_SCHEMA_ANSWER);
    tband_record_answer(command->number, is);
#if TBAND_USES_PACKETS
    /* The host waits for the answer. */
    tband_flush();
#endif
  }
}

#if tband_configALLOW_CONTROL
static int tband_execute_start(void) {
#if tband_configUSE_BACKEND_STREAMING
  return tband_start_streaming();
#elif tband_configUSE_BACKEND_SNAPSHOT
  return tband_trigger_snapshot();
#elif tband_configUSE_BACKEND_POST_MORTEM
  return tband_start_post_mortem();
#else
  return -1; /* nothing starts it */
#endif
}

static void tband_execute_stop(void) {
#if tband_configUSE_BACKEND_STREAMING
  (void)tband_stop_streaming();
#elif tband_configUSE_BACKEND_SNAPSHOT
  (void)tband_stop_snapshot();
#elif tband_configUSE_BACKEND_POST_MORTEM
  (void)tband_freeze();
#endif
}
#endif

#if tband_configALLOW_READ || tband_configALLOW_WRITE
/* `count` values of `size` bytes from `address` on are aligned, and in the memory that commands may touch. */
static bool tband_may_touch(uint32_t size, uint32_t address, uint32_t count) {
  const uint32_t first = (uint32_t)(tband_configCOMMAND_MEMORY_FIRST);
  const uint32_t last = (uint32_t)(tband_configCOMMAND_MEMORY_LAST);
  if (((size != 1U) && (size != 2U) && (size != 4U)) || ((address & (size - 1U)) != 0U) || (address < first) ||
      (address > last)) {
    return false;
  }
  /* Bytes after the first value, which may be 2^32 less that. */
  return (count > 0U) && (count <= (uint32_t)(tband_configCOMMAND_MAX_FILL)) && ((last - address) >= (size - 1U)) &&
         ((count - 1U) <= (((last - address) - (size - 1U)) >> (size >> 1)));
}
#endif

#if tband_configALLOW_READ || tband_configALLOW_WRITE
/* The current object; size 0 if none was selected. */
static struct {
  uint32_t address;
  uint32_t size;
} tband_object;

/* Returns true if the object is inside the memory range that commands may access. */
static bool tband_choose_object(uint32_t address, uint32_t size) {
  const uint32_t first = (uint32_t)(tband_configCOMMAND_MEMORY_FIRST);
  const uint32_t last = (uint32_t)(tband_configCOMMAND_MEMORY_LAST);
  if ((size == 0U) || (address < first) || (address > last) || ((last - address) < (size - 1U))) {
    return false;
  }
  tband_object.address = address;
  tband_object.size = size;
  return true;
}

/* `count` values of `size` bytes are in the current object from `offset` on, and may be touched. */
static bool tband_may_touch_object(uint32_t size, uint32_t offset, uint32_t count) {
  /* The size is checked before it is used as a shift count. */
  return (offset < tband_object.size) && tband_may_touch(size, tband_object.address + offset, count) &&
         (count <= ((tband_object.size - offset) >> (size >> 1)));
}
#endif

#if tband_configALLOW_READ
static int64_t tband_execute_read(uint32_t size, uint32_t address) {
  const volatile void *const at = (const volatile void *)(uintptr_t)address;
  switch (size) {
    case 1:
      return *(const volatile uint8_t *)at;
    case 2:
      return *(const volatile uint16_t *)at;
    default:
      return *(const volatile uint32_t *)at;
  }
}
#endif

#if tband_configALLOW_WRITE
static void tband_execute_write(uint32_t size, uint32_t address, uint32_t value, uint32_t count) {
  for (uint32_t index = 0; index < count; index++) {
    volatile void *const at = (volatile void *)(uintptr_t)(address + (index * size));
    switch (size) {
      case 1:
        *(volatile uint8_t *)at = (uint8_t)value;
        break;
      case 2:
        *(volatile uint16_t *)at = (uint16_t)value;
        break;
      default:
        *(volatile uint32_t *)at = value;
        break;
    }
  }
}
#endif

/* Returns the number of arguments of a kind; 0xFF if the kind is unknown. */
static uint8_t tband_argument_count(uint8_t kind) {
  static const uint8_t counts[] = TBAND_COMMAND_ARGUMENT_COUNTS;
  return (kind < sizeof(counts)) ? counts[kind] : 0xFFU;
}

#if tband_configALLOW_CONTROL && tband_configUSE_FILTERS
static int64_t tband_execute_filter_object(const uint32_t *args) {
  /* The bytes of the numbers after the kind, and the end of the text. */
  char name[(4U * 5U) + 1U];
  for (uint32_t at = 0; at < 20U; at++) {
    name[at] = (char)(uint8_t)(args[1U + (at >> 2)] >> (8U * (at & 3U)));
  }
  name[20] = '\0';
  const uint32_t kind = args[0] & 0xFFU;
  const int result =
      ((args[0] >> 9) == 0U) ? tband_filter_choose_by_name(kind, name, (args[0] >> 8) != 0U, TBAND_BY_HOST) : -1;
  return (result == 0) ? 0 : TBAND_COMMAND_IS_WRONG_ARGUMENTS;
}
#endif

/* Returns true if the command is a repetition. The host increments the number, so a new command of the same kind has
 * another one. */
static bool tband_was_executed(const tband_command *command) {
  const tband_command *const last = &tband_last_executed.command;
  bool is_same = tband_last_executed.is_there && (command->number == last->number) && (command->kind == last->kind) &&
                 (command->count == last->count);
  for (uint32_t at = 0; is_same && (at < command->count); at++) {
    is_same = command->arguments[at] == last->arguments[at];
  }
  return is_same;
}

static void tband_execute_one(const tband_command *command) {
  if (tband_was_executed(command)) {
    tband_answer(command, tband_last_executed.is);
    return;
  }
  const uint8_t count = tband_argument_count(command->kind);
  if (count == 0xFFU) {
    tband_answer(command, TBAND_COMMAND_IS_UNKNOWN);
    return;
  }
  if (count != command->count) {
    tband_answer(command, TBAND_COMMAND_IS_WRONG_ARGUMENTS);
    return;
  }
  const uint32_t *const args = command->arguments;
  int64_t is = TBAND_COMMAND_IS_NOT_ALLOWED;
  switch (command->kind) {
    case TBAND_COMMAND_INFO:
      is = (int64_t)(((uint32_t)tband_coming.damaged << 8) | TBAND_FORMAT_VERSION);
      break;
#if tband_configALLOW_CONTROL
    case TBAND_COMMAND_START:
      is = (tband_execute_start() == 0) ? 0 : TBAND_COMMAND_IS_REFUSED;
      break;
    case TBAND_COMMAND_STOP:
      tband_answer(command, 0);
      tband_execute_stop();
      return;
    case TBAND_COMMAND_NAMES:
#if TBAND_USES_PACKETS
      tband_request_metadata();
      is = 0;
#else
      is = TBAND_COMMAND_IS_REFUSED; /* frames have them once, at the start */
#endif
      break;
    case TBAND_COMMAND_FLUSH:
#if TBAND_USES_PACKETS
      tband_flush();
#endif
      is = 0;
      break;
#endif
#if tband_configALLOW_CONTROL && tband_configUSE_FILTERS
    case TBAND_COMMAND_FILTER:
      is = (tband_filter_choose(args[0], args[1], args[2] != 0U, TBAND_BY_HOST) == 0)
               ? 0
               : TBAND_COMMAND_IS_WRONG_ARGUMENTS;
      break;
    case TBAND_COMMAND_FILTER_OBJECT:
      is = tband_execute_filter_object(args);
      break;
#endif
#if tband_configALLOW_CONTROL && tband_configUSE_TRIGGERS
    case TBAND_COMMAND_TRIGGER: {
      const int64_t value = (int64_t)(((uint64_t)args[3] << 32) | args[2]);
      is = tband_trigger_arm(args[0], args[1], value, args[4], args[5]);
      is = (is < 0) ? TBAND_COMMAND_IS_REFUSED : is;
      break;
    }
    case TBAND_COMMAND_REARM:
    case TBAND_COMMAND_DISARM: {
      const int number = (args[0] < 256U) ? (int)args[0] : -1;
      const int result =
          (command->kind == TBAND_COMMAND_REARM) ? tband_trigger_rearm(number) : tband_trigger_disarm(number);
      is = (result == 0) ? 0 : TBAND_COMMAND_IS_WRONG_ARGUMENTS;
      break;
    }
#endif
#if defined(tband_configON_COMMAND)
    case TBAND_COMMAND_USER:
      /* Not negative, because negative answers are the recorder's error codes. */
      is = (int64_t)(uint32_t)(tband_configON_COMMAND(args[0], args[1], args[2], args[3]));
      break;
#endif
#if tband_configALLOW_READ
    case TBAND_COMMAND_READ:
      is = tband_may_touch(args[0], args[1], 1) ? tband_execute_read(args[0], args[1])
                                                : TBAND_COMMAND_IS_WRONG_ARGUMENTS;
      break;
#endif
#if tband_configALLOW_WRITE
    case TBAND_COMMAND_WRITE:
    case TBAND_COMMAND_FILL: {
      const uint32_t times = (command->kind == TBAND_COMMAND_FILL) ? args[3] : 1U;
      is = TBAND_COMMAND_IS_WRONG_ARGUMENTS;
      if (tband_may_touch(args[0], args[1], times)) {
        tband_execute_write(args[0], args[1], args[2], times);
        is = 0;
      }
      break;
    }
#endif
#if tband_configALLOW_READ || tband_configALLOW_WRITE
    case TBAND_COMMAND_OBJECT:
      is = tband_choose_object(args[0], args[1]) ? 0 : TBAND_COMMAND_IS_WRONG_ARGUMENTS;
      break;
#endif
#if tband_configALLOW_READ
    case TBAND_COMMAND_PEEK:
      is = tband_may_touch_object(args[0], args[1], 1) ? tband_execute_read(args[0], tband_object.address + args[1])
                                                       : TBAND_COMMAND_IS_WRONG_ARGUMENTS;
      break;
#endif
#if tband_configALLOW_WRITE
    case TBAND_COMMAND_POKE:
      is = TBAND_COMMAND_IS_WRONG_ARGUMENTS;
      if (tband_may_touch_object(args[0], args[1], args[3])) {
        tband_execute_write(args[0], tband_object.address + args[1], args[2], args[3]);
        is = 0;
      }
      break;
#endif
#if TBAND_FREERTOS_ENABLED && tband_configALLOW_INJECT
    case TBAND_COMMAND_SEND:
      is = tband_freertos_obey_send(args);
      break;
    case TBAND_COMMAND_NOTIFY:
      is = tband_freertos_obey_notify(args);
      break;
#endif
#if defined(tband_configON_RESET)
    case TBAND_COMMAND_RESET:
      tband_answer(command, 0);
      tband_configON_RESET();
      return;
#endif
    default:
      (void)args;
      break;
  }
  tband_answer(command, is);
}

bool tband_obey(void) {
  if (!TBAND_MAY_RECORD(false)) {
    return false;
  }
  /* Each iteration takes at least one byte. */
  for (uint32_t round = 0; (round < (uint32_t)(tband_configCOMMAND_BUF_SIZE)) && tband_frame_comes(); round++) {
    tband_command command;
    const uint8_t len = tband_coming.len;
    tband_coming.len = 0;
    if ((len <= TBAND_MAX_COMMAND_FRAME) && tband_lib_command_read(tband_coming.bytes, len, &command)) {
      tband_execute_one(&command);
      return true;
    }
    /* Two adjacent zero bytes contain no frame. */
    if ((len > 0U) && (tband_coming.damaged < 0xFFFFU)) {
      tband_coming.damaged++;
    }
  }
  return false;
}

#endif
