"""The drawing of the rules: each to the right of what it reads from, and no line that a longer way makes needless."""

from nontrivial_study.report.figures import draw_rules


def graph(**reads):
    return {rule: {"reads": others, "makes": []} for rule, others in reads.items()}


def test_rules_stand_to_the_right_of_what_they_read_from():
    drawing = draw_rules(graph(page=["judge", "draw"], judge=["calc"], draw=["calc"], calc=["data"], data=[]))
    place = {box.name: (box.x, box.y) for box in drawing.boxes}
    assert place["data"][0] < place["calc"][0] < place["draw"][0] == place["judge"][0] < place["page"][0]
    assert place["draw"][1] != place["judge"][1]
    assert max(x for x, _ in place.values()) < drawing.width
    assert len(drawing.lines) == 5


def test_a_line_that_a_longer_way_makes_needless_is_left_out():
    assert len(draw_rules(graph(data=[], calc=["data"], page=["calc", "data"])).lines) == 2


def test_without_rules_nothing_is_drawn():
    assert draw_rules({}).boxes == []
