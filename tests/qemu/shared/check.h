/* A condition of test firmware. If it is false, the firmware prints its place and ends. */
#ifndef CHECK_H
#define CHECK_H

#include "board.h"

#define CHECK(condition) ((condition) ? (void)0 : board_failed(#condition, __FILE__, __LINE__))

#endif /* CHECK_H */
