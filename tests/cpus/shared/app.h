/* What the bare program records, and how. */
#ifndef APP_H
#define APP_H

#include "board.h"
#include "tband.h"

#endif
