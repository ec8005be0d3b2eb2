/* Records that are built element by element, include/tband_element.h: each element is the letter of its type followed
 * by its value, as in records with formats. Names of objects, functions and constants. Part of the shim, after
 * tband_records.h. */
#if defined(TBAND_SHIM) && !defined(TBAND_ELEMENTS_H)
#define TBAND_ELEMENTS_H

/* Replaces an element that does not fit, and all elements after it. */
#define TBAND_ELEMENTS_ARE_CUT '+'
/* Upper limit of the elements: the end of a text and this sign follow after it. */
#define TBAND_ELEMENTS_LEN (((tband_configMAX_STR_LEN) > 8) ? ((tband_configMAX_STR_LEN)-2) : 0)

/* Writes the letter of an element, and returns the address of its value; NULL if it does not fit. */
static uint8_t *tband_element_begins(tband_elements *record, uint32_t letter) {
  record->is_cut = record->is_cut || ((record->used + 1U) > (uint32_t)TBAND_ELEMENTS_LEN);
  if (record->is_cut) {
    return NULL;
  }
  record->bytes[record->used] = (uint8_t)letter;
  return &record->bytes[record->used + 1U];
}

static void tband_element_ends(tband_elements *record, const uint8_t *at) {
  record->used = (uint32_t)(at - record->bytes);
}

void tband_element_number(tband_elements *record, uint32_t letter, uint64_t number) {
  uint8_t *at = tband_element_begins(record, letter);
  if (at != NULL) {
    record->is_cut = !tband_write_long_above_zero(&at, &record->bytes[TBAND_ELEMENTS_LEN], number);
    if (!record->is_cut) {
      tband_element_ends(record, at);
    }
  }
}

static void tband_element_characters(tband_elements *record, const uint8_t *text, size_t most) {
  uint8_t *at = tband_element_begins(record, 's');
  if (at != NULL) {
    record->is_cut = !tband_write_characters(&at, &record->bytes[TBAND_ELEMENTS_LEN], text, most);
    *at++ = TBAND_TEXT_ENDS;
    tband_element_ends(record, at);
  }
}

void tband_element_text(tband_elements *record, const char *text) {
  tband_element_characters(record, (const uint8_t *)text, SIZE_MAX);
}

void tband_element_memory(tband_elements *record, const void *from, size_t len) {
  uint8_t *at = tband_element_begins(record, 'm');
  if (at != NULL) {
    /* As many bytes as fit, with the length of up to three bytes and the codes of COBS. */
    const uint32_t room = (uint32_t)TBAND_ELEMENTS_LEN - (record->used + 1U);
    const uint32_t most = (room > 4U) ? (room - 4U - (room / 128U)) : 0U;
    tband_block block;
    block.at = from;
    block.len = (len < most) ? len : most;
    const bool is_whole = tband_write_block(&at, &record->bytes[TBAND_ELEMENTS_LEN], &block);
    record->is_cut = (len > most) || !is_whole;
    if (is_whole) {
      tband_element_ends(record, at);
    }
  }
}

/* Avoids tband_record_u32_str() and its parts: the compiler would merge both into one function, which would make event
 * markers slower. */
#if TBAND_USES_PACKETS
#define TBAND_WRITE_TYPED(type, text) \
  tband_write_fields(TBAND_EVT_U32_STR_TYPED | (1U << 8) | TBAND_META_TEXT, tband_now, (type), (text), tband_core)
#else
#define TBAND_WRITE_TYPED(type, text) TBAND_WRITE_U32_STR(TBAND_EVT_U32_STR_TYPED, *(type), (text))
#endif

#define TBAND_LOOKING_WRITE_TYPED(record, text) \
  TBAND_AND_LOOK(TBAND_EVT_U32_STR_TYPED, (record)->type, TBAND_WRITE_TYPED(&(record)->type, text))

/* The event is described once, and outside the recorder's critical section, which may not nest: the caller may already
 * have masked interrupts, as kernels do when they create a named object. */
static uint8_t tband_typed_is_described;
static TBAND_NEVER_INLINE void tband_describe_typed(void) {
  tband_typed_is_described = 1;
  TBAND_DESCRIBE_EVENT(TBAND_EVT_U32_STR_TYPED, TBAND_SCHEMA_TYPED);
  /* Names of addresses are valid for one program only, too. */
  if (tband_record_is_described == 0U) {
    tband_keep_program();
  }
}

void tband_record_elements(tband_elements *record, bool is_masked) {
  const char *const text = (const char *)record->bytes;
  if (record->is_cut) {
    record->bytes[record->used++] = (uint8_t)TBAND_ELEMENTS_ARE_CUT;
  }
  record->bytes[record->used] = 0;
  if (!TBAND_USUALLY(tband_typed_is_described != 0U)) {
    tband_describe_typed();
  }
  if (is_masked) {
    if (!TBAND_IS_REFUSED(false) && tband_is_recording()) {
      TBAND_IN_RECORDING_MASKED(TBAND_UNLESS_LEFT_OUT(TBAND_EVT_U32_STR_TYPED, record->type,
                                                      TBAND_LOOKING_WRITE_TYPED(record, text)));
    }
    return;
  }
  TBAND_IF_RECORDING(
      TBAND_UNLESS_LEFT_OUT(TBAND_EVT_U32_STR_TYPED, record->type, TBAND_LOOKING_WRITE_TYPED(record, text)));
}

void tband_record_element_list(uint32_t type, const tband_element *list, size_t count) {
  tband_elements record;
  record.type = type;
  record.used = 0;
  record.is_cut = false;
  for (; count != 0U; count--) {
    if (list->letter == (uint32_t)'s') {
      tband_element_characters(&record, (const uint8_t *)list->at, list->len);
    } else if (list->letter == (uint32_t)'m') {
      tband_element_memory(&record, list->at, list->len);
    } else {
      tband_element_number(&record, list->letter, list->bits);
    }
    list++;
  }
  tband_record_elements(&record, false);
}

void tband_name_symbol(const volatile void *at, const char *name) {
  if (TBAND_IS_REFUSED(true)) {
    return;
  }
  TBAND_DESCRIBE_METADATA(TBAND_EVT_META_U32_STR_SYMBOL, TBAND_SCHEMA_SYMBOL);
  tband_keep_named(TBAND_EVT_META_U32_STR_SYMBOL, (uint32_t)(uintptr_t)at, name);
}

void tband_name_constant(uint32_t constant, const char *name) {
  if (TBAND_IS_REFUSED(true)) {
    return;
  }
  TBAND_DESCRIBE_METADATA(TBAND_EVT_META_U32_STR_CONSTANT, TBAND_SCHEMA_CONSTANT);
  tband_keep_named(TBAND_EVT_META_U32_STR_CONSTANT, constant, name);
}

#endif /* TBAND_ELEMENTS_H */
