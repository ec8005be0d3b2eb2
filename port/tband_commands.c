/* Commands of the host: see include/tband_commands.h. Compiled beside the shim by who receives them.
 *
 * What comes is not to be trusted: a line that is disturbed, or somebody who tries what works. A frame that is too long, damaged
 * or no command is counted and nothing else; what is not allowed in tband_config.h is not compiled. */
#include "tband.h"

#if tband_configENABLE != 0

#include "tband_ring.h"

TBAND_RING(tband_commands, tband_configCOMMAND_BUF_SIZE);

/* The frame that comes; `len` is one more than there is room for where it is too long. */
static struct {
  uint8_t bytes[TBAND_MAX_COMMAND_FRAME];
  uint8_t len;
  /* At most 0xFFFF. */
  uint16_t damaged;
} tband_coming;

bool tband_received(const uint8_t *bytes, size_t len) { return tband_ring_put(&tband_commands, bytes, len); }

/* Takes bytes up to the end of a frame. True: one is there, whole. */
static bool tband_frame_comes(void) {
  const uint8_t *data;
  /* Twice, since the ring's end may be in between. */
  for (uint32_t part = 0; part < 2U; part++) {
    const size_t len = tband_ring_peek(&tband_commands, &data);
    for (size_t at = 0; at < len; at++) {
      if (data[at] == 0U) {
        tband_ring_skip(&tband_commands, at + 1U);
        return true;
      }
      if (tband_coming.len < TBAND_MAX_COMMAND_FRAME) {
        tband_coming.bytes[tband_coming.len] = data[at];
      }
      if (tband_coming.len <= TBAND_MAX_COMMAND_FRAME) {
        tband_coming.len++;
      }
    }
    tband_ring_skip(&tband_commands, len);
  }
  return false;
}

static void tband_answer(const tband_command *command, int64_t is) {
  if (tband_is_recording()) {
    /* As a varint an id from 128 on is two bytes, as event_schema has them: the id, and 1, since the event has a time. */
    tband_record_metadata(TBAND_META_TEXT_HEAD(TBAND_EVT_META_U8_U8_STR_EVENT_SCHEMA, 1), TBAND_EVT_U32_S64_ANSWER, 0,
                          TBAND_SCHEMA_ANSWER);
    TBAND_RECORD_U32_S64(ANSWER, command->number, is);
#if TBAND_USES_PACKETS
    /* Somebody waits for it. */
    tband_flush();
#endif
  }
}

#if tband_configALLOW_CONTROL
static int tband_obey_start(void) {
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

static void tband_obey_stop(void) {
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
  /* One byte less than there is, which may be 2^32. */
  return (count > 0U) && (count <= (uint32_t)(tband_configCOMMAND_MAX_FILL)) && ((last - address) >= ((size * count) - 1U));
}
#endif

#if tband_configALLOW_READ
static int64_t tband_obey_read(uint32_t size, uint32_t address) {
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
static void tband_obey_write(uint32_t size, uint32_t address, uint32_t value, uint32_t count) {
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

/* How many arguments a kind has; 0xFF: it is not known. */
static uint8_t tband_argument_count(uint8_t kind) {
  static const uint8_t counts[] = TBAND_COMMAND_ARGUMENT_COUNTS;
  return (kind < sizeof(counts)) ? counts[kind] : 0xFFU;
}

static void tband_obey_one(const tband_command *command) {
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
      is = (tband_obey_start() == 0) ? 0 : TBAND_COMMAND_IS_REFUSED;
      break;
    case TBAND_COMMAND_STOP:
      tband_answer(command, 0);
      tband_obey_stop();
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
#if defined(tband_configON_COMMAND)
    case TBAND_COMMAND_USER:
      /* Not below 0, or its results would look like reasons of the recorder's. */
      is = (int64_t)(uint32_t)(tband_configON_COMMAND(args[0], args[1], args[2], args[3]));
      break;
#endif
#if tband_configALLOW_READ
    case TBAND_COMMAND_READ:
      is = tband_may_touch(args[0], args[1], 1) ? tband_obey_read(args[0], args[1]) : TBAND_COMMAND_IS_WRONG_ARGUMENTS;
      break;
#endif
#if tband_configALLOW_WRITE
    case TBAND_COMMAND_WRITE:
    case TBAND_COMMAND_FILL: {
      const uint32_t times = (command->kind == TBAND_COMMAND_FILL) ? args[3] : 1U;
      is = TBAND_COMMAND_IS_WRONG_ARGUMENTS;
      if (tband_may_touch(args[0], args[1], times)) {
        tband_obey_write(args[0], args[1], args[2], times);
        is = 0;
      }
      break;
    }
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
  /* Each round takes a byte and more. */
  for (uint32_t round = 0; (round < (uint32_t)(tband_configCOMMAND_BUF_SIZE)) && tband_frame_comes(); round++) {
    tband_command command;
    const uint8_t len = tband_coming.len;
    tband_coming.len = 0;
    if ((len <= TBAND_MAX_COMMAND_FRAME) && tband_command_read(tband_coming.bytes, len, &command)) {
      tband_obey_one(&command);
      return true;
    }
    /* Between two zero bytes there is nothing. */
    if ((len > 0U) && (tband_coming.damaged < 0xFFFFU)) {
      tband_coming.damaged++;
    }
  }
  return false;
}

#endif
