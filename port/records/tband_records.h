/* Records of the application, include/tband_record.h: how their arguments are encoded, and formats if the recording
 * contains them. Part of the shim.
 *
 * A record is an event with a number, which is the address of its format, and a text, which holds its arguments. So
 * readers that do not know it skip it, and frames need no special case. A text contains no NUL, and a number above 0
 * has none as LEB128, so numbers are written one higher. The characters of a text argument are unchanged except for two
 * values. A text argument ends with the byte 1, with the record, or, if it is truncated, with the escape. A memory
 * block has its length, then its bytes encoded as COBS. tband-conv/src/records/values.rs reads it. */
#if defined(TBAND_SHIM) && !defined(TBAND_RECORDS_H)
#define TBAND_RECORDS_H

/* TBAND_TEXT_ENDS ends a text. The escape precedes the bytes 1 and 2 of a text, which are written 2 higher then. An
 * escape that is followed by the end or by another escape means that the text was truncated. */
#define TBAND_TEXT_ENDS 1U
#define TBAND_TEXT_ESCAPE 2U

/* A number plus one, as LEB128. */
TBAND_INLINE uint8_t *tband_write_above_zero(uint8_t *at, uint32_t value) {
  uint32_t above = value + 1U;
  if (!TBAND_USUALLY(above != 0U)) {
    for (uint32_t zeros = 0; zeros < 4U; zeros++) {
      *at++ = 0x80;
    }
    above = 0x10;
  }
  while (above >= 0x80U) {
    *at++ = (uint8_t)(above | 0x80U);
    above >>= 7;
  }
  *at++ = (uint8_t)above;
  return at;
}

/* The same for up to 64 bits, in 32-bit halves, which fit registers. Returns false and writes nothing if the number
 * does not fit. */
static bool tband_write_long_above_zero(uint8_t **at, const uint8_t *end, uint64_t value) {
  uint8_t *to = *at;
  uint32_t low = (uint32_t)value + 1U;
  uint32_t high = (uint32_t)(value >> 32) + ((low == 0U) ? 1U : 0U);
  /* 2^64 has a bit that is in neither. */
  uint32_t above = ((low | high) == 0U) ? 1U : 0U;
  do {
    const uint32_t septet = low & 0x7FU;
    if (to == end) {
      return false;
    }
    low = (low >> 7) | (high << 25);
    high = (high >> 7) | (above << 25);
    *to++ = (uint8_t)(septet | (((low | high | above) != 0U) ? 0x80U : 0U));
    above = 0;
  } while ((low | high) != 0U);
  *at = to;
  return true;
}

/* Writes at most `most` characters of a text, without its end. Returns false if not all of it fits. */
static bool tband_write_characters(uint8_t **at, const uint8_t *end, const uint8_t *text, size_t most) {
  uint8_t *to = *at;
  bool is_whole = false;
  for (;;) {
    uint32_t byte = 0;
    if ((text != NULL) && (most != 0U)) {
      byte = *(const volatile uint8_t *)text; /* once: it may change in between */
      text++;
      most--;
    }
    if (byte == 0U) {
      is_whole = true;
      break;
    }
    if ((end - to) < ((byte <= TBAND_TEXT_ESCAPE) ? 2 : 1)) {
      break;
    }
    if (byte <= TBAND_TEXT_ESCAPE) {
      *to++ = TBAND_TEXT_ESCAPE;
      byte += TBAND_TEXT_ESCAPE;
    }
    *to++ = (uint8_t)byte;
  }
  *at = to;
  return is_whole;
}

/* The same with the end of the text. The end needs no room: a text that fills the record ends there. A truncated text
 * ends with the escape. */
static bool tband_write_whole_text(uint8_t **at, const uint8_t *end, const uint8_t *text, size_t most) {
  uint8_t *const first = *at;
  const bool is_whole = tband_write_characters(at, end, text, most);
  const uint8_t last = (uint8_t)(is_whole ? TBAND_TEXT_ENDS : TBAND_TEXT_ESCAPE);
  if (*at != end) {
    *(*at)++ = last;
  } else if (!is_whole && (*at != first)) {
    (*at)[-1] = last;
  }
  return is_whole;
}

/* Writes a block of memory. */
static bool tband_write_block(uint8_t **at, const uint8_t *end, const tband_block *block) {
  const uint8_t *from = (const uint8_t *)block->at;
  size_t left = (from != NULL) ? block->len : 0U;
  if (!tband_write_long_above_zero(at, end, left) || (*at == end)) {
    return false;
  }
  uint8_t *code = *at;
  uint8_t *to = code + 1;
  *code = 1;
  while ((left != 0U) && (to != end)) {
    const uint8_t byte = *(const volatile uint8_t *)from;
    from++;
    left--;
    if (byte != 0U) {
      *to++ = byte;
      *code = (uint8_t)(*code + 1U);
    }
    if ((byte == 0U) || (*code == 0xFFU)) {
      if (to == end) {
        left = 1; /* not complete: this run is not the last one */
        break;
      }
      code = to++;
      *code = 1;
    }
  }
  *at = to;
  return left == 0U;
}

/* The arguments, one after the other, as far as there is room. */
static uint8_t *tband_write_values(uint8_t *at, const uint8_t *end, uint32_t kinds, const tband_value *values) {
  bool is_whole = true;
  for (; is_whole && (kinds != 0U); kinds >>= 4) {
    const uint32_t kind = kinds & 0xFU;
    if (kind == TBAND_KIND_TEXT) {
      is_whole = tband_write_whole_text(&at, end, (const uint8_t *)values->at, SIZE_MAX);
    } else if (kind == TBAND_KIND_CHARACTERS) {
      const tband_characters *const text = (const tband_characters *)values->at;
      is_whole = tband_write_whole_text(&at, end, (const uint8_t *)text->at, text->len);
    } else if (kind == TBAND_KIND_BLOCK) {
      is_whole = tband_write_block(&at, end, (const tband_block *)values->at);
    } else {
      is_whole = tband_write_long_above_zero(&at, end, values->bits);
    }
    values++;
  }
  return at;
}

#if TBAND_USES_PACKETS
TBAND_HOT bool tband_try_words(uint32_t format, uint32_t count, uint32_t now, uint32_t first, uint32_t second,
                               tband_core_state *core) {
  uint8_t *const limit = tband_limit(core);
  uint8_t *at = tband_write_head(TBAND_EVT_U32_STR_RECORD, now, limit, TBAND_EVENT_LEN(16U));
  if (!TBAND_USUALLY(at != NULL)) {
    return false;
  }
  at = tband_write_number(at, format);
  at = tband_write_above_zero(at, first);
  if (count != 1U) {
    at = tband_write_above_zero(at, second);
  }
  *at++ = 0;
  tband_end_event(limit, at);
  return true;
}
TBAND_RETRIED_WRITER(words,
                     (uint32_t format, uint32_t count, uint32_t now, uint32_t first, uint32_t second,
                      tband_core_state *core),
                     (format, count, now, first, second, core), TBAND_EVT_U32_STR_RECORD, format)

TBAND_HOT bool tband_try_values_event(uint32_t format, uint32_t kinds, uint32_t now, const tband_value *values,
                                tband_core_state *core) {
  uint8_t *const limit = tband_limit(core);
  const uint32_t len = TBAND_EVENT_LEN(6U + (tband_configMAX_STR_LEN));
  uint8_t *at = tband_write_head(TBAND_EVT_U32_STR_RECORD, now, limit, len);
  if (!TBAND_USUALLY(at != NULL)) {
    return false;
  }
  at = tband_write_number(at, format);
  at = tband_write_values(at, at + (tband_configMAX_STR_LEN), kinds, values);
  *at++ = 0;
  tband_end_event(limit, at);
  return true;
}
TBAND_RETRIED_WRITER(values_event,
                     (uint32_t format, uint32_t kinds, uint32_t now, const tband_value *values, tband_core_state *core),
                     (format, kinds, now, values, core), TBAND_EVT_U32_STR_RECORD, format)
#define TBAND_WRITE_WORDS(format, count, first, second) \
  tband_write_words((format), (count), tband_now, (first), (second), tband_core)
#define TBAND_WRITE_VALUES(format, kinds, values) \
  tband_write_values_event((format), (kinds), tband_now, (values), tband_core)
#else
/* Frames have texts whole. */
#define TBAND_WRITE_WORDS(format, count, first, second)                             \
  do {                                                                              \
    uint8_t tband_text[5 + 5 + 1];                                                  \
    uint8_t *tband_to = tband_write_above_zero(tband_text, (first));                \
    if ((count) != 1U) {                                                            \
      tband_to = tband_write_above_zero(tband_to, (second));                        \
    }                                                                               \
    *tband_to = 0;                                                                  \
    TBAND_WRITE_U32_STR(TBAND_EVT_U32_STR_RECORD, (format), (const char *)tband_text); \
  } while (0)
#define TBAND_WRITE_VALUES(format, kinds, values)                                                       \
  do {                                                                                                  \
    uint8_t tband_text[(tband_configMAX_STR_LEN) + 1];                                                  \
    *tband_write_values(tband_text, &tband_text[tband_configMAX_STR_LEN], (kinds), (values)) = 0;       \
    TBAND_WRITE_U32_STR(TBAND_EVT_U32_STR_RECORD, (format), (const char *)tband_text);                  \
  } while (0)
#endif

/* Stores metadata that not every reader knows in the metadata buffer. With packets and a metadata buffer it goes
 * nowhere else: it is sent from the buffer in frames, which older readers skip. The head holds the maximum length of
 * the text. */
static TBAND_NEVER_INLINE void tband_keep_only(uint32_t head, uint32_t first, uint32_t second, const char *text) {
#if TBAND_USES_PACKETS && tband_configUSE_METADATA_BUF
  if (tband_metadata_goes(head, first, second, text, false) && tband_is_recording()) {
    tband_request_metadata();
  }
#else
  (void)tband_metadata_goes(head, first, second, text, true);
#endif
}

/* Describes a metadata event, once: the metadata buffer then contains the description. The number of event_schema has
 * two bytes: the id, and 2 for metadata. The text comes from the recorder, and may be longer than other strings: as
 * long as the frame of any event allows, less five bytes for the rest. Events in packets have no such room, and with
 * long strings the limit is not needed: the head has 16 bits for a length. */
#if (TBAND_USES_PACKETS && !tband_configUSE_METADATA_BUF) || (tband_configMAX_STR_LEN >= 255)
#define TBAND_SCHEMA_LEN (tband_configMAX_STR_LEN)
#else
#define TBAND_SCHEMA_LEN (TBAND_FRAME_BUF_SIZE(tband_configMAX_STR_LEN) - 5)
#endif
static uint8_t tband_metadata_is_described; /* a bit for each id */
static TBAND_NEVER_INLINE void tband_describe_metadata(uint32_t id, const char *schema) {
  tband_metadata_is_described |= (uint8_t)(1U << (id & 7U));
  tband_keep_only(TBAND_META_TEXT_HEAD(TBAND_EVT_META_U8_U8_STR_EVENT_SCHEMA, 1) | TBAND_META_TEXT_OF(TBAND_SCHEMA_LEN),
                  (id & 0x7FU) | (2U << 7), 0, schema);
}
#define TBAND_DESCRIBE_METADATA(id, schema)                                  \
  do {                                                                       \
    if (((tband_metadata_is_described & (1U << ((id)&7U))) == 0U) &&         \
        (sizeof(schema) <= (size_t)(TBAND_SCHEMA_LEN) + 1U)) {               \
      tband_describe_metadata((id), (schema));                               \
    }                                                                        \
  } while (0)

static void tband_keep_named(uint32_t id, uint32_t number, const char *text) {
  tband_keep_only(TBAND_META_TEXT_HEAD(id, 1) | TBAND_META_TEXT_OF(tband_configMAX_STR_LEN), number, 0, text);
}

#if defined(__GNUC__) && !tband_configRECORD_DICTIONARY
/* The note with the build id, if a linker script defines this symbol: docs/src/guide/firmware/records.md. */
extern const uint8_t tband_build_note[] __attribute__((weak));

static uint32_t tband_word_of_note(uint32_t at) {
  const uint8_t *const from = &tband_build_note[at];
  return ((uint32_t)from[0] << 24) | ((uint32_t)from[1] << 16) | ((uint32_t)from[2] << 8) | from[3];
}

/* Records the identity of the program, so that the host does not use the formats of a different one. Without a build id
 * the symbol points to arbitrary memory instead of a note, so its begin is checked: the lengths of a name and of the
 * id, a type, and the name. */
static void tband_keep_program(void) {
  if ((tband_build_note != NULL) && (tband_word_of_note(0) == 0x04000000U) && (tband_word_of_note(8) == 0x03000000U) &&
      (tband_word_of_note(12) == 0x474E5500U)) {
    TBAND_DESCRIBE_METADATA(TBAND_EVT_META_U32_U32_PROGRAM, TBAND_SCHEMA_PROGRAM);
    tband_keep_only(TBAND_META_HEAD(TBAND_EVT_META_U32_U32_PROGRAM, 2) | TBAND_META_TEXT_OF(1), tband_word_of_note(16),
                    tband_word_of_note(20), NULL);
  }
}
#else
#define tband_keep_program() ((void)0)
#endif


/* Describes the event, once: the metadata buffer then contains the description. */
static uint8_t tband_record_is_described;
static TBAND_NEVER_INLINE void tband_describe_record(void) {
  tband_record_is_described = 1;
  TBAND_DESCRIBE_EVENT(TBAND_EVT_U32_STR_RECORD, TBAND_SCHEMA_RECORD);
  tband_keep_program();
}
#define TBAND_DESCRIBE_RECORD()                          \
  do {                                                   \
    if (!TBAND_USUALLY(tband_record_is_described != 0U)) { \
      tband_describe_record();                           \
    }                                                    \
  } while (0)

TBAND_ENTRY_IN_ONE(TBAND_INLINE, tband_record_described_words,
                   (uint32_t format, uint32_t count, uint32_t first, uint32_t second), TBAND_IN_RECORDING,
                   TBAND_EVT_U32_STR_RECORD, format,
                   TBAND_AND_LOOK(TBAND_EVT_U32_STR_RECORD, format, TBAND_WRITE_WORDS(format, count, first, second)))

void tband_record_words(uint32_t format, uint32_t count, uint32_t first, uint32_t second) {
  TBAND_DESCRIBE_RECORD();
  tband_record_described_words(format, count, first, second);
}

TBAND_ENTRY_IN_ONE(TBAND_INLINE, tband_record_described_values,
                   (uint32_t format, uint32_t kinds, const tband_value *values), TBAND_IN_RECORDING,
                   TBAND_EVT_U32_STR_RECORD, format,
                   TBAND_AND_LOOK(TBAND_EVT_U32_STR_RECORD, format, TBAND_WRITE_VALUES(format, kinds, values)))

void tband_record_values(uint32_t format, uint32_t kinds, const tband_value *values) {
  TBAND_DESCRIBE_RECORD();
  tband_record_described_values(format, kinds, values);
}

#if tband_configRECORD_DICTIONARY
/* A piece, at its address. */
static void tband_keep_format(const char *piece) {
  TBAND_DESCRIBE_METADATA(TBAND_EVT_META_U32_STR_FORMAT, TBAND_SCHEMA_FORMAT);
  tband_keep_named(TBAND_EVT_META_U32_STR_FORMAT, (uint32_t)(uintptr_t)piece, piece);
}

/* A format, in pieces of the longest string: each at its address. */
void tband_record_format(const char *format) {
  const char *piece = format;
  const char *at = format;
  while (*at != '\0') {
    at++;
    if ((size_t)(at - piece) == (size_t)(tband_configMAX_STR_LEN)) {
      tband_keep_format(piece);
      piece = at;
    }
  }
  if (at != piece) {
    tband_keep_format(piece);
  }
}
#endif

#endif /* TBAND_RECORDS_H */
