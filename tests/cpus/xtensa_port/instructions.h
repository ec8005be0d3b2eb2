/* What the port takes from the headers that Cadence's compiler has for a core: instructions as macros, and the
 * interrupt level. */
#ifndef INSTRUCTIONS_H
#define INSTRUCTIONS_H
#ifndef __ASSEMBLER__

#define XT_NOP() __asm volatile("nop")
#define XT_MEMW() __asm volatile("memw" ::: "memory")
#define XT_ISYNC() __asm volatile("isync" ::: "memory")
#define XT_RSYNC() __asm volatile("rsync" ::: "memory")
#define XT_WSR_INTENABLE(bits) __asm volatile("wsr %0, intenable" : : "r"(bits) : "memory")
#define XT_WSR_PS(ps) __asm volatile("wsr %0, ps" : : "r"(ps) : "memory")
#define XT_RSIL(level) mask_all()

static inline unsigned mask_all(void) {
  unsigned ps;
  __asm volatile("rsil %0, 15" : "=r"(ps)::"memory");
  return ps;
}

static inline unsigned xthal_intlevel_set(unsigned level) {
  unsigned ps;
  __asm volatile("rsr %0, ps" : "=r"(ps)::"memory");
  __asm volatile("wsr %0, ps\n\trsync" : : "r"((ps & ~15U) | level) : "memory");
  return ps & 15U;
}

static inline unsigned xthal_intlevel_set_min(unsigned level) {
  unsigned ps;
  __asm volatile("rsr %0, ps" : "=r"(ps)::"memory");
  return ((ps & 15U) < level) ? xthal_intlevel_set(level) : (ps & 15U);
}

#endif
#endif
