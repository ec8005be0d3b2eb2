/* Compares the interrupt mask before and after every hook of the kernel. The test writes hook_masks.h, which
 * puts these calls round each hook. */
#ifndef MASKS_H_
#define MASKS_H_

#include <stddef.h>
#include <stdint.h>

/* Round the hook of this number. */
void mask_before(uint32_t hook);
void mask_after(uint32_t hook);
/* Of the two hooks that make a critical section of the kernel longer, and do it at the first and the last
 * line of one function. */
void mask_after_first(uint32_t hook);
void mask_after_last(uint32_t hook);

/* Where a hook was seen: a set of these. */
enum {
  MASK_BEFORE_SCHEDULER = 1,
  MASK_IN_TASK = 2,
  MASK_IN_CRITICAL_SECTION = 4,
  MASK_IN_INTERRUPT = 8,
  MASK_INTERRUPTS_OFF = 16, /* all of them, by PRIMASK */
  MASK_NONE = 32,           /* wherever that was: nothing was masked */
};

/* Creates, uses and deletes what can be had before the scheduler runs, with interrupts on and off. */
void masks_before_scheduler(void);
/* From here on it runs. */
void masks_started(void);
/* Writes masks.txt: a line for each hook, its number and where it was seen. */
void masks_save(void);

#endif /* MASKS_H_ */
