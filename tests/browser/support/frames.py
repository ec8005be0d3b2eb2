"""Recordings made event by event, and reports of them."""

from driver import FOLDER, cli

# Events by the names of the table of events.
SWITCHED_IN, READY, BLOCK_ON_RECEIVE, TASK_NAME, QUEUE_NAME, SEND, RECEIVE, CREATED, DELETED = 84, 85, 111, 95, 100, 102, 106, 94, 98
RESOLUTION, MARKER_NAME, INSTANT, BEGIN, END, VALUE_NAME, VALUE, ISR_ENTER, ISR_EXIT, DROPPED = 2, 6, 7, 8, 9, 10, 11, 4, 5, 1


def varint(number):
    bytes_ = []
    while number >= 0x80:
        bytes_.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*bytes_, number])


def frame(event, *fields):
    """One event: its id, then numbers and texts; COBS of less than 254 bytes."""
    payload = bytes([event]) + b"".join(it if isinstance(it, bytes) else varint(it) for it in fields)
    return b"".join(bytes([len(part) + 1]) + part for part in payload.split(b"\0")) + b"\0"


def recording(name, *frames):
    path = FOLDER / f"{name}.bin"
    path.write_bytes(b"".join(frames))
    return path


def report(path, *options):
    page = path.with_suffix(".html")
    cli("report", "-q", "-o", page, *options, path)
    return f"file://{page}"


def switches(begin, step, count):
    """Tasks 1 and 2 in turn."""
    names = [frame(RESOLUTION, 1), frame(TASK_NAME, 1, b"one"), frame(TASK_NAME, 2, b"two")]
    turns = (begin + number * step for number in range(count))
    return [*names, *(frame(SWITCHED_IN, ts, 1 + number % 2) for number, ts in enumerate(turns))]
