/* Declarations that both languages share. */
#ifndef HELLO_H_
#define HELLO_H_

#ifdef __cplusplus
extern "C" {
#endif

enum { MARKER_ROUND = 1, VALUE_LEVEL = 1, ISR_TIMER = 1 };

/* One sample of a filter, recorded while it is computed. */
void hello_sample(int input);

#ifdef __cplusplus
}
#endif

#endif /* HELLO_H_ */
