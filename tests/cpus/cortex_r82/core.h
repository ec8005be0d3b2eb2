/* The number of the core. Tasks run in EL0, where the register that the core itself has for it cannot be read. */
#ifndef CORE_H
#define CORE_H
static inline unsigned board_core(void) {
  unsigned long number;
  __asm volatile("mrs %0, tpidrro_el0" : "=r"(number));
  return (unsigned)number;
}
#endif
