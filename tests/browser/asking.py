"""Buttons in the page of `tband-cli record --web` that ask the target for something, and who may press them."""

import json
import re
import time
import urllib.error
import urllib.request

from boards import FILTER, Obeys, board, events, head, looked_at, record
from driver import accessible, fits, main, until

# Numbers of kinds of commands, and the ids of the events that the group "application" switches.
INFO, START, STOP, NAMES, FLUSH, USER, FILTERS, TRIGGER, REARM = 1, 2, 3, 4, 5, 6, 11, 18, 19
APPLICATION = [7, 8, 9, 11, 123, 124, 125, 127, 232, 234]


def off():
    """The facts of a filter that leaves these ids out."""
    words = {}
    for id_ in APPLICATION:
        words[id_ // 32] = words.get(id_ // 32, 0) | 1 << id_ % 32
    return [(FILTER, 8, len(words) << 8), *((FILTER, word, bits) for word, bits in words.items())]


def answer(kind, arguments):
    """Of a firmware that records, allows no `names`, and has no trigger of another number than 1."""
    if kind == FILTERS:
        _, classes, is_on = arguments
        assert classes == 1 << 3, arguments
        return 0, [(FILTER, 8, 0)] if is_on else off()
    if kind == USER:
        return sum(arguments)
    if kind == REARM:
        return 0 if arguments == (1,) else -4
    return {START: -1, NAMES: -2, INFO: None}.get(kind, 0)


def expect_message(page, words):
    until(page, f"document.querySelector('#ask-answer').textContent.includes({json.dumps(words)})")


def press(page, words):
    page.click(f"#ask button:text-is('{words}')")


def send(page, command):
    page.fill("#ask-command", command)
    press(page, "Send")


def rearm(page, number):
    page.fill("#ask input[type=number]", number)
    press(page, "Rearm")


def disabled(page):
    return page.evaluate("[...document.querySelectorAll('#ask button, #ask input')].filter((it) => it.disabled).map((it) => it.textContent || it.type)")


def test_buttons_ask_the_target_and_say_what_it_answers(pages):
    with board() as (source, connection), record(source) as (link, _, _), looked_at(pages, link) as page:
        target = Obeys(connection(), answer)
        until(page, "globalThis.tbandTimeline && document.querySelectorAll('#ask button').length > 10")
        assert disabled(page) == [] and page.is_hidden("#ask-reason")
        accessible(page)
        fits(page)
        press(page, "Start")
        expect_message(page, "start: refused (-1): it cannot be done now")
        press(page, "Stop")
        expect_message(page, "stop: done")
        press(page, "Flush")
        expect_message(page, "flush: done")
        rearm(page, "1")
        expect_message(page, "rearm 1: done")
        rearm(page, "7")
        expect_message(page, "rearm 7: wrong arguments (-4)")
        page.fill("#ask-command", "user 3 4")
        page.press("#ask-command", "Enter")
        expect_message(page, "user 3 4: 7")
        send(page, "fly away")
        expect_message(page, "fly away: 'fly' is not a command")
        assert target.commands() == [(START, ()), (STOP, ()), (FLUSH, ()), (REARM, (1,)), (REARM, (7,)), (USER, (3, 4, 0, 0))]
        # The page disables a command that the firmware does not allow, and shows the reason.
        assert disabled(page) == []
        press(page, "Names")
        expect_message(page, "names: not allowed (-2)")
        assert disabled(page) == ["Names"]
        assert "names: not allowed (-2): the firmware does not allow it" in page.inner_text("#ask-reason")
        assert "not allowed" in page.get_attribute("#ask [data-kind=names]", "title")


def release_groups_are_as_in_the_recording(pages):
    pressed = "document.querySelector('#ask .ask-groups').children[5].getAttribute('aria-pressed')"
    with board() as (source, connection), record(source) as (link, _, _), looked_at(pages, link) as page, looked_at(pages, link) as other:
        target = Obeys(connection(), answer)
        for each in (page, other):
            until(each, f"document.querySelectorAll('#ask .ask-groups button').length === 7 && {pressed} === 'true'")
        press(page, "application")
        expect_message(page, "filter off group application: done")
        # Both pages show the filter, whichever of them has set it.
        for each in (page, other):
            until(each, f"{pressed} === 'false'")
        press(other, "application")
        expect_message(other, "filter on group application: done")
        for each in (page, other):
            until(each, f"{pressed} === 'true'")
        assert target.commands() == [(FILTERS, (1, 8, 0)), (FILTERS, (1, 8, 1))]
        assert page.evaluate("[...document.querySelectorAll('#ask .ask-groups button')].map((it) => it.textContent)") == [
            "scheduling", "communication", "interrupts", "time", "memory", "application", "calls"]


def release_a_target_that_does_not_answer_is_reported(pages):
    with board() as (source, connection), record(source) as (link, _, program), looked_at(pages, link) as page:
        target = Obeys(connection(), answer)
        until(page, "globalThis.tbandTimeline")
        send(page, "info")
        expect_message(page, "info: no answer, sent ")
        assert "does the firmware record and call tband_obey(), and does the line lose bytes?" in page.locator("#ask-answer").text_content()
        # One that waits hears of the end.
        send(page, "info 1")
        expect_message(page, "info wants 0 numbers")
        sent = len(target.commands())
        send(page, "info")
        while len(target.commands()) <= sent:
            page.wait_for_timeout(20)
        program.terminate()
        program.wait()
        expect_message(page, "info: no answer; the recording has ended")
        until(page, "document.querySelector('#ask-reason').textContent.includes('the recording has ended')")
        assert len(disabled(page)) == page.locator("#ask button, #ask input").count()


def test_without_a_way_or_the_token_nothing_can_be_pressed(pages):
    with board() as (source, connection), record(source) as (link, path, _):
        connection().sendall(head() + events(0, 1_000_000_000, 1000))
        with looked_at(pages, link.split("#")[0]) as page:
            until(page, "document.querySelector('#ask-reason').textContent.includes('open the link that tband-cli has printed')")
            assert len(disabled(page)) == page.locator("#ask button, #ask input").count()
    with record(f"file:{path}") as (link, _, _):
        assert "#" not in link
        with looked_at(pages, link) as page:
            until(page, "/commands go over .*serial:/.test(document.querySelector('#ask-reason').textContent)")
            assert len(disabled(page)) == page.locator("#ask button, #ask input").count()
            assert status(link, "0" * 32)[0] == 405


def status(link, token, body=b"flush", method="POST", **headers):
    """What a program, or another page, gets that asks."""
    url = link.split("?")[0] + "command"
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    if token is not None:
        headers["X-Tband-Token"] = token
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body if method == "POST" else None, headers, method=method)) as it:
            return it.status, json.loads(it.read()), it.headers.get("Access-Control-Allow-Origin")
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), error.headers.get("Access-Control-Allow-Origin")


def test_other_clients_cannot_send_commands(_):
    with board() as (source, connection), record(source) as (link, _, _):
        target = Obeys(connection(), answer)
        token = link.split("#")[1]
        assert re.fullmatch("[0-9a-f]{32}", token), token
        own = link.split("/?")[0]
        for wrong, code in [
            (dict(Origin="http://localhost:1"), 403), (dict(Origin="null"), 403), (dict(Origin="https://ui.perfetto.dev"), 403),
            (dict(Host="elsewhere.example"), 403), (dict(Sec_Fetch_Site="cross-site"), 403), (dict(Sec_Fetch_Site="same-site"), 403),
            (dict(Sec_Fetch_Site="cross-site", Sec_Fetch_Dest="document"), 403), (dict(body=b"\xff"), 400),
            (dict(body=b"flush " * 1000), 413), (dict(method="GET"), 405), (dict(method="OPTIONS"), 405),
        ]:
            got = status(link, token, **wrong)
            assert (got[0], got[2]) == (code, None), (wrong, got)
        for wrong in (None, "", token[:-1], token + "0", "0" * 32):
            assert status(link, wrong, Origin=own)[0] == 403, wrong
        assert status(link, token, b"user 1", Origin=own, Sec_Fetch_Site="same-origin") == (200, {"text": "user 1: 1", "kind": "user", "is": 1}, None)
        assert status(link, token, b"user 2") == (200, {"text": "user 2: 2", "kind": "user", "is": 2}, None)
        assert target.commands() == [(USER, (1, 0, 0, 0)), (USER, (2, 0, 0, 0))]


def test_one_command_at_a_time_also_of_record_itself(_):
    """A trigger that comes again after another command would be armed twice."""
    came = []

    def late(kind, _):
        came.append(kind)
        return None if kind == TRIGGER and came.count(TRIGGER) < 3 else 0

    with board() as (source, connection), record(source, "--trigger", "value 1 at-least 5") as (link, _, _):
        Obeys(connection(), late)
        while not came:
            time.sleep(0.01)
        assert status(link, link.split("#")[1], b"user 1")[:2] == (200, {"text": "user 1: 0", "kind": "user", "is": 0})
        assert came == [TRIGGER, TRIGGER, TRIGGER, USER]


main(globals())
