# A recording out of a device that a debugger has stopped, also after a fault, and out of a core dump. In GDB:
#
#     source port/tband.gdb
#     tband-save trace.bin                the snapshot backend
#     tband-save trace.bin my_ring        streaming or external: `my_ring` is your tband_ring
#     tband-save trace.bin 25000000       packets, any backend, if the program does not know the timer's frequency in Hz
#
# The file has the names of all cores and then the events of all cores; give it to tband-cli. Nothing runs on
# the device and nothing is changed there. It may be anywhere, also inside an event that it is about to
# record: what is saved ends with the last whole frame. Debug info is not needed, but the program's symbols are.
#
# Packets come out of the rings as they are there, also those that were sent and not overwritten since, and what
# is in an open one as a packet of its own.
#
# Everything is found from constants of the shim, tband_debugger_setup and tband_debugger_packets (GCC, clang), with the
# layout of tband_setup, tband_packet_setup and tband_core_state in tband_library.h, and of tband_core's Ring, Reader and Tail:
# a script of another version of tband may not fit.

# Adds the bytes from $tband_from up to $tband_to to the file.
define tband-add
  if $tband_to > $tband_from
    if $tband_bytes == 0
      dump binary memory $arg0 $tband_from $tband_to
    else
      append binary memory $arg0 $tband_from $tband_to
    end
    set $tband_bytes = $tband_bytes + ($tband_to - $tband_from)
  end
end

# The bytes of a ring that nobody has taken yet, from the beginning of a frame.
define tband-add-ring
  set $tband_ring = (unsigned long)&$arg1
  set $tband_pointer = sizeof(void *)
  set $tband_start = *(unsigned long *)$tband_ring
  set $tband_size = *(unsigned int *)($tband_ring + $tband_pointer)
  set $tband_written = *(unsigned int *)($tband_ring + $tband_pointer + 4)
  set $tband_at = *(unsigned int *)($tband_ring + $tband_pointer + 8)
  if $tband_size == 0 || ($tband_size & ($tband_size - 1)) != 0 || (unsigned int)($tband_written - $tband_at) > $tband_size
    echo tband: this is not a tband_ring, or it is damaged: only the names are saved.\n
  else
    # What went before was taken, perhaps in the middle of a frame.
    while $tband_at != $tband_written && $tband_at != 0 && *(unsigned char *)($tband_start + (($tband_at - 1) & ($tband_size - 1))) != 0
      set $tband_at = (unsigned int)($tband_at + 1)
    end
    set $tband_from = $tband_start + ($tband_at & ($tband_size - 1))
    set $tband_to = $tband_from + (unsigned int)($tband_written - $tband_at)
    if $tband_to > $tband_start + $tband_size
      set $tband_rest = $tband_to - ($tband_start + $tband_size)
      set $tband_to = $tband_start + $tband_size
      tband-add $arg0
      set $tband_from = $tband_start
      set $tband_to = $tband_start + $tband_rest
    end
    tband-add $arg0
  end
end

# Begins a packet of $tband_len bytes in the file, after which its fields from the begin time on follow, and
# tband-end-packet: a packet without a check is longer than its content.
define tband-begin-packet
  if $tband_bytes == 0
    dump binary value $arg0 (unsigned int)0xC1FC1FC1
  else
    append binary value $arg0 (unsigned int)0xC1FC1FC1
  end
  append binary value $arg0 (unsigned int)$tband_which
  append binary value $arg0 (unsigned int)($tband_len << 3 | ($tband_len + 8) << 19)
  append binary value $arg0 (unsigned int)0
  set $tband_bytes = $tband_bytes + $tband_len + 8
end

# What fills a packet up.
define tband-end-packet
  append binary value $arg0 (unsigned long long)0
end

# A packet of the metadata stream with the bytes from $tband_from to $tband_to, frames all of them, if there are any. A
# core's own names are after a frame that says whose they are.
define tband-add-metadata
  set $tband_len = 36 + 5 * ($tband_cores > 1) + ($tband_to - $tband_from)
  if $tband_to > $tband_from
    set $tband_which = 0x1FF | $tband_sequence << 16
    set $tband_sequence = $tband_sequence + 1
    tband-begin-packet $arg0
    append binary value $arg0 (unsigned long long)0
    append binary value $arg0 (unsigned long long)0
    append binary value $arg0 (unsigned int)0
    if $tband_cores > 1
      # The id of core_id and the time, which are 0, and the core, stuffed.
      append binary value $arg0 (unsigned char)1
      append binary value $arg0 (unsigned char)1
      append binary value $arg0 (unsigned char)(1 + ($tband_index != 0))
      append binary value $arg0 (unsigned char)($tband_index != 0 ? $tband_index : 1)
      append binary value $arg0 (unsigned char)0
    end
    append binary memory $arg0 $tband_from $tband_to
    tband-end-packet $arg0
  end
end

# Names of all cores. Their sizes are beside them if they are from before a reset.
define tband-add-names
  set $tband_sequence = 0
  set $tband_index = 0
  set $tband_measures = 0
  if $tband_kept != 0
    set $tband_names = *(unsigned long *)$tband_kept
    set $tband_measures = *(unsigned long *)($tband_kept + $tband_pointer)
  end
  while $tband_index < $tband_cores && $tband_names_size != 0 && $tband_names != 0
    set $tband_at = $tband_names + $tband_index * $tband_names_size
    set $tband_used = *(unsigned short *)($tband_core + $tband_index * $tband_core_size + 2 * $tband_pointer + 12)
    if $tband_measures != 0
      set $tband_used = *(unsigned short *)($tband_measures + $tband_index * 6)
    end
    if $tband_used > $tband_names_size
      set $tband_used = 0
    end
    set $tband_names_end = $tband_at + $tband_used
    # No packet has room for a large buffer.
    while $tband_at < $tband_names_end
      set $tband_from = $tband_at
      set $tband_to = $tband_from + 4000
      if $tband_to > $tband_names_end
        set $tband_to = $tband_names_end
      end
      while $tband_to < $tband_names_end && *(unsigned char *)($tband_to - 1) != 0
        set $tband_to = $tband_to + 1
      end
      set $tband_at = $tband_to
      tband-add-metadata $arg0
    end
    set $tband_index = $tband_index + 1
  end
end

# The frequency, with a denominator of 1, in a packet of its own. Its digits of 7 bits are no zeros.
define tband-add-frequency
  set $tband_hz = (unsigned long)$arg1
  set $tband_digits = 1
  while $tband_hz >> (7 * $tband_digits) != 0
    set $tband_digits = $tband_digits + 1
  end
  set $tband_len = 36 + 2 + 1 + $tband_digits + 1 + 1
  set $tband_which = 0x1FF | 0xFFFF << 16
  tband-begin-packet $arg0
  append binary value $arg0 (unsigned long long)0
  append binary value $arg0 (unsigned long long)0
  append binary value $arg0 (unsigned int)0
  append binary value $arg0 (unsigned char)2
  append binary value $arg0 (unsigned char)206
  append binary value $arg0 (unsigned char)($tband_digits + 2)
  while $tband_digits > 1
    append binary value $arg0 (unsigned char)($tband_hz & 0x7F | 0x80)
    set $tband_hz = $tband_hz >> 7
    set $tband_digits = $tband_digits - 1
  end
  append binary value $arg0 (unsigned char)$tband_hz
  append binary value $arg0 (unsigned char)1
  append binary value $arg0 (unsigned char)0
  tband-end-packet $arg0
end

# $tband_state: 0, if there is no packet of core $tband_index in slot $tband_slot; 1, if one is closed; 2, if it is open,
# up to $tband_at; 3, metadata that a snapshot begins with.
define tband-look-at-slot
  set $tband_state = 0
  set $tband_which = *(unsigned int *)($tband_slot + 4)
  set $tband_lens = *(unsigned int *)($tband_slot + 8)
  set $tband_whole = $tband_lens >> 19
  set $tband_len = ($tband_lens & 0xFFFF) >> 3
  set $tband_at = *(unsigned long *)($tband_slot + $tband_size - 2 * $tband_pointer)
  if *(unsigned int *)$tband_slot == 0xC1FC1FC1 && $tband_slot != $tband_not_this
    if ($tband_which & 0xFFFF) == (0x100 | $tband_index)
      if $tband_len == 0 && $tband_whole == $tband_size && $tband_at >= $tband_slot + 36 && $tband_at < $tband_slot + $tband_size
        set $tband_state = 2
      end
      if $tband_len >= 36 && $tband_len <= $tband_size && ($tband_whole == $tband_size || $tband_whole == $tband_len)
        set $tband_state = 1
      end
    end
    if ($tband_which & 0xFFFF) == 0x1FF && $tband_policy == 1 && $tband_index == 0 && $tband_len > 36 && $tband_len <= $tband_size
      set $tband_state = 3
    end
  end
end

# The packet in slot $tband_slot as it is, without what fills it up.
define tband-add-slot
  if $tband_state == 2
    set $tband_len = $tband_at - $tband_slot
    tband-begin-packet $arg0
    set $tband_begin = *(unsigned long long *)($tband_slot + 16)
    set $tband_end = $tband_begin + (unsigned int)(*(unsigned int *)($tband_slot + $tband_size - $tband_pointer) - (unsigned int)$tband_begin)
    append binary value $arg0 (unsigned long long)$tband_begin
    append binary value $arg0 (unsigned long long)$tband_end
    append binary value $arg0 *(unsigned int *)($tband_core + $tband_index * $tband_core_size + 2 * $tband_pointer + 4)
    if $tband_len > 36
      append binary memory $arg0 $tband_slot+36 $tband_slot+$tband_len
    end
    tband-end-packet $arg0
  end
  if $tband_state == 1 || $tband_state == 3
    set $tband_from = $tband_slot
    set $tband_to = $tband_slot + $tband_whole
    tband-add $arg0
  end
end

define tband-add-packets
  set $tband_rings = *(unsigned long *)($tband_packets + $tband_pointer)
  set $tband_size = *(unsigned int *)($tband_packets + 2 * $tband_pointer)
  set $tband_memory = *(unsigned long *)($tband_packets + 3 * $tband_pointer)
  set $tband_count = *(unsigned int *)($tband_packets + 5 * $tband_pointer)
  set $tband_reader = *(unsigned long *)($tband_packets + 6 * $tband_pointer)
  set $tband_policy = *(unsigned int *)($tband_packets + 7 * $tband_pointer + 8)
  # After three words there is a pointer again.
  set $tband_kept = *(unsigned long *)($tband_packets + 10 * $tband_pointer + (12 + $tband_pointer - 1) / $tband_pointer * $tband_pointer + 8)
  # A slot in which the reader writes metadata. A snapshot has no state of a reader here; its slot is not a packet while metadata is written there.
  set $tband_not_this = 0
  if $tband_reader != 0 && *(unsigned char *)($tband_reader + 15) >= 2
    set $tband_not_this = *(unsigned long *)($tband_rings + *(unsigned char *)($tband_reader + 14) * ((2 * $tband_pointer + 12 + $tband_pointer - 1) / $tband_pointer * $tband_pointer) + $tband_pointer)
  end
  # A snapshot has them in its ring.
  if $tband_policy != 1
    tband-add-names $arg0
  end
  set $tband_names_bytes = $tband_bytes

  set $tband_found = 0
  set $tband_index = 0
  while $tband_index < $tband_cores
    set $tband_first = $tband_memory + $tband_index * $tband_count * $tband_size
    # The newest one, of which the one after it is the oldest.
    set $tband_newest = $tband_count - 1
    set $tband_last = -1
    set $tband_number = 0
    while $tband_number < $tband_count
      set $tband_slot = $tband_first + $tband_number * $tband_size
      tband-look-at-slot
      if $tband_state == 1 || $tband_state == 2
        if $tband_last == -1 || ((($tband_which >> 16) - $tband_last) & 0xFFFF) < 0x8000
          set $tband_last = $tband_which >> 16
          set $tband_newest = $tband_number
        end
      end
      set $tband_number = $tband_number + 1
    end
    set $tband_number = 1
    while $tband_number <= $tband_count
      set $tband_slot = $tband_first + (($tband_newest + $tband_number) % $tband_count) * $tband_size
      tband-look-at-slot
      tband-add-slot $arg0
      if $tband_state != 0
        set $tband_found = $tband_found + 1
      end
      set $tband_number = $tband_number + 1
    end
    set $tband_index = $tband_index + 1
  end
end

define tband-save-packets
  set $tband_bytes = 0
  set $tband_known_hz = 0
  set $tband_frequency = *(unsigned long *)($tband_setup + (4 * $tband_pointer + 48))
  # A snapshot begins with it. A fraction of Hz does not fit.
  if $tband_frequency != 0 && *(unsigned int *)($tband_packets + 7 * $tband_pointer + 8) != 1
    if *(unsigned int *)($tband_frequency + 4) == 1
      set $tband_known_hz = *(unsigned int *)$tband_frequency
    end
  end
  if $argc == 2
    tband-add-frequency $arg0 $arg1
  else
    if $tband_known_hz != 0
      tband-add-frequency $arg0 $tband_known_hz
    end
  end
  tband-add-packets $arg0
  if $tband_found == 0
    echo tband: no packets were recorded. Was the recording started?\n
  else
    printf "tband: %u packets of %u core(s) and %u bytes of names are in the file.\n", $tband_found, $tband_cores, (unsigned int)$tband_names_bytes
    if $argc == 1 && $tband_policy != 1 && $tband_known_hz == 0
      echo tband: how fast the timer is may not be in it any more. To add that: tband-save FILE HZ\n
    end
  end
end

define tband-save
  if $argc != 1 && $argc != 2
    echo Usage: tband-save FILE [RING or HZ]\n
  else
    # In a stopped Rust function the language would be Rust, which has other casts.
    set language c
    set $tband_bytes = 0
    set $tband_pointer = sizeof(void *)
    # An error of a command on a frame ends that command and not the script.
    set $tband_setup = 0
    frame apply 1 -q -s set $tband_setup = (unsigned long)&tband_debugger_setup
    if $tband_setup == 0
      echo tband: nothing in this program starts a recording, or its symbols are missing, and no file is written. `tband-cli doctor program.elf` reports which.\n
    else
    set $tband_core = *(unsigned long *)$tband_setup
    set $tband_cores = *(unsigned int *)($tband_setup + $tband_pointer)
    set $tband_names = *(unsigned long *)($tband_setup + $tband_pointer + 16)
    set $tband_names_size = *(unsigned int *)($tband_setup + $tband_pointer + 12)
    set $tband_buffer = *(unsigned long *)($tband_setup + 2 * $tband_pointer + 16)
    set $tband_buffer_size = *(unsigned int *)($tband_setup + 3 * $tband_pointer + 16)
    set $tband_core_size = 2 * $tband_pointer + 24
    set $tband_packets = (unsigned long)&tband_debugger_packets
    if $tband_packets != $tband_setup
      if $argc == 1
        tband-save-packets $arg0
      else
        tband-save-packets $arg0 $arg1
      end
    else

    set $tband_index = 0
    while $tband_index < $tband_cores && $tband_names_size != 0
      set $tband_from = $tband_names + $tband_index * $tband_names_size
      set $tband_to = $tband_from + *(unsigned short *)($tband_core + $tband_index * $tband_core_size + 2 * $tband_pointer + 12)
      tband-add $arg0
      set $tband_index = $tband_index + 1
    end
    set $tband_names_bytes = $tband_bytes

    set $tband_index = 0
    while $tband_index < $tband_cores && $tband_buffer_size != 0
      # Null until the first recording.
      set $tband_to = *(unsigned long *)($tband_core + $tband_index * $tband_core_size)
      set $tband_from = $tband_buffer + $tband_index * $tband_buffer_size
      tband-add $arg0
      set $tband_index = $tband_index + 1
    end
    if $tband_buffer_size == 0 && $argc == 2
      tband-add-ring $arg0 $arg1
    end

    if $tband_bytes == 0
      echo tband: nothing was recorded, and no file is written. Was the recording started?\n
    else
      printf "tband: %u bytes of names and %u bytes of events of %u core(s) are in the file.\n", (unsigned int)$tband_names_bytes, (unsigned int)($tband_bytes - $tband_names_bytes), $tband_cores
    end
    if $tband_buffer_size != 0 && $argc == 2
      echo tband: this program records snapshots; the ring was not looked at.\n
    end
    if $tband_buffer_size == 0 && $argc == 1
      echo tband: this program hands its events out. If they go into a tband_ring, name it: tband-save FILE my_ring\n
    end
    end
    end
    set language auto
  end
end

document tband-save
Write the recording of tband that is in the program's memory to a file.
Usage: tband-save FILE [RING or HZ]
RING is the tband_ring into which the events go, with the streaming or the external backend.
HZ is the frequency of the timer in packets, if the program knows it at run time only and was not started yet.
end

document tband-add
Part of tband-save.
end

document tband-add-ring
Part of tband-save.
end

document tband-begin-packet
Part of tband-save.
end

document tband-end-packet
Part of tband-save.
end

document tband-add-metadata
Part of tband-save.
end

document tband-add-names
Part of tband-save.
end

document tband-add-frequency
Part of tband-save.
end

document tband-look-at-slot
Part of tband-save.
end

document tband-add-slot
Part of tband-save.
end

document tband-add-packets
Part of tband-save.
end

document tband-save-packets
Part of tband-save.
end
