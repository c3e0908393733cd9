"""A page read back as a tree of elements, and what stands in it."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"br", "img", "input", "link", "meta", "wbr"}


@dataclass
class Element:
    tag: str
    attributes: dict
    parent: "Element | None" = None
    children: list = field(default_factory=list)

    @property
    def text(self):
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, tag=None, **attributes):
        """Every element below with this tag and these attributes, in the order of the page."""
        elements = []
        for child in self.children:
            if isinstance(child, Element):
                names = {name.replace("_", "-"): value for name, value in attributes.items()}
                if tag in (None, child.tag) and names.items() <= child.attributes.items():
                    elements.append(child)
                elements += child.all(tag, **attributes)
        return elements

    def one(self, tag=None, **attributes):
        (element,) = self.all(tag, **attributes)
        return element

    def texts(self):
        """Every text below, with the elements around it."""
        for child in self.children:
            if isinstance(child, str):
                yield child, [self, *self.ancestors()]
            else:
                yield from child.texts()

    def ancestors(self):
        return [] if self.parent is None else [self.parent, *self.parent.ancestors()]


class TreeBuilder(HTMLParser):
    """Reads a page strictly: every element is closed where it was opened."""

    def __init__(self):
        super().__init__()
        self.root = self.open = Element("", {})

    def handle_starttag(self, tag, attrs):
        assert len(attrs) == len(dict(attrs)), f"<{tag}> has an attribute twice"
        element = Element(tag, dict(attrs), self.open)
        self.open.children.append(element)
        if tag not in VOID:
            self.open = element

    def handle_endtag(self, tag):
        assert tag == self.open.tag, f"</{tag}> closes <{self.open.tag}>"
        self.open = self.open.parent

    def handle_data(self, data):
        self.open.children.append(data)


def parse(page):
    builder = TreeBuilder()
    builder.feed(page)
    builder.close()
    assert builder.open is builder.root, f"<{builder.open.tag}> is never closed"
    return builder.root


def texts(elements):
    return [" ".join(element.text.split()) for element in elements]


def claim_of(page, name):
    return page.one("details", id=f"claim-{name}")
