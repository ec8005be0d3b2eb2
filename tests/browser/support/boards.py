"""A board that records and is recorded with the page of `tband-cli record --web`, and one that obeys commands."""

import contextlib
import os
import re
import socket
import struct
import subprocess
import threading
import time

from driver import FOLDER
from frames import (
    CREATED, INSTANT, ISR_ENTER, ISR_EXIT, MARKER_NAME, QUEUE_NAME, RECEIVE, RESOLUTION, SEND, SWITCHED_IN, TASK_NAME, frame,
)

FILTER, ANSWER = 227, 238
TASKS = 6


def head():
    names = [frame(RESOLUTION, 1), frame(QUEUE_NAME, 1, b"samples"), frame(MARKER_NAME, 1, b"told")]
    names += [frame(CREATED, 0, 1)]
    return b"".join([*names, *(frame(TASK_NAME, task, f"worker {task}".encode()) for task in range(1, TASKS + 1))])


def events(begin, end, rate):
    """So many events a second from one time to another, in ns: tasks in turn, a queue, an interrupt."""
    step, made = int(1e9 / rate), []
    for number, ts in enumerate(range(begin, end, step)):
        turn = number % 6
        task = 1 + number // 6 % TASKS
        made.append([
            lambda: frame(SWITCHED_IN, ts, task), lambda: frame(SEND, ts, 1, 1), lambda: frame(ISR_ENTER, ts, 3),
            lambda: frame(ISR_EXIT, ts, 3), lambda: frame(RECEIVE, ts, 1, 0), lambda: frame(INSTANT, ts, 1, b"done"),
        ][turn]())
    return b"".join(made)


class Port:
    """A port that a board's bytes come from, and its connections."""

    def __init__(self, number):
        self.listener, self.connections = None, []
        self.listen(number)
        self.number = self.listener.getsockname()[1]

    def listen(self, number):
        self.listener = socket.create_server(("127.0.0.1", number))
        self.listener.settimeout(120)

    def __call__(self):
        """The next connection."""
        if self.listener is None:
            self.listen(self.number)
        self.connections.append(self.listener.accept()[0])
        self.connections[-1].setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self.connections[-1]

    def refuse(self):
        """Nobody is there until the next connection is wanted."""
        self.listener.close()
        self.listener = None

    def close(self):
        for each in [*self.connections, *filter(None, [self.listener])]:
            each.close()


@contextlib.contextmanager
def board(number=0):
    """A server that a board's bytes come from: what to connect to, and what gives the connection."""
    port = Port(number)
    yield f"tcp:127.0.0.1:{port.number}", port
    port.close()


@contextlib.contextmanager
def record(source, *options, name=None):
    """Records with the page, into a file of this name. Gives its address, the file and the program."""
    path = FOLDER / (name or f"{time.monotonic_ns()}.bin")
    command = [os.environ["TBAND_CLI"], "record", "--web", "--port", "0", "--dir", os.environ["TBAND_PAGE"], "-o", name or str(path), *options, source]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=FOLDER)
    link = program.stdout.readline().strip()
    assert re.fullmatch(r"http://localhost:\d+/\?live(#[0-9a-f]{32})?", link), (link, program.poll())
    try:
        yield link, path, program
    finally:
        program.kill()
        program.communicate()


@contextlib.contextmanager
def looked_at(pages, link):
    with pages.open(link, allowed=link.split("?")[0]) as page:
        yield page


class Obeys:
    """A board that records a thousand events a second, and answers commands: `answer(kind, arguments)` is the answer, None for none,
    or the answer and what else is recorded then, each with its id and the fields after the time."""

    def __init__(self, connection, answer):
        self.connection, self.answer, self.obeyed, self.now = connection, answer, [], 0
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        connection, came = self.connection, b""
        connection.settimeout(0.01)
        try:
            connection.sendall(head())
            while True:
                try:
                    more = connection.recv(4096)
                    if not more:
                        return
                    came += more
                except TimeoutError:
                    pass
                *whole, came = came.split(b"\0")
                connection.sendall(b"".join(map(self.obey, filter(None, whole))) + events(self.now, self.now + 10_000_000, 1000))
                self.now += 10_000_000
        except OSError:
            """The other side is gone."""

    def obey(self, coded):
        """What is recorded after a command, which is in COBS: version, kind, number, arguments, check."""
        read = b""
        while coded:
            read, coded = read + coded[1:coded[0]] + b"\0", coded[coded[0]:]
        _, kind, number = struct.unpack_from("<BBH", read)
        arguments = struct.unpack_from(f"<{(len(read) - 9) // 4}I", read, 4)
        # It may be sent again.
        if (number, kind, arguments) not in self.obeyed:
            self.obeyed.append((number, kind, arguments))
        answer = self.answer(kind, arguments)
        if answer is None:
            return b""
        answer, more = answer if isinstance(answer, tuple) else (answer, [])
        recorded = [(ANSWER, number, abs(answer) * 2 + (answer < 0)), *more]
        return b"".join(frame(event, self.now, *fields) for event, *fields in recorded)

    def commands(self):
        return [it[1:] for it in self.obeyed]
