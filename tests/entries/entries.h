/* Calls of every function and macro of the public headers, for programs that make them in each context. */
#ifndef ENTRIES_H_
#define ENTRIES_H_

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tband.h"

#if defined(__arm__)
#define ENTRIES_HAVE_FAULTS 1
#endif
#ifndef ENTRIES_HAVE_FAULTS
#define ENTRIES_HAVE_FAULTS 0
#endif
#ifndef ENTRIES_HAVE_COMMANDS
#define ENTRIES_HAVE_COMMANDS 1
#endif

enum { ANYWHERE = 0, IN_TASKS = 1 };

/* calls.h is C and C++; their casts and null pointers have different syntax. */
#ifdef __cplusplus
#define AS_INT32(value) static_cast<int32_t>(value)
#define NO_POINTER nullptr
#else
#define AS_INT32(value) (int32_t)(value)
#define NO_POINTER NULL
#endif

/* See calls.h. */
struct entry {
  const char *name;
  int where;
  uint32_t events;
  uint32_t names;
  int32_t answer;
  int32_t (*call)(void);
};
extern const struct entry entry_list[];
extern const size_t entry_count;

/* What a task without privileges may reach: objects of the kernel, and what it and its supervisor tell each other. */
enum { ENTRIES_SIZE = 1024 };
struct entries {
  void *queue;
  void *stream_buffer;
  void *event_group;
  void *timer;
  void *task;
  const struct entry *volatile wanted; /* NULL: the call has returned, or faulted */
  volatile int32_t answer;
  volatile bool is_fault;
  volatile bool is_suspended; /* the scheduler, around the call */
  jmp_buf jump;
};
extern struct entries entries;

/* Starts a recording if none is on, and undoes what the calls have filtered and armed. */
void entries_restore(void);
/* Stops the recording if one is on. */
void entries_stop(void);
/* Stops and restores, then records the entry's name, so that the recording shows that it still works. */
void entries_mark(const struct entry *entry);

/* Defined by the program: bytes that a call has taken out of the ring, NULL or none if it has taken nothing. */
void entries_sends(const uint8_t *bytes, size_t len);
/* Defined by the program: mask the interrupts that record. */
void entries_mask(void);
void entries_unmask(void);
/* Defined by the program: something is wrong. */
void entries_fail(const char *what, const struct entry *entry);

#endif /* ENTRIES_H_ */
