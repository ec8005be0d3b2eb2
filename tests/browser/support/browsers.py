"""Debian's browsers: Chromium without windows, which takes half the time, and Firefox by the protocol that it speaks itself (WebDriver BiDi)."""

from playwright._impl._connection import from_channel

CHROMIUM, FIREFOX = "/usr/bin/chromium-headless-shell", "/usr/bin/firefox-esr"
# What Firefox takes for the system's colours: Playwright's emulation of them is for its own build of Firefox.
SCHEMES = {"light": 1, "dark": 0}


def chromium(playwright):
    # No page draws in three dimensions; the GPU process would take a tenth of the time.
    without = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-software-rasterizer"]
    return playwright.chromium.launch(executable_path=CHROMIUM, args=without)


def firefox(playwright, scheme="light"):
    """Firefox as distributions have it. Playwright drives it too, but has no public name for that yet."""
    found = from_channel(playwright._impl_obj._initializer["_bidiFirefox"])
    found._playwright = playwright._impl_obj
    kind = type(playwright.firefox)(found)
    prefs = {"layout.css.prefers-color-scheme.content-override": SCHEMES[scheme]}
    return kind.launch(executable_path=FIREFOX, firefox_user_prefs=prefs, timeout=300_000)
