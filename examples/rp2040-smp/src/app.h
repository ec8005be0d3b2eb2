/* The tasks and the interrupt of the example. */
#ifndef APP_H_
#define APP_H_

#include <stdbool.h>

enum {
  ISR_ALARM = 1,  /* the hardware timer, 1000 times a second, on core 0 */
  MARKER_WORK = 1 /* a span in which a worker computes */
};

/** Creates tasks and queues, before the scheduler runs. */
void app_create(void);

/** The alarm rings, in its interrupt. */
void app_alarm(void);

#endif /* APP_H_ */
