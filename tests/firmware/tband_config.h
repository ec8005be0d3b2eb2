/* tband configuration of firmware in tests. The build of each program defines its settings, and of these:
 * TEST_SECTION: the section of the recorder's large memory; TEST_COMMANDS: the program has on_command(). */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE 1

#if defined(TEST_SECTION)
#define TEST_ATTRIBUTE(name)               __attribute__((section(#name)))
#define TEST_ATTRIBUTE_OF(name)            TEST_ATTRIBUTE(name)
#define tband_configPACKET_BUF_ATTRIBUTE   TEST_ATTRIBUTE_OF(TEST_SECTION)
#define tband_configSNAPSHOT_BUF_ATTRIBUTE TEST_ATTRIBUTE_OF(TEST_SECTION)
#endif

#if defined(TEST_COMMANDS)
#include <stdint.h>
int32_t on_command(uint32_t number, uint32_t a, uint32_t b, uint32_t c);
#define tband_configON_COMMAND(number, a, b, c) on_command((number), (a), (b), (c))
#endif

#endif /* TBAND_CONFIG_H_ */
