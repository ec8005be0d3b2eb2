//! The senders in `port/senders`, each with a line that is slow, full or gone at times: the received events equal the recorded
//! ones, and missing ones were counted. `tests/senders.rs` has networks, files and SWO, with `record` at the other end.

use std::fs;
use std::process::Command;

use tband_tests::c::{Firmware, Standard, compile_text, compile_text_with, config_text};
use tband_tests::senders::{CONFIG, ReceivedData, run, without_damage};
use tband_tests::{read, root, temp_dir, write};

use crate::Config;
use crate::packets::{OFTEN, PACKETS, SMALL};

fn configs() -> [Vec<(&'static str, &'static str)>; 3] {
    let with = |more: &Config| [&CONFIG, more].concat();
    [with(&[]), with(&[OFTEN, SMALL]), with(&[("tband_configPACKET_COUNT", "2")])]
}

fn sent(program: &str, config: &Config, args: &[&str]) -> (Vec<u8>, usize) {
    run(&Firmware::new(program, config), args)
}

/// Checks that every value that was not discarded was received, once and in order.
fn assert_all(recording: &[u8], count: usize) {
    let came = ReceivedData::of(recording);
    println!("{} of {count} values, {} discarded", came.values.len(), came.discarded);
    assert_eq!(came.gaps, 0);
    assert!(came.is_all(count) && came.values.len() > 1000 && came.discarded > 0);
}

#[test]
fn a_uart_by_interrupt() {
    for config in configs() {
        let (recording, count) = sent("sender_uart_irq", &config, &[]);
        assert_all(&recording, count);
    }
}

/// A transfer that has failed is there up to the byte where it did, and once more. The second program is the one of
/// `examples/stm32f405`, with a model of the chip's DMA.
#[test]
fn a_uart_by_dma() {
    for config in configs() {
        for program in ["sender_uart_dma", "sender_stm32_dma"] {
            let (recording, count) = sent(program, &config, &[]);
            let (whole, damaged) = without_damage(&recording);
            assert!(damaged > 3, "{damaged}");
            assert_all(&whole, count);
        }
    }
}

/// One that fails always is tried once a kick, and costs events.
#[test]
fn a_dma_that_fails() {
    let [config, ..] = configs();
    let (recording, count) = sent("sender_uart_dma", &config, &["broken"]);
    let came = ReceivedData::of(&recording);
    assert!(came.is_all(count) && came.gaps == 0 && came.values.len() < 1500, "{came:?}");
}

#[test]
fn sockets_of_freertos_tcp() {
    for config in configs() {
        for kind in ["udp", "tcp"] {
            let (recording, count) = sent("sender_freertos_tcp", &config, &[kind]);
            assert_all(&recording, count);
        }
    }
}

#[test]
fn a_file_of_fatfs() {
    for config in configs() {
        let (recording, count) = sent("sender_fatfs", &config, &[]);
        assert_all(&recording, count);
    }
}

/// The sent part of a packet is not taken for a part of another, which may be shorter.
#[test]
fn a_recording_that_makes_place_for_another() {
    let config = [
        ("tband_configUSE_BACKEND_POST_MORTEM", "1\n#define tband_configPACKET_BUF_ATTRIBUTE"),
        PACKETS,
        ("FAKE_HAS_NO_TRANSPORT", "1"),
    ];
    let (recording, count) = sent("sender_fatfs", &config, &[]);
    assert_eq!((ReceivedData::of(&recording).values, count), (vec![0, 1], 2));
}

/// The content of the port's buffer at its closing may be lost; its packets are known to be missing.
#[test]
fn usb_with_a_computer_that_comes_and_goes() {
    for config in configs() {
        let (recording, count) = sent("sender_usb_cdc", &config, &[]);
        let came = ReceivedData::of(&recording);
        let unknown = came.unknown(count);
        println!("{} of {count} values, {} packets", came.values.len(), came.gaps);
        assert!(came.values.len() > 1000 && came.discarded > 0);
        assert!(came.gaps < 6 && unknown <= came.gaps * came.most, "{unknown}, {}", came.gaps);
    }
}

/// The blocks of the guide's pages, with as much of vendors' headers as they use.
#[test]
fn the_lines_of_the_guide_compile() {
    let folder = root().join("docs/src/guide");
    let pages = read(folder.join("link/senders.md")) + &read(folder.join("link/commands.md"));
    let blocks: Vec<_> = pages
        .split("```c\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default())
        .collect();
    let named = |name: &str| blocks.iter().filter(|block| block.contains(name)).count();
    let senders = fs::read_dir(root().join("port/senders")).expect("the senders");
    let count: usize = senders
        .map(|entry| named(entry.expect("a file").file_name().to_str().expect("a name")))
        .sum();
    let commands = named("tband_obey");
    assert_eq!(count + commands, blocks.len(), "each block has a sender, or executes commands");
    assert!(count >= 4);
    let folder = temp_dir();
    write(folder.path().join("tband_config.h"), config_text(&CONFIG));
    let stubs = root().join("tests/c_abi/stubs");
    for block in blocks {
        let text = format!("#include \"vendor.h\"\n{block}");
        let object = folder.path().join("block.o");
        let options = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-D_GNU_SOURCE"];
        let folders = [folder.path(), &stubs, &root().join("port")];
        compile_text(Standard::C11, &options, &folders, &text, &object)
            .unwrap_or_else(|output| panic!("{block}{output}"));
        if !block.contains("lwip") {
            let mut arm = Command::new("arm-none-eabi-gcc");
            arm.args(["-std=c11", "-mcpu=cortex-m4", "-mthumb", "-O2"]);
            compile_text_with(arm, Standard::C11, &options, &folders, &text, &object)
                .unwrap_or_else(|output| panic!("{block}{output}"));
        }
    }
}

/// The sources of each sender with as little as it can be used with.
const SMALLEST: [(&str, &str); 6] = [
    (
        "tband_send_uart_irq.h",
        "#define tband_sendUART_IS_FREE() ((USART2->SR & USART_SR_TXE) != 0U)\n\
         #define tband_sendUART_PUT(byte) (USART2->DR = (byte))\n\
         #define tband_sendUART_IRQ_ON() (USART2->CR1 |= USART_CR1_TXEIE)\n\
         #define tband_sendUART_IRQ_OFF() (USART2->CR1 &= ~USART_CR1_TXEIE)\n\
         #include \"senders/tband_send_uart_irq.h\"\n\
         void USART2_IRQHandler(void) { tband_send_uart_handler(); }\n\
         void vApplicationTickHook(void) { tband_send_uart_kick(); }\n",
    ),
    (
        "tband_send_uart_dma.h",
        "#include <stddef.h>\n\
         void my_start(const uint8_t *data, size_t len);\nint my_state(void);\nvoid my_pend(void);\n\
         #define tband_sendDMA_START(data, len) my_start((data), (len))\n\
         #define tband_sendDMA_STATE() my_state()\n\
         #define tband_sendDMA_PEND() my_pend()\n\
         #include \"senders/tband_send_uart_dma.h\"\n\
         void USART2_IRQHandler(void) { tband_send_dma_handler(); }\n\
         void vApplicationTickHook(void) { tband_send_dma_kick(); }\n",
    ),
    (
        "tband_send_usb_cdc.h",
        "#include \"tusb.h\"\n#include \"senders/tband_send_usb_cdc.h\"\n\
         void vApplicationTickHook(void) { tband_send_usb_cdc(); }\n",
    ),
    (
        "tband_send_socket.h",
        "#define tband_sendFREERTOS_TCP 1\n#include \"FreeRTOS_Sockets.h\"\n\
         #include \"senders/tband_send_socket.h\"\n\
         void trace_task(void *to) { tband_send_socket_begin(); while (tband_send_socket(to)) {} }\n",
    ),
    (
        "tband_send_file.h",
        "#define tband_sendFATFS 1\n#include \"ff.h\"\n#include \"senders/tband_send_file.h\"\n\
         void trace_task(void *file) { while (tband_send_file(file)) {} }\n",
    ),
    (
        "tband_send_itm.h",
        "#include \"senders/tband_send_itm.h\"\n\
         void vApplicationIdleHook(void) { while (tband_send_itm()) {} }\n",
    ),
];

/// Flash of each sender is at most the value in the table, and not much less.
#[test]
fn transport_sizes_match_the_table() {
    let pages = ["port/senders/README.md", "docs/src/reference/cost.md"];
    let pages = pages.map(|page| read(root().join(page)));
    let folder = temp_dir();
    write(folder.path().join("tband_config.h"), config_text(&CONFIG));
    let folders = [folder.path(), &root().join("tests/c_abi/stubs"), &root().join("port")];
    let senders = fs::read_dir(root().join("port/senders")).expect("the senders");
    assert_eq!(senders.count(), SMALLEST.len() + 2, "README.md and tband_send.h beside them");
    for (name, source) in SMALLEST {
        let [flash, other] = pages.each_ref().map(|table| {
            let row = table.lines().find(|line| line.contains(&format!("| `{name}` |")));
            let flash = row.and_then(|row| row.rsplit('|').nth(1)?.trim().parse::<u32>().ok());
            flash.unwrap_or_else(|| panic!("{name} has no bytes in the table"))
        });
        assert_eq!(flash, other, "{name}: the two pages");
        let mut arm = Command::new("arm-none-eabi-gcc");
        arm.args(["-std=c11", "-mcpu=cortex-m4", "-mthumb", "-Os"]);
        let text = format!("#include \"vendor.h\"\n{source}");
        let object = folder.path().join("sender.o");
        compile_text_with(arm, Standard::C11, &["-Wall", "-Werror"], &folders, &text, &object)
            .unwrap_or_else(|output| panic!("{name}: {output}"));
        let sizes = tband_tests::run(Command::new("arm-none-eabi-size").arg(&object));
        let sizes = String::from_utf8(sizes).expect("text");
        let code =
            sizes.lines().nth(1).and_then(|line| line.split_whitespace().next()?.parse().ok());
        let code: u32 = code.unwrap_or_else(|| panic!("{sizes}"));
        println!("{name}: {code} of {flash}");
        assert!(code <= flash && flash - code < 32, "{name}: {code}, but {flash} in the table");
    }
}

/// lwIP's own variable errno, as in ST's packages, is the one that is read, whatever the C library has.
#[test]
fn the_errno_of_lwip_is_read() {
    let folder = temp_dir();
    let lwip = folder.path().join("lwip");
    fs::create_dir(&lwip).expect("a folder");
    write(
        lwip.join("errno.h"),
        "#ifdef LWIP_PROVIDE_ERRNO\n#define EINTR 4\n#define EAGAIN 11\n#define ENOMEM 12\n#define EWOULDBLOCK EAGAIN\n\
         #define ENOBUFS 105\n#ifndef errno\nextern int errno;\n#endif\n#endif\n",
    );
    write(
        lwip.join("sockets.h"),
        "#include <stddef.h>\n#define LWIP_PROVIDE_ERRNO 1\n#include \"lwip/errno.h\"\n#define MSG_DONTWAIT 8\n\
         int send(int, const void *, size_t, int);\n",
    );
    for before in [
        "",
        "#include <errno.h>\n#undef EINTR\n#undef EAGAIN\n#undef ENOMEM\n#undef EWOULDBLOCK\n#undef ENOBUFS\n",
    ] {
        let program = folder.path().join("sends.c");
        write(
            &program,
            format!(
                "{before}#include \"lwip/sockets.h\"\n#include \"tband.h\"\n#include \"senders/tband_send_socket.h\"\n\
                 bool sends(int s);\nbool sends(int s) {{ return tband_send_socket(s); }}\n"
            ),
        );
        write(folder.path().join("tband_config.h"), config_text(&CONFIG));
        let object = folder.path().join("sends.o");
        let mut gcc = Command::new("arm-none-eabi-gcc");
        gcc.args(["-mcpu=cortex-m4", "-mthumb", "-Os", "-std=gnu11", "-Wall", "-Werror", "-c"]);
        gcc.arg("-I").arg(folder.path());
        for include in ["include", "port", "tests/c/fake_port"] {
            gcc.arg("-I").arg(root().join(include));
        }
        tband_tests::run(gcc.arg(&program).arg("-o").arg(&object));
        let symbols = tband_tests::run(Command::new("arm-none-eabi-nm").arg("-u").arg(&object));
        let symbols = String::from_utf8(symbols).expect("text");
        let needed: Vec<&str> =
            symbols.lines().filter_map(|line| line.trim().strip_prefix("U ")).collect();
        assert!(needed.contains(&"errno") && !needed.contains(&"__errno"), "{needed:?}");
    }
}
