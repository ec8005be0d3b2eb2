/* The identity of the program, a part of tband_shim.c: '@' and eleven hexadecimal digits of a hash of the linked
 * program. The build links twice: the second link defines these symbols, whose values are the characters
 * (cmake/TbandLink.cmake). Without that they are 0, and the text is empty. */
#if defined(TBAND_SHIM) && !defined(TBAND_IDENTITY_H)
#define TBAND_IDENTITY_H

#if tband_configTRACE_INFO_ENABLE && defined(__ELF__) && defined(__GNUC__) && !defined(__ARMCC_VERSION)
extern const char tband_program_0[] __attribute__((weak));
extern const char tband_program_1[] __attribute__((weak));
extern const char tband_program_2[] __attribute__((weak));

/* A symbol has as many characters as an address has bytes. With 64 bits the first two symbols have them all. */
static const struct {
  const void *characters[3];
  char end;
} tband_program = {{tband_program_0, tband_program_1, tband_program_2}, '\0'};
#define TBAND_PROGRAM ((const char *)&tband_program)
/* Read from memory: an instruction cannot compute the symbol's value, because that value is not an address within reach
 * of the code. */
#define TBAND_PROGRAM_WORD(index) \
  ((uint32_t)(uintptr_t)*(const void *const volatile *)&tband_program.characters[index])
#else
#define TBAND_PROGRAM NULL
#define TBAND_PROGRAM_WORD(index) 0U
#endif

#endif /* TBAND_IDENTITY_H */
