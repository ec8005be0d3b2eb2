/*
 * The program's own record; see record.h. truth.json has the fields that the
 * FreeRTOS examples have too (examples/freertos-app/README.md), as far as they apply.
 */
#include "record.h"

#include <string.h>

#include "board.h"
#include "recording.h"
#include "semihost.h"
#include "tband.h"

enum kind { ISR, EVTMARKER, VALMARKER, KINDS };
enum { MAX_OBJECTS = 16, MAX_COUNTS = 3 };

static const char *const lists[KINDS] = {"isrs", "evtmarkers", "valmarkers"};
static const char *const keys[KINDS][MAX_COUNTS] = {
    {"enters", "exits", NULL}, {"instants", "begins", "ends"}, {"values", NULL, NULL}};
enum { ENTERS = 0, EXITS = 1, INSTANTS = 0, BEGINS = 1, ENDS = 2, VALUES = 0 };

static struct object {
  enum kind kind;
  uint32_t id;
  const char *name;
  uint32_t counts[MAX_COUNTS];
  int32_t last;
} objects[MAX_OBJECTS];
static unsigned object_count;

static void add(enum kind kind, uint32_t id, const char *name) {
  if (object_count == MAX_OBJECTS) {
    board_failed("too many objects", __FILE__, __LINE__);
  }
  objects[object_count].kind = kind;
  objects[object_count].id = id;
  objects[object_count].name = name;
  object_count++;
}

static struct object *find(enum kind kind, uint32_t id) {
  for (unsigned i = 0; i < object_count; i++) {
    if (objects[i].kind == kind && objects[i].id == id) {
      return &objects[i];
    }
  }
  board_failed("an object without a name", __FILE__, __LINE__);
}

void rec_isr_name(uint32_t id, const char *name) {
  add(ISR, id, name);
  tband_isr_name(id, name);
}
void rec_isr_enter(uint32_t id) {
  tband_isr_enter(id);
  find(ISR, id)->counts[ENTERS]++;
}
void rec_isr_exit(uint32_t id) {
  find(ISR, id)->counts[EXITS]++;
  tband_isr_exit(id);
}

void rec_evtmarker_name(uint32_t id, const char *name) {
  add(EVTMARKER, id, name);
  tband_evtmarker_name(id, name);
}
void rec_evtmarker(uint32_t id, const char *msg) {
  tband_evtmarker(id, msg);
  find(EVTMARKER, id)->counts[INSTANTS]++;
}
void rec_evtmarker_begin(uint32_t id, const char *msg) {
  tband_evtmarker_begin(id, msg);
  find(EVTMARKER, id)->counts[BEGINS]++;
}
void rec_evtmarker_end(uint32_t id) {
  tband_evtmarker_end(id);
  find(EVTMARKER, id)->counts[ENDS]++;
}

void rec_valmarker_name(uint32_t id, const char *name) {
  add(VALMARKER, id, name);
  tband_valmarker_name(id, name);
}
void rec_valmarker(uint32_t id, int32_t value) {
  tband_valmarker(id, value);
  struct object *marker = find(VALMARKER, id);
  marker->counts[VALUES]++;
  marker->last = value;
}

/* --- truth.json ------------------------------------------------------------------------------ */

static int file;
static bool failed;

static void put(const char *text) {
  if (!semihost_write(file, text, strlen(text))) {
    failed = true;
  }
}

static void put_number(const char *key, const char *sign, uint32_t magnitude) {
  char digits[11];
  char *at = &digits[sizeof digits - 1];
  *at = '\0';
  do {
    *--at = (char)('0' + magnitude % 10U);
    magnitude /= 10U;
  } while (magnitude != 0);
  put("\"");
  put(key);
  put("\":");
  put(sign);
  put(at);
}

static void put_object(const struct object *object) {
  put("  {\"name\":\"");
  put(object->name);
  put("\",");
  put_number("id", "", object->id);
  for (unsigned i = 0; i < MAX_COUNTS && keys[object->kind][i] != NULL; i++) {
    put(",");
    put_number(keys[object->kind][i], "", object->counts[i]);
  }
  if (object->kind == VALMARKER) {
    const uint32_t bits = (uint32_t)object->last;
    put(",");
    put_number("last", object->last < 0 ? "-" : "", object->last < 0 ? 0U - bits : bits);
  }
  put("}");
}

bool rec_write_truth(const char *path, uint32_t counts) {
  file = semihost_create(path);
  failed = file < 0;
  put("{\"backend\":\"");
  put(recording_backend);
  put("\",");
  put_number("refused_frames", "", recording_losses());
  put(",");
  put_number("counts", "", counts);
  for (enum kind kind = 0; kind < KINDS; kind++) {
    put(",\n\"");
    put(lists[kind]);
    put("\":[\n");
    const char *separator = "";
    for (unsigned i = 0; i < object_count; i++) {
      if (objects[i].kind == kind) {
        put(separator);
        put_object(&objects[i]);
        separator = ",\n";
      }
    }
    put("]");
  }
  put("}\n");
  return semihost_close(file) && !failed;
}
