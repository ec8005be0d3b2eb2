/* The port for a program on a PC, with one thread and no interrupts. A microcontroller's: port/. */
#ifndef TBAND_PORT_H_
#define TBAND_PORT_H_

#include <stdint.h>

/* In main.c. The signals have the same times. */
uint64_t machine_now(void);

#define tband_portTIMESTAMP()               machine_now()
#define tband_portTIMESTAMP_FREQUENCY_HZ    1000000000
#define tband_portENTER_CRITICAL_FROM_ANY() ((void)0)
#define tband_portEXIT_CRITICAL_FROM_ANY()  ((void)0)

#endif /* TBAND_PORT_H_ */
