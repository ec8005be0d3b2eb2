#define tband_configENABLE 1
#define tband_configFORMAT TBAND_FORMAT_PACKETS
#define tband_configUSE_BACKEND_SNAPSHOT 1
#define tband_configPACKET_COUNT 8
#define tband_configPACKET_SIZE 512
