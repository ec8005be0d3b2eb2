/* Compiler requirements, checked before any code that needs them. Included by tband.h, before all else. */
#ifndef TBAND_REQUIREMENTS_H
#define TBAND_REQUIREMENTS_H

/* `#include TBAND_STOP` after an #error ends the compilation, so that the error is not lost among others that follow
 * from it. There is no such file. */
#define TBAND_STOP "tband stops here: see the error above"

/* GNU's C90 (-std=gnu90) has what the headers need; tband's own C files are C99. */
#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || (__STDC_VERSION__ < 199901L))
#define TBAND_IS_C90 1
#if !defined(__GNUC__) || defined(__STRICT_ANSI__)
#error "tband: this needs C99, and the compiler is set to C90. Compile with -std=c99 or newer, all files that include tband.h or FreeRTOSConfig.h."
#include TBAND_STOP
#endif
#endif

#endif /* TBAND_REQUIREMENTS_H */
