/*
 * The program's own record of its actions: calls of tband that also count. At the end the counts are
 * written to truth.json, and a test compares them with the recording.
 *
 * Each function is used in one context only for one id, so counters need no lock.
 */
#ifndef RECORD_H_
#define RECORD_H_

#include <stdbool.h>
#include <stdint.h>

void rec_isr_name(uint32_t id, const char *name);
void rec_isr_enter(uint32_t id);
void rec_isr_exit(uint32_t id);

void rec_evtmarker_name(uint32_t id, const char *name);
void rec_evtmarker(uint32_t id, const char *msg);
void rec_evtmarker_begin(uint32_t id, const char *msg);
void rec_evtmarker_end(uint32_t id);

void rec_valmarker_name(uint32_t id, const char *name);
void rec_valmarker(uint32_t id, int32_t value);

/* `counts`: length of the recording by the board's second clock. False if it could not be written. */
bool rec_write_truth(const char *path, uint32_t counts);

#endif /* RECORD_H_ */
