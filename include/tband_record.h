/* Records of the application's own, with types: TBAND_RECORD("pos %d of %u, %f V", pos, count, volts). Pulled in by
 * tband.h.
 *
 * Nothing is formatted on the target. A record is the address of its format and the arguments as numbers and bytes; the
 * host has the format, from the program's ELF file or from the recording (tband_configRECORD_DICTIONARY), and writes
 * the text. C11 and later, C++11 and later. A conversion that does not fit its argument is an error of the compiler
 * where that checks printf's (GCC, clang and those built on it). Up to eight arguments, each evaluated once, and not at
 * all while recording is off.
 *
 * What the arguments take in a record is at most tband_configMAX_STR_LEN bytes: 1 to 5 a number of up to 32 bits, up to
 * 10 of 64, a text's bytes and 1. What does not fit is left out, and the host shows that. */
#ifndef TBAND_RECORD_H
#define TBAND_RECORD_H

#include "tband.h" /* has no effect unless this header was included directly */

/* An argument on its way into a record: a number, or a pointer to its bytes. */
typedef union tband_value {
  uint64_t bits;
  const void *at;
} tband_value;

/* Bytes of a known length. */
typedef struct tband_block {
  const void *at;
  size_t len;
} tband_block;

/* A text of at most `len` characters. */
typedef struct tband_characters {
  const char *at;
  size_t len;
} tband_characters;

/* Encoding of an argument, four bits each. */
#define TBAND_KIND_WORD 1U       /* a number of up to 32 bits */
#define TBAND_KIND_LONG 2U       /* a number of up to 64 bits */
#define TBAND_KIND_TEXT 3U       /* a text up to its NUL */
#define TBAND_KIND_BLOCK 4U      /* a tband_block */
#define TBAND_KIND_CHARACTERS 5U /* a tband_characters */

#ifdef __cplusplus
extern "C" {
#endif
#if tband_configENABLE != 0
/* Defined in the shim, port/records/tband_records.h. */
void tband_record_words(uint32_t format, uint32_t count, uint32_t first, uint32_t second);
void tband_record_values(uint32_t format, uint32_t kinds, const tband_value *values);
void tband_record_format(const char *format);
#endif
#if defined(__GNUC__)
/* Declared only for the compiler, which compares the arguments with the format; never called and never defined. */
void tband_check_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
#endif
#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
/* A statement without a semicolon after it, because compilers accept pragmas only between statements. An empty format
 * is allowed. */
#define TBAND_CHECK_FORMAT(...)                                           \
  _Pragma("GCC diagnostic push")                                          \
  _Pragma("GCC diagnostic error \"-Wformat\"")                            \
  _Pragma("GCC diagnostic ignored \"-Wformat-zero-length\"") if (0) {     \
    tband_check_format(__VA_ARGS__);                                      \
  }                                                                       \
  _Pragma("GCC diagnostic pop")
#else
#define TBAND_CHECK_FORMAT(...)
#endif

TBAND_INLINE tband_value tband_value_of_bits(uint64_t bits) {
  tband_value value;
  value.bits = bits;
  return value;
}

TBAND_INLINE tband_value tband_value_at(const void *at) {
  tband_value value;
  value.bits = 0;
  value.at = at;
  return value;
}

/* The sign becomes the lowest bit, so that small numbers take few bytes. */
TBAND_INLINE tband_value tband_value_of_signed(int32_t number) {
  return tband_value_of_bits((TBAND_AS(uint32_t, number) << 1) ^ (0U - (TBAND_AS(uint32_t, number) >> 31)));
}

TBAND_INLINE tband_value tband_value_of_unsigned(uint32_t number) { return tband_value_of_bits(number); }

TBAND_INLINE tband_value tband_value_of_signed_long(int64_t number) {
  return tband_value_of_bits((TBAND_AS(uint64_t, number) << 1) ^ (0U - (TBAND_AS(uint64_t, number) >> 63)));
}

TBAND_INLINE tband_value tband_value_of_unsigned_long(uint64_t number) { return tband_value_of_bits(number); }

/* Sign and exponent become the last byte, so that numbers with few digits take few bytes. */
TBAND_INLINE uint32_t tband_reversed(uint32_t word) {
#if defined(__GNUC__)
  return __builtin_bswap32(word);
#else
  return (word >> 24) | ((word >> 8) & 0xFF00U) | ((word << 8) & 0xFF0000U) | (word << 24);
#endif
}

TBAND_INLINE tband_value tband_value_of_float(float number) {
  union {
    float number;
    uint32_t bits;
  } both;
  both.number = number;
  return tband_value_of_bits(tband_reversed(both.bits));
}

TBAND_INLINE tband_value tband_value_of_double(double number) {
  union {
    double number;
    uint64_t bits;
  } both;
  both.number = number;
  return tband_value_of_bits((TBAND_AS(uint64_t, tband_reversed(TBAND_AS(uint32_t, both.bits))) << 32) |
                             tband_reversed(TBAND_AS(uint32_t, both.bits >> 32)));
}

TBAND_INLINE tband_value tband_value_of_long_double(long double number) {
  return tband_value_of_double(TBAND_AS(double, number));
}

TBAND_INLINE tband_value tband_value_of_pointer(const volatile void *pointer) {
  return tband_value_of_bits(TBAND_AS(uintptr_t, pointer));
}

TBAND_INLINE tband_value tband_value_of_text(const char *text) { return tband_value_at(text); }

TBAND_INLINE tband_value tband_value_of_block(const tband_block *block) { return tband_value_at(block); }

TBAND_INLINE tband_value tband_value_of_characters(const tband_characters *text) { return tband_value_at(text); }

#if tband_configENABLE != 0
/* The kinds are constants at compile time, so only one branch remains. */
TBAND_INLINE void tband_record_some(uint32_t format, uint32_t kinds, const tband_value *values) {
  if (kinds == TBAND_KIND_WORD) {
    tband_record_words(format, 1, TBAND_AS(uint32_t, values[0].bits), 0);
  } else if (kinds == (TBAND_KIND_WORD | (TBAND_KIND_WORD << 4))) {
    tband_record_words(format, 2, TBAND_AS(uint32_t, values[0].bits), TBAND_AS(uint32_t, values[1].bits));
  } else {
    tband_record_values(format, kinds, values);
  }
}
#endif

/* Each type has a letter, as in Python's struct: b B h H i I q Q integers of 8 to 64 bits, ? bool, c char, f float, d
 * double, P pointer, s text; and m memory. The letters precede the format. */
#define TBAND_LETTER_OF_SIZE(size, small, large) (((size) > 4U) ? (large) : (small))
#define TBAND_KIND_OF_SIZE(size) (((size) > 4U) ? TBAND_KIND_LONG : TBAND_KIND_WORD)

#if defined(__cplusplus)
/* Kernels before 10.3 include FreeRTOSConfig.h inside extern "C". */
extern "C++" {

template <char LETTER, uint32_t KIND>
struct tband_type {
  static const char letter = LETTER;
  static const uint32_t kind = KIND;
};

/* By overloads: a type without an overload cannot be an argument of a record. */
#define TBAND_TYPE_OF(type, letter, kind, convert)     \
  tband_type<(letter), (kind)> tband_type_of(type);    \
  TBAND_INLINE tband_value tband_value_of(type value) { return convert(value); }
TBAND_TYPE_OF(bool, '?', TBAND_KIND_WORD, tband_value_of_unsigned)
TBAND_TYPE_OF(char, 'c', TBAND_KIND_WORD, tband_value_of_signed)
TBAND_TYPE_OF(signed char, 'b', TBAND_KIND_WORD, tband_value_of_signed)
TBAND_TYPE_OF(unsigned char, 'B', TBAND_KIND_WORD, tband_value_of_unsigned)
TBAND_TYPE_OF(short, 'h', TBAND_KIND_WORD, tband_value_of_signed)
TBAND_TYPE_OF(unsigned short, 'H', TBAND_KIND_WORD, tband_value_of_unsigned)
TBAND_TYPE_OF(int, 'i', TBAND_KIND_WORD, tband_value_of_signed)
TBAND_TYPE_OF(unsigned int, 'I', TBAND_KIND_WORD, tband_value_of_unsigned)
TBAND_TYPE_OF(long, TBAND_LETTER_OF_SIZE(sizeof(long), 'i', 'q'), TBAND_KIND_OF_SIZE(sizeof(long)),
              tband_value_of_signed_long)
TBAND_TYPE_OF(unsigned long, TBAND_LETTER_OF_SIZE(sizeof(long), 'I', 'Q'), TBAND_KIND_OF_SIZE(sizeof(long)),
              tband_value_of_unsigned_long)
TBAND_TYPE_OF(long long, 'q', TBAND_KIND_LONG, tband_value_of_signed_long)
TBAND_TYPE_OF(unsigned long long, 'Q', TBAND_KIND_LONG, tband_value_of_unsigned_long)
TBAND_TYPE_OF(float, 'f', TBAND_KIND_WORD, tband_value_of_float)
TBAND_TYPE_OF(double, 'd', TBAND_KIND_LONG, tband_value_of_double)
TBAND_TYPE_OF(const char *, 's', TBAND_KIND_TEXT, tband_value_of_text)
TBAND_TYPE_OF(const volatile void *, 'P', TBAND_KIND_OF_SIZE(sizeof(void *)), tband_value_of_pointer)

tband_type<'m', TBAND_KIND_BLOCK> tband_type_of(const tband_block &);
TBAND_INLINE tband_value tband_value_of(const tband_block &block) { return tband_value_of_block(&block); }
tband_type<'s', TBAND_KIND_CHARACTERS> tband_type_of(const tband_characters &);
TBAND_INLINE tband_value tband_value_of(const tband_characters &text) { return tband_value_of_characters(&text); }
/* Function pointers need an overload: they do not convert to an object pointer, and would convert to bool as true. */
template <typename RETURNED, typename... ARGUMENTS>
tband_type<'P', TBAND_KIND_OF_SIZE(sizeof(void *))> tband_type_of(RETURNED (*)(ARGUMENTS...));
template <typename RETURNED, typename... ARGUMENTS>
TBAND_INLINE tband_value tband_value_of(RETURNED (*function)(ARGUMENTS...)) {
  return tband_value_of_bits(reinterpret_cast<uintptr_t>(function));
}

/* The argument that printf would get; all pointers become const void *. */
template <typename TYPE>
TYPE tband_checked(TYPE value);
template <typename TYPE>
const void *tband_checked(TYPE *value);
const char *tband_checked(const char *value);
const char *tband_checked(char *value);
const void *tband_checked(const tband_block &value);
const char *tband_checked(const tband_characters &value);

template <uint32_t COUNT>
struct tband_values {
  tband_value of[COUNT];
};

#define TBAND_TYPE(argument) decltype(tband_type_of(argument))::letter
#define TBAND_KIND(argument) decltype(tband_type_of(argument))::kind
#define TBAND_VALUE(argument) tband_value_of(argument)
#define TBAND_CHECKED(argument) tband_checked(argument)
#define TBAND_VALUES(count, ...) (tband_values<count>{{__VA_ARGS__}}.of)

TBAND_INLINE tband_block tband_memory(const void *at, size_t len) {
  tband_block block;
  block.at = at;
  block.len = len;
  return block;
}
TBAND_INLINE tband_characters tband_text_of(const char *at, size_t len) {
  tband_characters text;
  text.at = at;
  text.len = len;
  return text;
}
#define TBAND_MEMORY(at, len) tband_memory((at), (len))
#define TBAND_CHARACTERS(at, len) tband_text_of((at), (len))

} /* extern "C++" */

#else

/* `pointer` is for everything that is neither a number nor a text. */
#define TBAND_BY_TYPE(argument, boolean, character, i8, u8, i16, u16, i32, u32, il, ul, i64, u64, f32, f64, fl, text, \
                      some, block, pointer)                                                                           \
  _Generic((argument), _Bool: boolean, char: character, signed char: i8, unsigned char: u8, short: i16,               \
           unsigned short: u16, int: i32, unsigned int: u32, long: il, unsigned long: ul, long long: i64,             \
           unsigned long long: u64, float: f32, double: f64, long double: fl, char *: text, const char *: text,       \
           const tband_characters *: some, const tband_block *: block, default: pointer)

#define TBAND_TYPE(argument)                                                                                    \
  TBAND_BY_TYPE(argument, '?', 'c', 'b', 'B', 'h', 'H', 'i', 'I', TBAND_LETTER_OF_SIZE(sizeof(long), 'i', 'q'), \
                TBAND_LETTER_OF_SIZE(sizeof(long), 'I', 'Q'), 'q', 'Q', 'f', 'd', 'd', 's', 's', 'm', 'P')
#define TBAND_KIND(argument)                                                                                           \
  TBAND_BY_TYPE(argument, TBAND_KIND_WORD, TBAND_KIND_WORD, TBAND_KIND_WORD, TBAND_KIND_WORD, TBAND_KIND_WORD,         \
                TBAND_KIND_WORD, TBAND_KIND_WORD, TBAND_KIND_WORD, TBAND_KIND_OF_SIZE(sizeof(long)),                   \
                TBAND_KIND_OF_SIZE(sizeof(long)), TBAND_KIND_LONG, TBAND_KIND_LONG, TBAND_KIND_WORD, TBAND_KIND_LONG,  \
                TBAND_KIND_LONG, TBAND_KIND_TEXT, TBAND_KIND_CHARACTERS, TBAND_KIND_BLOCK,                             \
                TBAND_KIND_OF_SIZE(sizeof(void *)))
#define TBAND_VALUE(argument)                                                                                          \
  TBAND_BY_TYPE(argument, tband_value_of_unsigned, tband_value_of_signed, tband_value_of_signed,                       \
                tband_value_of_unsigned, tband_value_of_signed, tband_value_of_unsigned, tband_value_of_signed,        \
                tband_value_of_unsigned, tband_value_of_signed_long, tband_value_of_unsigned_long,                     \
                tband_value_of_signed_long, tband_value_of_unsigned_long, tband_value_of_float, tband_value_of_double, \
                tband_value_of_long_double, tband_value_of_text, tband_value_of_characters, tband_value_of_block,      \
                tband_value_of_pointer)                                                                                \
  (argument)
/* The argument that printf would get; all pointers become const void *. */
#define TBAND_CHECKED(argument)                                                                                 \
  TBAND_BY_TYPE(argument, (argument), (argument), (argument), (argument), (argument), (argument), (argument),   \
                (argument), (argument), (argument), (argument), (argument), (argument), (argument), (argument), \
                (argument), TBAND_AS(const char *, 0), TBAND_AS(const void *, 0), TBAND_AS(const void *, 0))
#define TBAND_VALUES(count, ...) ((const tband_value[count]){__VA_ARGS__})

#define TBAND_MEMORY(at, len) ((const tband_block *)&(const tband_block){(at), (len)})
#define TBAND_CHARACTERS(at, len) ((const tband_characters *)&(const tband_characters){(at), (len)})

#endif

/** Memory as an argument for `%p`: `len` bytes at `at`. Printed as hex bytes. */
#define TBAND_MEM(at, len) TBAND_MEMORY((at), (len))
/** Characters as an argument for `%s`: at most `len` at `at`, up to a NUL. A precision such as `%.4s` does not
 * limit the bytes that are read. */
#define TBAND_CHARS(at, len) TBAND_CHARACTERS((at), (len))
/** A function as an argument, for `%p`. */
#define TBAND_FUN(function) (TBAND_AS(const void *, TBAND_AS(uintptr_t, function)))

/* A format begins with the letters of its arguments and a mark. Its end lets the host recognise a text that is not a
 * format. */
#define TBAND_FORMAT_END "\3"
#define TBAND_MARK_MESSAGE ':'
#define TBAND_MARK_BEGIN '['
#define TBAND_MARK_END ']'

#if tband_configRECORD_DICTIONARY
#define TBAND_INTERNED
#define TBAND_KNOW_FORMAT(text)                           \
  do {                                                    \
    static uint8_t tband_known = 0;                       \
    if (tband_known == 0U) {                              \
      tband_known = 1;                                    \
      tband_record_format(TBAND_AS(const char *, &text)); \
    }                                                     \
  } while (0)
#else
/* Each format has its own section, and port/records/tband_strings.ld makes the linker collect them. So the linker
 * discards the formats of discarded functions, and formats of inline functions cannot conflict. */
#define TBAND_INTERNED TBAND_INTERNED_IN(__COUNTER__)
#define TBAND_INTERNED_IN(number) TBAND_INTERNED_IN_(number)
#define TBAND_INTERNED_IN_(number) __attribute__((section(".tband_strings." #number), aligned(1)))
#define TBAND_KNOW_FORMAT(text) ((void)0)
#endif

#if defined(__cplusplus) || (defined(__STDC_VERSION__) && (__STDC_VERSION__ >= 201112L)) || \
    (defined(__GNUC__) && !defined(__STRICT_ANSI__))

/* Applies a macro to each argument. */
#define TBAND_EACH_1(macro, first) macro(first)
#define TBAND_EACH_2(macro, first, ...) macro(first), TBAND_EACH_1(macro, __VA_ARGS__)
#define TBAND_EACH_3(macro, first, ...) macro(first), TBAND_EACH_2(macro, __VA_ARGS__)
#define TBAND_EACH_4(macro, first, ...) macro(first), TBAND_EACH_3(macro, __VA_ARGS__)
#define TBAND_EACH_5(macro, first, ...) macro(first), TBAND_EACH_4(macro, __VA_ARGS__)
#define TBAND_EACH_6(macro, first, ...) macro(first), TBAND_EACH_5(macro, __VA_ARGS__)
#define TBAND_EACH_7(macro, first, ...) macro(first), TBAND_EACH_6(macro, __VA_ARGS__)
#define TBAND_EACH_8(macro, first, ...) macro(first), TBAND_EACH_7(macro, __VA_ARGS__)
#define TBAND_KINDS_1(first) TBAND_KIND(first)
#define TBAND_KINDS_2(first, ...) TBAND_KIND(first) | ((TBAND_KINDS_1(__VA_ARGS__)) << 4)
#define TBAND_KINDS_3(first, ...) TBAND_KIND(first) | ((TBAND_KINDS_2(__VA_ARGS__)) << 4)
#define TBAND_KINDS_4(first, ...) TBAND_KIND(first) | ((TBAND_KINDS_3(__VA_ARGS__)) << 4)
#define TBAND_KINDS_5(first, ...) TBAND_KIND(first) | ((TBAND_KINDS_4(__VA_ARGS__)) << 4)
#define TBAND_KINDS_6(first, ...) TBAND_KIND(first) | ((TBAND_KINDS_5(__VA_ARGS__)) << 4)
#define TBAND_KINDS_7(first, ...) TBAND_KIND(first) | ((TBAND_KINDS_6(__VA_ARGS__)) << 4)
#define TBAND_KINDS_8(first, ...) TBAND_KIND(first) | ((TBAND_KINDS_7(__VA_ARGS__)) << 4)

#define TBAND_PASTE(one, other) TBAND_PASTE_(one, other)
#define TBAND_PASTE_(one, other) one##other
/* Number of arguments after the first. */
#define TBAND_COUNT_AFTER(...) TBAND_TENTH(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0)
#define TBAND_TENTH(a, b, c, d, e, f, g, h, i, tenth, ...) tenth

#if tband_configENABLE != 0
/* `letters` ends with a comma unless it is empty. */
#define TBAND_RECORD_ANY(mark, count, format, letters, send)                                      \
  if (TBAND_MAY_RECORD(false) && tband_is_recording()) {                                          \
    static const struct {                                                                         \
      char letters_and_mark[(count) + 1];                                                         \
      char text[sizeof(format TBAND_FORMAT_END)];                                                 \
    } tband_text TBAND_INTERNED = {{TBAND_WITHOUT_PARENS letters mark}, format TBAND_FORMAT_END}; \
    TBAND_KNOW_FORMAT(tband_text);                                                                \
    send;                                                                                         \
  }
#define TBAND_WITHOUT_PARENS(...) __VA_ARGS__
#else
#define TBAND_RECORD_ANY(mark, count, format, letters, send)
#endif
#define TBAND_RECORD_0(mark, format)                                                                           \
  do {                                                                                                         \
    TBAND_CHECK_FORMAT(format)                                                                                 \
    TBAND_RECORD_ANY(mark, 0, format, (),                                                                      \
                     tband_record_values(TBAND_AS(uint32_t, TBAND_AS(uintptr_t, &tband_text)), 0, TBAND_NULL)) \
  } while (0)
#define TBAND_RECORD_WITH(mark, count, format, each, kinds, ...)                                                   \
  do {                                                                                                             \
    TBAND_CHECK_FORMAT(format, each(TBAND_CHECKED, __VA_ARGS__))                                                   \
    TBAND_RECORD_ANY(mark, count, format, (each(TBAND_TYPE, __VA_ARGS__), ),                                       \
                     tband_record_some(TBAND_AS(uint32_t, TBAND_AS(uintptr_t, &tband_text)), (kinds(__VA_ARGS__)), \
                                       TBAND_VALUES(count, each(TBAND_VALUE, __VA_ARGS__))))                       \
  } while (0)
#define TBAND_RECORD_1(mark, format, ...) TBAND_RECORD_WITH(mark, 1, format, TBAND_EACH_1, TBAND_KINDS_1, __VA_ARGS__)
#define TBAND_RECORD_2(mark, format, ...) TBAND_RECORD_WITH(mark, 2, format, TBAND_EACH_2, TBAND_KINDS_2, __VA_ARGS__)
#define TBAND_RECORD_3(mark, format, ...) TBAND_RECORD_WITH(mark, 3, format, TBAND_EACH_3, TBAND_KINDS_3, __VA_ARGS__)
#define TBAND_RECORD_4(mark, format, ...) TBAND_RECORD_WITH(mark, 4, format, TBAND_EACH_4, TBAND_KINDS_4, __VA_ARGS__)
#define TBAND_RECORD_5(mark, format, ...) TBAND_RECORD_WITH(mark, 5, format, TBAND_EACH_5, TBAND_KINDS_5, __VA_ARGS__)
#define TBAND_RECORD_6(mark, format, ...) TBAND_RECORD_WITH(mark, 6, format, TBAND_EACH_6, TBAND_KINDS_6, __VA_ARGS__)
#define TBAND_RECORD_7(mark, format, ...) TBAND_RECORD_WITH(mark, 7, format, TBAND_EACH_7, TBAND_KINDS_7, __VA_ARGS__)
#define TBAND_RECORD_8(mark, format, ...) TBAND_RECORD_WITH(mark, 8, format, TBAND_EACH_8, TBAND_KINDS_8, __VA_ARGS__)
#define TBAND_RECORD_MARKED(mark, count, ...) TBAND_PASTE(TBAND_RECORD_, count)(mark, __VA_ARGS__)

/** Records a message: a literal printf format and up to eight arguments. Length modifiers `hh` to `ll`, `j`, `z` and
 * `t`, flags, widths and precisions work as in printf; `%n`, wide characters and `long double` beyond double do not.
 * `%s` takes a text with a NUL or TBAND_CHARS(), `%p` TBAND_MEM(), TBAND_FUN() and any pointer. A number after a
 * name, such as `speed=%d`, also becomes a counter of that name. */
#define TBAND_RECORD(...) TBAND_RECORD_MARKED(TBAND_MARK_MESSAGE, TBAND_COUNT_AFTER(__VA_ARGS__), __VA_ARGS__)
/** Like TBAND_RECORD(), and opens a span of the running task. Spans of a task nest. */
#define TBAND_RECORD_BEGIN(...) TBAND_RECORD_MARKED(TBAND_MARK_BEGIN, TBAND_COUNT_AFTER(__VA_ARGS__), __VA_ARGS__)
/** Like TBAND_RECORD(), and ends the innermost span of the task. */
#define TBAND_RECORD_END(...) TBAND_RECORD_MARKED(TBAND_MARK_END, TBAND_COUNT_AFTER(__VA_ARGS__), __VA_ARGS__)

#endif

#endif /* TBAND_RECORD_H */
