/* The backend comes from the compiler's options. */
#define tband_configENABLE 1
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 2048
#if defined(PACKETS)
#define tband_configFORMAT TBAND_FORMAT_PACKETS
#define tband_configPACKET_SIZE 128
#define tband_configPACKET_COUNT PACKETS
#define tband_configMAX_STR_LEN 12
#endif
