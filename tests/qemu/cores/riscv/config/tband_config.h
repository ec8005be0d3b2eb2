/* tband configuration of the test. */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE               1
#define tband_configUSE_BACKEND_SNAPSHOT 1

#endif /* TBAND_CONFIG_H_ */
