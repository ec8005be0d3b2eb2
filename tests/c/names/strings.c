/* Strings of every length round the configured limit, all of them ending at the edge of readable
 * memory; with a NUL only where they are shorter than the limit. guards.c sees that nothing is written
 * after the frame buffer. The backend does not matter, so it is streaming. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

int main(void) {
  enum { MAX = tband_configMAX_STR_LEN };
  static char text[MAX + 1];
  for (size_t at = 0; at <= MAX; at++) {
    text[at] = (char)(1 + at % 255); /* every byte but NUL */
  }
  CHECK_EQ(tband_start_streaming(), 0);
  fake_now = UINT64_MAX; /* the longest head */
  for (size_t len = 0; len <= MAX; len++) {
    char with_nul[MAX + 1];
    memcpy(with_nul, text, len);
    with_nul[len] = '\0';
    const bool whole = len < MAX;
    const char *const edge = fake_at_edge(whole ? with_nul : text, whole ? len + 1 : len);
    tband_evtmarker(UINT32_MAX, edge);
    tband_evtmarker_begin((uint32_t)len, edge);
    tband_isr_name(UINT32_MAX, edge);
  }
  /* Longer than the limit: cut. */
  static char longer[2 * MAX + 2];
  memset(longer, 'z', sizeof(longer) - 1);
  tband_evtmarker(1, longer);
  tband_evtmarker_name(2, longer);
  /* NULL: empty. */
  tband_evtmarker(3, NULL);
  tband_evtmarker_begin(4, NULL);
  tband_isr_name(5, NULL);
  tband_evtmarker_name(6, NULL);
  tband_valmarker_name(7, NULL);
  CHECK_EQ(tband_stop_streaming(), 0);
  CHECK_EQ(tband_get_dropped_evt_cnt(), 0);
  fake_print_sent();
  return 0;
}
