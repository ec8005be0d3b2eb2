# A recording out of a device that a debugger has stopped, also after a fault, and out of a core dump. In GDB:
#
#     source port/tband.gdb
#     tband-save trace.bin                the snapshot backend
#     tband-save trace.bin my_ring        streaming or external: `my_ring` is your tband_ring
#
# The file has the names of all cores and then the events of all cores; give it to tband-cli. Nothing runs on
# the device and nothing is changed there. It may stand anywhere, also inside an event that it is about to
# record: what is saved ends with the last whole frame. Debug info is not needed, but the program's symbols are.
#
# Everything is found from the constant of the shim, tband_debugger_setup (GCC, clang), with the layout of
# tband_setup and tband_core_state in tband.h: a script of another version of tband may not fit.

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
    echo tband: this is no tband_ring, or it is damaged: only the names are saved.\n
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

define tband-save
  if $argc != 1 && $argc != 2
    echo Usage: tband-save FILE [RING]\n
  else
    # In a stopped Rust function the language would be Rust, which has other casts.
    set language c
    set $tband_bytes = 0
    set $tband_pointer = sizeof(void *)
    set $tband_setup = (unsigned long)&tband_debugger_setup
    set $tband_core = *(unsigned long *)$tband_setup
    set $tband_cores = *(unsigned int *)($tband_setup + $tband_pointer)
    set $tband_names = *(unsigned long *)($tband_setup + $tband_pointer + 16)
    set $tband_names_size = *(unsigned int *)($tband_setup + $tband_pointer + 12)
    set $tband_buffer = *(unsigned long *)($tband_setup + 2 * $tband_pointer + 16)
    set $tband_buffer_size = *(unsigned int *)($tband_setup + 3 * $tband_pointer + 16)
    set $tband_core_size = 2 * $tband_pointer + 24

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
    set language auto
  end
end

document tband-save
Write the recording of tband that is in the program's memory to a file.
Usage: tband-save FILE [RING]
RING is the tband_ring into which the events go, with the streaming or the external backend.
end

document tband-add
Part of tband-save.
end

document tband-add-ring
Part of tband-save.
end
