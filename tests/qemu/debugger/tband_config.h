/* The backend comes from the compiler's options. */
#define tband_configENABLE 1
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 2048
