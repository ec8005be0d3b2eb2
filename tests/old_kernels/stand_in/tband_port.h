/* The fake port, for a program that brings the stand-in kernel. */
#include "../../c/fake_port/tband_port.h"
