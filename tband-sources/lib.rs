//! The C files of tband: headers, shim, ports, and the hooks of FreeRTOS. Programs in Rust compile them from [`FOLDER`];
//! `tband-cli` reads the texts in [`SOURCES`].
//!
//! The manifest of this package is in the folder above, because a package contains only files below its manifest.

#![no_std]

/// The folder with `include/`, `port/` and `freertos-hooks/`, on the machine that compiled this crate.
pub const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// A file: its path in [`FOLDER`], with `/`, and its text.
pub type Source = (&'static str, &'static str);

macro_rules! source {
    ($path:literal) => {
        ($path, include_str!(concat!("../", $path)))
    };
}

/// The files with the macros of a configuration and the conditions on them. The other files are generated code and the
/// macros that the kernel calls.
pub const SOURCES: [Source; 115] = [
    source!("freertos-hooks/tband_freertos.c"),
    source!("freertos-hooks/tband_freertos_hooks.h"),
    source!("freertos-hooks/tband_hooks_agreement.h"),
    source!("freertos-hooks/tband_hooks_event_group.h"),
    source!("freertos-hooks/tband_hooks_masked.h"),
    source!("freertos-hooks/tband_hooks_mpu.h"),
    source!("freertos-hooks/tband_hooks_names.h"),
    source!("freertos-hooks/tband_hooks_notification.h"),
    source!("freertos-hooks/tband_hooks_others.h"),
    source!("freertos-hooks/tband_hooks_queue_extra.h"),
    source!("freertos-hooks/tband_hooks_stream_buffer.h"),
    source!("freertos-hooks/tband_hooks_system.h"),
    source!("freertos-hooks/tband_hooks_task_extra.h"),
    source!("freertos-hooks/tband_hooks_timer.h"),
    source!("freertos-hooks/tband_hooks_version.h"),
    source!("include/tband_api.h"),
    source!("include/tband_backends.h"),
    source!("include/tband_commands.h"),
    source!("include/tband_config_check.h"),
    source!("include/tband_config_defaults.h"),
    source!("include/tband_element.h"),
    source!("include/tband_esp_idf.h"),
    source!("include/tband_fault.h"),
    source!("include/tband_filters.h"),
    source!("include/tband_freertos.h"),
    source!("include/tband_record.h"),
    source!("include/tband_requirements.h"),
    source!("include/tband_scheduler.h"),
    source!("include/tband_triggers.h"),
    source!("port/ESP_IDF/tband_port.h"),
    source!("port/ESP_IDF/tband_xtensa.h"),
    source!("port/GCC_AARCH64/tband_port.h"),
    source!("port/GCC_AARCH64_FREERTOS/tband_port.h"),
    source!("port/GCC_ARM9/tband_port.h"),
    source!("port/GCC_ARM9_FREERTOS/tband_port.h"),
    source!("port/GCC_ARM_CA9/tband_port.h"),
    source!("port/GCC_ARM_CA9_FREERTOS/tband_port.h"),
    source!("port/GCC_ARM_CM0/tband_port.h"),
    source!("port/GCC_ARM_CM0_FREERTOS/tband_port.h"),
    source!("port/GCC_ARM_CM3/tband_port.h"),
    source!("port/GCC_ARM_CM33/tband_port.h"),
    source!("port/GCC_ARM_CM33_FREERTOS/tband_port.h"),
    source!("port/GCC_ARM_CM3_FREERTOS/tband_port.h"),
    source!("port/GCC_ARM_CM4F/tband_port.h"),
    source!("port/GCC_ARM_CM4F_FREERTOS/tband_port.h"),
    source!("port/GCC_ARM_CM7/tband_port.h"),
    source!("port/GCC_ARM_CM7_FREERTOS/tband_port.h"),
    source!("port/GCC_ARM_CR5/tband_port.h"),
    source!("port/GCC_ARM_CR5_FREERTOS/tband_port.h"),
    source!("port/GCC_RISCV/tband_port.h"),
    source!("port/GCC_RISCV_FREERTOS/tband_port.h"),
    source!("port/NRF_FREERTOS/tband_port.h"),
    source!("port/POSIX_FREERTOS/tband_port.c"),
    source!("port/POSIX_FREERTOS/tband_port.h"),
    source!("port/POSIX_FREERTOS/tband_posix.h"),
    source!("port/RP2040_FREERTOS/tband_port.h"),
    source!("port/STM32_FREERTOS/tband_port.h"),
    source!("port/WINDOWS_FREERTOS/tband_port.h"),
    source!("port/arm_a_r/tband_aarch64.h"),
    source!("port/arm_a_r/tband_alignment.h"),
    source!("port/arm_a_r/tband_arm_a_r.h"),
    source!("port/filters/tband_filter.h"),
    source!("port/filters/tband_filter_choose.h"),
    source!("port/filters/tband_shedding.h"),
    source!("port/recorder/backends/tband_backend_external.h"),
    source!("port/recorder/backends/tband_backend_snapshot.h"),
    source!("port/recorder/backends/tband_backend_stream.h"),
    source!("port/recorder/backends/tband_backend_streaming.h"),
    source!("port/recorder/tband_backend.h"),
    source!("port/recorder/tband_buffers.h"),
    source!("port/recorder/tband_classes.h"),
    source!("port/recorder/tband_control.h"),
    source!("port/recorder/tband_frames.h"),
    source!("port/recorder/tband_hand_out.h"),
    source!("port/recorder/tband_identity.h"),
    source!("port/recorder/tband_kernel_time.h"),
    source!("port/recorder/tband_masked.h"),
    source!("port/recorder/tband_open_isrs.h"),
    source!("port/recorder/tband_packet_event.h"),
    source!("port/recorder/tband_packets.h"),
    source!("port/recorder/tband_port_check.h"),
    source!("port/recorder/tband_post_mortem.h"),
    source!("port/recorder/tband_rtt.h"),
    source!("port/recorder/tband_unprivileged.h"),
    source!("port/records/tband_elements.h"),
    source!("port/records/tband_records.h"),
    source!("port/senders/tband_send.h"),
    source!("port/senders/tband_send_file.h"),
    source!("port/senders/tband_send_itm.h"),
    source!("port/senders/tband_send_socket.h"),
    source!("port/senders/tband_send_uart_dma.h"),
    source!("port/senders/tband_send_uart_irq.h"),
    source!("port/senders/tband_send_usb_cdc.h"),
    source!("port/tband_architecture.h"),
    source!("port/tband_commands.c"),
    source!("port/tband_cortex_m.h"),
    source!("port/tband_cortex_m_freertos.h"),
    source!("port/tband_cortex_m_timer.h"),
    source!("port/tband_dwt_timer.h"),
    source!("port/tband_extend32.h"),
    source!("port/tband_fault_cortex_m.c"),
    source!("port/tband_fault_parts.h"),
    source!("port/tband_fault_riscv.c"),
    source!("port/tband_layout.h"),
    source!("port/tband_nrf_rtc.h"),
    source!("port/tband_nrf_timer.h"),
    source!("port/tband_ring.h"),
    source!("port/tband_riscv.h"),
    source!("port/tband_rp2040.h"),
    source!("port/tband_shim.c"),
    source!("port/tband_stm32_timer.h"),
    source!("port/tband_systick_timer.h"),
    source!("port/template/tband_port.h"),
    source!("port/triggers/tband_trigger.h"),
    source!("port/triggers/tband_trigger_arm.h"),
];

/// Files that [`SOURCES`] does not contain.
#[cfg(test)]
const OTHERS: [&str; 6] = [
    "freertos-hooks/tband_hooks_api.h",
    "freertos-hooks/tband_hooks_own.h",
    "include/tband.h",
    "include/tband_flux.h",
    "include/tband_flux_handlers.h",
    "include/tband_library.h",
];

#[cfg(test)]
mod tests {
    extern crate std;

    use std::path::Path;
    use std::string::String;
    use std::vec::Vec;

    use super::*;

    fn visit(root: &Path, folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                visit(root, &path, found);
            } else if path.extension().is_some_and(|it| it == "h" || it == "c") {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap();
                found.push(name.replace('\\', "/"));
            }
        }
    }

    #[test]
    fn every_source_is_in_a_list() {
        let root = Path::new(FOLDER);
        let mut found = Vec::new();
        for folder in ["include", "freertos-hooks", "port"] {
            visit(root, &root.join(folder), &mut found);
        }
        found.sort();
        let mut listed: Vec<&str> = SOURCES.iter().map(|it| it.0).chain(OTHERS).collect();
        listed.sort_unstable();
        assert_eq!(found, listed);
    }
}
