//! The backends: what records is defined once, by a macro, for each.
//!
//! Generated from the list of backends by `cargo xtask header`; do not edit.

use crate::emitters::emitters;
use crate::packets::packets;

emitters!(external, External);
emitters!(snapshot, Snapshot);
emitters!(streaming, Streaming);

packets!(cores, crate::port::UNKNOWN);
packets!(one_post_mortem, crate::packet_setup::TBAND_POLICY_POST_MORTEM);
packets!(one_snapshot, crate::packet_setup::TBAND_POLICY_SNAPSHOT);
packets!(one_stream, crate::packet_setup::TBAND_POLICY_STREAM);
