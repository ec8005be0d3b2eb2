#ifndef FAKE_ZEPHYR_INIT_H
#define FAKE_ZEPHYR_INIT_H

/* The fake kernel calls the only one. The last declaration takes the semicolon. */
#define SYS_INIT(function, level, priority)  \
  int fake_init(void);                       \
  int fake_init(void) { return function(); } \
  int fake_init(void)

#endif
