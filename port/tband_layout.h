/* The layouts that shim and library share, which compiler options can change. Part of the shim.
 *
 * Generated from the structs of tband.h by `cargo xtask header`; do not edit. */
#if defined(TBAND_SHIM) && !defined(TBAND_LAYOUT_H)
#define TBAND_LAYOUT_H

#define TBAND_IS(type, number, with_32_bits, with_64_bits)                                       \
  TBAND_STATIC_ASSERT((number) == ((sizeof(void *) > 4U) ? (with_64_bits) : (with_32_bits)), \
                      "tband: the library has another layout of " #type ": compile without " \
                      "-fpack-struct and #pragma pack")
#define TBAND_AT(type, member, with_32_bits, with_64_bits) \
  TBAND_IS(type, offsetof(type, member), with_32_bits, with_64_bits)
#define TBAND_SIZE(type, with_32_bits, with_64_bits) TBAND_IS(type, sizeof(type), with_32_bits, with_64_bits)
/* Where it is after a byte. */
#define TBAND_ALIGNED(type, with_32_bits, with_64_bits) \
  struct type##_after_byte {                            \
    uint8_t byte;                                       \
    type after;                                         \
  };                                                    \
  TBAND_IS(type, offsetof(struct type##_after_byte, after), with_32_bits, with_64_bits)

TBAND_AT(tband_core_state, private_pointers, 0U, 0U);
TBAND_AT(tband_core_state, private_words, 8U, 16U);
TBAND_SIZE(tband_core_state, 32U, 40U);
TBAND_ALIGNED(tband_core_state, 4U, 8U);

TBAND_AT(tband_metadata, text, 0U, 0U);
TBAND_AT(tband_metadata, numbers, 4U, 8U);
TBAND_AT(tband_metadata, head, 8U, 16U);
TBAND_AT(tband_metadata, at, 12U, 24U);
TBAND_AT(tband_metadata, changes, 16U, 32U);
TBAND_SIZE(tband_metadata, 20U, 40U);
TBAND_ALIGNED(tband_metadata, 4U, 8U);

TBAND_AT(tband_ring_state, private_pointers, 0U, 0U);
TBAND_AT(tband_ring_state, private_words, 8U, 16U);
TBAND_SIZE(tband_ring_state, 20U, 32U);
TBAND_ALIGNED(tband_ring_state, 4U, 8U);

TBAND_AT(tband_packet_reader, private_words, 0U, 0U);
TBAND_SIZE(tband_packet_reader, 16U, 16U);
TBAND_ALIGNED(tband_packet_reader, 4U, 4U);

TBAND_AT(tband_table_measure, used, 0U, 0U);
TBAND_AT(tband_table_measure, dropped, 2U, 2U);
TBAND_AT(tband_table_measure, needed, 4U, 4U);
TBAND_SIZE(tband_table_measure, 6U, 6U);
TBAND_ALIGNED(tband_table_measure, 2U, 2U);

TBAND_AT(tband_kept, tables, 0U, 0U);
TBAND_AT(tband_kept, measures, 4U, 8U);
TBAND_SIZE(tband_kept, 8U, 16U);
TBAND_ALIGNED(tband_kept, 4U, 8U);

TBAND_AT(tband_packet_setup, core_count, 0U, 0U);
TBAND_AT(tband_packet_setup, rings, 4U, 8U);
TBAND_AT(tband_packet_setup, packet_size, 8U, 16U);
TBAND_AT(tband_packet_setup, memory, 12U, 24U);
TBAND_AT(tband_packet_setup, last_packet, 16U, 32U);
TBAND_AT(tband_packet_setup, packet_count, 20U, 40U);
TBAND_AT(tband_packet_setup, reader, 24U, 48U);
TBAND_AT(tband_packet_setup, max_event_len, 28U, 56U);
TBAND_AT(tband_packet_setup, metadata_every, 32U, 60U);
TBAND_AT(tband_packet_setup, policy, 36U, 64U);
TBAND_AT(tband_packet_setup, at_begin, 40U, 72U);
TBAND_AT(tband_packet_setup, class_isrs, 44U, 80U);
TBAND_AT(tband_packet_setup, metadata_slot, 48U, 88U);
TBAND_AT(tband_packet_setup, at_begin_words, 52U, 96U);
TBAND_AT(tband_packet_setup, class_isr_words, 56U, 100U);
TBAND_AT(tband_packet_setup, kept, 60U, 104U);
TBAND_AT(tband_packet_setup, hands_out, 64U, 112U);
TBAND_AT(tband_packet_setup, sees_turns, 68U, 116U);
TBAND_AT(tband_packet_setup, most_waiting, 72U, 120U);
TBAND_SIZE(tband_packet_setup, 76U, 128U);
TBAND_ALIGNED(tband_packet_setup, 4U, 8U);

TBAND_AT(tband_shed_state, level, 0U, 0U);
TBAND_AT(tband_shed_state, private_words, 4U, 4U);
TBAND_SIZE(tband_shed_state, 108U, 108U);
TBAND_ALIGNED(tband_shed_state, 4U, 4U);

TBAND_AT(tband_shed_order, steps, 0U, 0U);
TBAND_AT(tband_shed_order, count, 4U, 8U);
TBAND_AT(tband_shed_order, from, 8U, 12U);
TBAND_AT(tband_shed_order, last, 12U, 16U);
TBAND_SIZE(tband_shed_order, 16U, 24U);
TBAND_ALIGNED(tband_shed_order, 4U, 8U);

TBAND_AT(tband_shedding, filter, 0U, 0U);
TBAND_AT(tband_shedding, cores, 4U, 8U);
TBAND_AT(tband_shedding, core_count, 8U, 16U);
TBAND_AT(tband_shedding, order, 12U, 24U);
TBAND_SIZE(tband_shedding, 28U, 48U);
TBAND_ALIGNED(tband_shedding, 4U, 8U);

TBAND_AT(tband_command, arguments, 0U, 0U);
TBAND_AT(tband_command, number, 24U, 24U);
TBAND_AT(tband_command, kind, 26U, 26U);
TBAND_AT(tband_command, count, 27U, 27U);
TBAND_SIZE(tband_command, 28U, 28U);
TBAND_ALIGNED(tband_command, 4U, 4U);

TBAND_AT(tband_filter_state, of_event, 0U, 0U);
TBAND_AT(tband_filter_state, looks, 256U, 256U);
TBAND_AT(tband_filter_state, private_words, 320U, 320U);
TBAND_SIZE(tband_filter_state, 444U, 444U);
TBAND_ALIGNED(tband_filter_state, 4U, 4U);

TBAND_AT(tband_rtt_buffer, name, 0U, 0U);
TBAND_AT(tband_rtt_buffer, memory, 4U, 8U);
TBAND_AT(tband_rtt_buffer, size, 8U, 16U);
TBAND_AT(tband_rtt_buffer, write, 12U, 20U);
TBAND_AT(tband_rtt_buffer, read, 16U, 24U);
TBAND_AT(tband_rtt_buffer, flags, 20U, 28U);
TBAND_SIZE(tband_rtt_buffer, 24U, 32U);
TBAND_ALIGNED(tband_rtt_buffer, 4U, 8U);

TBAND_AT(tband_trigger_state, watched, 0U, 0U);
TBAND_AT(tband_trigger_state, private_words, 256U, 256U);
TBAND_SIZE(tband_trigger_state, 528U, 528U);
TBAND_ALIGNED(tband_trigger_state, 4U, 4U);

TBAND_AT(tband_setup, cores, 0U, 0U);
TBAND_AT(tband_setup, core_count, 4U, 8U);
TBAND_AT(tband_setup, max_str_len, 8U, 12U);
TBAND_AT(tband_setup, drop_cnt_every, 12U, 16U);
TBAND_AT(tband_setup, metadata_buf_size, 16U, 20U);
TBAND_AT(tband_setup, metadata_bufs, 20U, 24U);
TBAND_AT(tband_setup, event_bufs, 24U, 32U);
TBAND_AT(tband_setup, snapshot_buf_size, 28U, 40U);
TBAND_AT(tband_setup, frame_buf_size, 32U, 44U);
TBAND_AT(tband_setup, build_id, 36U, 48U);
TBAND_AT(tband_setup, trace_info, 40U, 56U);
TBAND_AT(tband_setup, trace_info_count, 60U, 76U);
TBAND_AT(tband_setup, frequency, 64U, 80U);
TBAND_AT(tband_setup, program, 68U, 88U);
TBAND_SIZE(tband_setup, 72U, 96U);
TBAND_ALIGNED(tband_setup, 4U, 8U);

#undef TBAND_IS
#undef TBAND_AT
#undef TBAND_SIZE
#undef TBAND_ALIGNED

#endif /* TBAND_LAYOUT_H */
