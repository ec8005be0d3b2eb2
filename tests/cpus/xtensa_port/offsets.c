/* The place in the kernel's task for the port's assembler, which asm-offsets.h has. */
#include "tasks.c"

const unsigned end_of_stack = __builtin_offsetof(TCB_t, pxEndOfStack);
