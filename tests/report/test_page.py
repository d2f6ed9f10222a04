"""The page: whole, offline, and safe with any text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from selfhint.core.errors import InputError
from selfhint.report import page, summarise, write_page
from selfhint.report.quantities import quantities
from support.runs import ONE_STEP, write_run

HOSTILE = """</script><script>alert("x")</script> & <img src=x onerror='alert(1)'> {{ 7 * 7 }}"""


class Page(HTMLParser):
    """What a browser would make of a page: its text by tag, its tags and their attributes."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.texts, self._open = [], [], ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._open = tag

    def handle_data(self, data):
        if data.strip():
            self.texts.append((self._open, data.strip()))

    def all(self, tag):
        return [text for opened, text in self.texts if opened == tag]


@pytest.fixture
def both(starved, fading):
    return [summarise(starved), summarise(fading)]


@pytest.fixture
def small_plotly(monkeypatch):
    """Parsing the library's 5 MB of script in every test would only take time."""
    monkeypatch.setattr(page, "get_plotlyjs", lambda: "var Plotly;")


def render(title, note, summaries):
    return Page(page.render_page(title, note, summaries))


@pytest.mark.usefixtures("small_plotly")
def test_it_holds_the_table_the_charts_and_the_note(both):
    made = render("Two runs", "It shows.\nIt does not.", both)
    assert made.all("title") == made.all("h1") == ["Two runs"]
    assert made.all("th")[:2] == ["grpo", "sage"]
    assert made.all("th")[2:] == [quantity.label for quantity in quantities(both)]
    assert made.all("td") == [value for quantity in quantities(both) for value in quantity.values]
    assert made.all("h2") == [
        "What this shows and what it does not",
        "Held-out success by step",
        "Held-out success by sampled tokens",
        "Hints by level: grpo",
        "Hints by level: sage",
        "Groups without signal",
        "Training reward",
    ]
    assert "It shows.\nIt does not." in made.all("p")
    plots = [script for script in made.all("script") if "Plotly.newPlot" in script]
    assert len(plots) == 6


@pytest.mark.usefixtures("small_plotly")
def test_charts_have_ids_of_their_own_and_names_for_screen_readers(both):
    tags = render("t", "n", both).tags
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(ids) == len(set(ids)) == 6
    labels = [attributes["aria-label"] for _, attributes in tags if attributes.get("role") == "img"]
    assert len(labels) == len(set(labels)) == 6


@pytest.mark.usefixtures("small_plotly")
def test_nothing_is_loaded_or_sent(both):
    html = page.render_page("t", "n", both)
    tags = Page(html).tags
    assert not [attributes for _, attributes in tags if attributes.keys() & {"src", "href", "action"}]
    assert "http://" not in html
    assert "https://" not in html
    (policy,) = [a["content"] for tag, a in tags if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    buttons = re.findall(r'"modeBarButtons": (\[\[.*?\]\])', html)
    assert set(buttons) == {'[["toImage", "zoom2d", "pan2d", "resetScale2d"]]'}


def test_the_chart_library_is_inside(both, tmp_path):
    write_page(tmp_path / "page.html", "t", "n", both)
    assert page.get_plotlyjs() in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.usefixtures("small_plotly")
def test_text_stays_text(both, tmp_path):
    in_a_path = HOSTILE.replace("/", "|")
    named = [summarise(write_run(tmp_path / name, ONE_STEP)) for name in ("plain", in_a_path)]
    plain = render("t", "n", [*both, named[0]])
    hostile = render(HOSTILE, HOSTILE, [*both, named[1]])
    assert hostile.all("h1") == [HOSTILE]
    assert HOSTILE in hostile.all("p")
    assert in_a_path in hostile.all("th")
    assert [tag for tag, _ in hostile.tags] == [tag for tag, _ in plain.tags]


@pytest.mark.usefixtures("small_plotly")
def test_runs_without_measurements_are_named(both, tmp_path):
    light = summarise(write_run(tmp_path / "light", ONE_STEP))
    captions = render("t", "n", [both[0], light]).all("p")
    assert sum("No measurements: light." in caption for caption in captions) == 2


def test_hints_of_all_runs_have_the_same_axes(both, tmp_path):
    short = summarise(write_run(tmp_path / "short", ONE_STEP))
    axes = [
        (chart.figure.layout.xaxis.range, chart.figure.layout.yaxis.range)
        for chart in page.charts([*both, short])
        if chart.title.startswith("Hints by level")
    ]
    assert axes == [((0, 4), (0, 2.06))] * 3


# Writing


@pytest.mark.usefixtures("small_plotly")
def test_the_same_runs_give_the_same_bytes(both, tmp_path):
    first, second = tmp_path / "new" / "folder" / "a.html", tmp_path / "b.html"
    second.write_text("an older page")
    for path in (first, second):
        write_page(path, "títle – \udcff", "n", both)
    assert first.read_bytes() == second.read_bytes()
    assert [path.name for path in first.parent.iterdir()] == ["a.html"]


@pytest.mark.usefixtures("small_plotly")
def test_a_failed_write_leaves_the_older_page(both, tmp_path, monkeypatch):
    path = tmp_path / "out" / "page.html"
    path.parent.mkdir()
    path.write_text("an older page")

    def fail(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(page.os, "replace", fail)
    with pytest.raises(InputError, match=r"page\.html: cannot write the page \(No space left on device\); choose"):
        write_page(path, "t", "n", both)
    assert [(p.name, p.read_text()) for p in path.parent.iterdir()] == [("page.html", "an older page")]


@pytest.mark.usefixtures("small_plotly")
@pytest.mark.parametrize("name", ["folder", "file/page.html"])
def test_a_place_that_cannot_be_written(both, tmp_path, name):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot write the page") as caught:
        write_page(tmp_path / name, "t", "n", both)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.rglob("*.partial"))


def test_no_run(tmp_path):
    with pytest.raises(InputError, match="no run to show"):
        write_page(tmp_path / "page.html", "t", "n", [])
    assert not list(tmp_path.iterdir())
