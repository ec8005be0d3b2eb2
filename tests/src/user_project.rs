//! The two files that a user writes, for programs on the host that record into a snapshot buffer.

/// `tband_config.h`: the snapshot backend.
pub const CONFIG: &str =
    "#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_SNAPSHOT 1\n";

/// `tband_port.h` without interrupts; the time is that of the program's `my_timer_ticks`.
pub const PORT: &str = "#include <stdint.h>\n\
    uint64_t my_timer_ticks(void);\n\
    #define tband_portTIMESTAMP() my_timer_ticks()\n\
    #define tband_portTIMESTAMP_RESOLUTION_NS (1000)\n\
    #define tband_portENTER_CRITICAL_FROM_ANY() const int tband_port_state = 0\n\
    #define tband_portEXIT_CRITICAL_FROM_ANY() (void)tband_port_state\n";
