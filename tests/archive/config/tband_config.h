/* Snapshot backend: the program writes the recording out at the end. */
#define tband_configENABLE               1
#define tband_configUSE_BACKEND_SNAPSHOT 1
