/* As an architecture's tband_port.h does that the module does not know. */
#include <stdint.h>
uint32_t fake_isr_number(void);
