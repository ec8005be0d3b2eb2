/*
 * Semihosting: the emulator or debugger does file and console work for the
 * program. Every call stops the core until the host is done: not in interrupts.
 */
#ifndef SEMIHOST_H_
#define SEMIHOST_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Creates or empties a file in the emulator's working folder. Its handle, or -1. */
int semihost_create(const char *name);
/* Returns true if all bytes were written. */
bool semihost_write(int file, const volatile void *data, size_t len);
bool semihost_close(int file);

/* To the emulator's stderr. */
void semihost_print(const char *text);

/* Ends the emulator with this exit status. */
__attribute__((noreturn)) void semihost_exit(int status);

#endif /* SEMIHOST_H_ */
