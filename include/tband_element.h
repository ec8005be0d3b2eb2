/* Records of the application's own that are put together element by element, each with its type, as those of QS and
 * RKH:
 *
 *   TBAND_BEGIN(PHILO_STAT, &philo[n])
 *     TBAND_U8(n)
 *     TBAND_STR("thinking")
 *   TBAND_END()
 *
 * No format is needed, and none has to be known; a record takes a byte more an element than one of TBAND_RECORD().
 * Pulled in by tband.h. */
#ifndef TBAND_ELEMENT_H
#define TBAND_ELEMENT_H

#include "tband.h" /* has no effect unless this header was included directly */

#ifdef __cplusplus
extern "C" {
#endif

#if tband_configENABLE != 0

/* A record during its construction, on the caller's stack. */
typedef struct tband_elements {
  uint32_t type;
  uint32_t used;
  bool is_cut;
  uint8_t bytes[(tband_configMAX_STR_LEN) + 1];
} tband_elements;

/* Defined in the shim, port/records/tband_elements.h. `letter` is the type, as in tband_record.h, or o for an object, p
 * for a function, S for a constant with a name. */
void tband_element_number(tband_elements *record, uint32_t letter, uint64_t number);
void tband_element_text(tband_elements *record, const char *text);
void tband_element_memory(tband_elements *record, const void *at, size_t len);
void tband_record_elements(tband_elements *record, bool is_masked);

/* An element of a list, for languages without these macros: its letter and its value. For a text (s) and memory (m),
 * `at` points to the bytes and `len` is their number. */
typedef struct tband_element {
  uint64_t bits;
  const void *at;
  size_t len;
  uint32_t letter;
} tband_element;

/* Records `count` elements. If the record is about an object, the first element is that object, with letter o. */
void tband_record_element_list(uint32_t type, const tband_element *list, size_t count);
void tband_name_symbol(const volatile void *at, const char *name);
void tband_name_constant(uint32_t constant, const char *name);

#define TBAND_ELEMENT_NUMBER(letter, value) tband_element_number(&tband_record_of_elements, (letter), (value).bits);
#define TBAND_ELEMENT_TEXT(text) tband_element_text(&tband_record_of_elements, (text));
#define TBAND_ELEMENT_MEMORY(at, len) tband_element_memory(&tband_record_of_elements, (at), (len));
#define TBAND_ELEMENTS_END(is_masked) tband_record_elements(&tband_record_of_elements, is_masked);
#define TBAND_ELEMENTS_BEGIN(of_type, object)                                                  \
  tband_elements tband_record_of_elements;                                                     \
  tband_record_of_elements.type = TBAND_AS(uint32_t, of_type);                                 \
  tband_record_of_elements.used = 0;                                                           \
  tband_record_of_elements.is_cut = false;                                                     \
  if (TBAND_AS(const volatile void *, object) != TBAND_NULL) {                                 \
    TBAND_ELEMENT_NUMBER('o', tband_value_of_pointer(TBAND_AS(const volatile void *, object))) \
  }

#else

#define TBAND_ELEMENT_NUMBER(letter, value) (void)(value);
#define TBAND_ELEMENT_TEXT(text) (void)(text);
#define TBAND_ELEMENT_MEMORY(at, len) (void)(at), (void)(len);
#define TBAND_ELEMENTS_END(is_masked)
#define TBAND_ELEMENTS_BEGIN(of_type, object) (void)(of_type), (void)(object);
TBAND_INLINE void tband_name_symbol(const volatile void *at, const char *name) {
  (void)at;
  (void)name;
}
TBAND_INLINE void tband_name_constant(uint32_t constant, const char *name) {
  (void)constant;
  (void)name;
}

#endif

/* Kinds of constants that have names. The lower 28 bits hold the constant, the bits above hold the kind. */
#define TBAND_CONSTANT_IS_SIGNAL 0U
#define TBAND_CONSTANT_IS_TYPE 1U
#define TBAND_CONSTANT_IS_ENUM 2U
#define TBAND_CONSTANT(what, number) ((TBAND_AS(uint32_t, what) << 28) | (TBAND_AS(uint32_t, number)&0xFFFFFFFU))

/** Begins a record of a custom type, a number below 2^28, about an object, which may be NULL. Elements follow,
 * without commas or semicolons, and TBAND_END(). Elements are not evaluated while recording is off. The record
 * takes tband_configMAX_STR_LEN bytes of the stack; the host reports elements that do not fit. */
#define TBAND_BEGIN(type, object)                          \
  do {                                                     \
    if (TBAND_MAY_RECORD(false) && tband_is_recording()) { \
      TBAND_ELEMENTS_BEGIN(type, object)
/** Ends the record and records it, in a critical section. */
#define TBAND_END()           \
  TBAND_ELEMENTS_END(false)   \
  }                           \
  }                           \
  while (0)                   \
    ;
/** Like TBAND_END(), without a critical section, where interrupts that record are already masked. */
#define TBAND_END_NOCRIT()   \
  TBAND_ELEMENTS_END(true)   \
  }                          \
  }                          \
  while (0)                  \
    ;

/** An element of a record: an integer of 8 to 64 bits. */
#define TBAND_U8(value) TBAND_ELEMENT_NUMBER('B', tband_value_of_unsigned(TBAND_AS(uint8_t, value)))
#define TBAND_I8(value) TBAND_ELEMENT_NUMBER('b', tband_value_of_signed(TBAND_AS(int8_t, value)))
#define TBAND_U16(value) TBAND_ELEMENT_NUMBER('H', tband_value_of_unsigned(TBAND_AS(uint16_t, value)))
#define TBAND_I16(value) TBAND_ELEMENT_NUMBER('h', tband_value_of_signed(TBAND_AS(int16_t, value)))
#define TBAND_U32(value) TBAND_ELEMENT_NUMBER('I', tband_value_of_unsigned(TBAND_AS(uint32_t, value)))
#define TBAND_I32(value) TBAND_ELEMENT_NUMBER('i', tband_value_of_signed(TBAND_AS(int32_t, value)))
#define TBAND_U64(value) TBAND_ELEMENT_NUMBER('Q', tband_value_of_unsigned_long(TBAND_AS(uint64_t, value)))
#define TBAND_I64(value) TBAND_ELEMENT_NUMBER('q', tband_value_of_signed_long(TBAND_AS(int64_t, value)))
/** An element: a bool. */
#define TBAND_BOOL(value) TBAND_ELEMENT_NUMBER('?', tband_value_of_unsigned((value) ? 1U : 0U))
/** An element: a number of single or double precision. */
#define TBAND_F32(value) TBAND_ELEMENT_NUMBER('f', tband_value_of_float(value))
#define TBAND_F64(value) TBAND_ELEMENT_NUMBER('d', tband_value_of_double(value))
/** An element: a text, up to its NUL. */
#define TBAND_STR(text) TBAND_ELEMENT_TEXT(text)
/** An element: `len` bytes at `at`. */
#define TBAND_BYTES(at, len) TBAND_ELEMENT_MEMORY((at), (len))
/** An element: an object, by its address; printed by its name if known. */
#define TBAND_OBJ(object) TBAND_ELEMENT_NUMBER('o', tband_value_of_pointer(TBAND_AS(const volatile void *, object)))
/** An element: a function, like TBAND_OBJ(). */
#define TBAND_FUNCTION(function) TBAND_ELEMENT_NUMBER('p', tband_value_of_pointer(TBAND_FUN(function)))
/** An element: a signal, a number below 2^28; printed by its name if known. */
#define TBAND_SIG(signal) \
  TBAND_ELEMENT_NUMBER('S', tband_value_of_unsigned(TBAND_CONSTANT(TBAND_CONSTANT_IS_SIGNAL, (signal))))
/** An element: a value of an enumeration, whose number you choose, 0 to 13; printed by its name if known. */
#define TBAND_ENUM(enumeration, value) \
  TBAND_ELEMENT_NUMBER('S', tband_value_of_unsigned(TBAND_CONSTANT(TBAND_CONSTANT_IS_ENUM + (enumeration), (value))))

/** Names an object, a function, a signal, a type of records or a value of an enumeration as in the source. Metadata.
 * With the program file the host also knows objects and functions. */
#define TBAND_OBJ_DICTIONARY(object) tband_name_symbol((object), #object)
#define TBAND_FUN_DICTIONARY(function) tband_name_symbol(TBAND_FUN(function), #function)
#define TBAND_SIG_DICTIONARY(signal) tband_name_constant(TBAND_CONSTANT(TBAND_CONSTANT_IS_SIGNAL, (signal)), #signal)
#define TBAND_TYPE_DICTIONARY(type) tband_name_constant(TBAND_CONSTANT(TBAND_CONSTANT_IS_TYPE, (type)), #type)
#define TBAND_ENUM_DICTIONARY(enumeration, value) \
  tband_name_constant(TBAND_CONSTANT(TBAND_CONSTANT_IS_ENUM + (enumeration), (value)), #value)

#ifdef __cplusplus
}
#endif

#endif /* TBAND_ELEMENT_H */
