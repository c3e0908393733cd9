"""The part of YAML that configuration needs, and in which a text means one thing only.

Texts, lists, mappings from texts, and what JSON calls null, true, false and a number. What else YAML knows is either an
error (tags, keys that are not texts, the same key twice) or a text, as in YAML 1.2: ``yes``, ``1_0``, ``1:30``,
``010``, ``0x1F``, ``2015-07-31``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable
from typing import Any

import yaml
from yaml.composer import Composer
from yaml.constructor import BaseConstructor
from yaml.cyaml import CParser  # type: ignore[attr-defined]  # the stubs hide it
from yaml.resolver import BaseResolver

DEEPEST = 50  # collections within each other
MOST = 200_000  # values; what an alias stands for counts wherever it stands
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})")
_NUMBER = re.compile(r"[-+]?(0|[1-9][0-9]*)?(\.[0-9]+|(?<=[0-9])\.?)([eE][-+]?[0-9]+)?")


def parse_yaml(content: str | bytes, name: str) -> Any:
    """Parse plain YAML, in time and memory that grow with its size alone.

    Parameters
    ----------
    content : str or bytes
        UTF-8 if bytes.
    name : str
        Where it comes from, for the sentence.

    Raises
    ------
    ValueError
        One sentence with name and line if it is not YAML or not UTF-8, repeats a key, has a tag or a key that is not a
        text, is nested more than `DEEPEST` times, or holds more than `MOST` values.

    Examples
    --------
    >>> parse_yaml("{folds: 10, noise: 1e-2, models: all, batch: 010, day: 2015-07-31}", "mine.yaml")
    {'folds': 10, 'noise': 0.01, 'models': 'all', 'batch': '010', 'day': '2015-07-31'}
    >>> parse_yaml("folds: !!int ten", "mine.yaml")
    Traceback (most recent call last):
    ValueError: mine.yaml, line 1: the tag !!int is not allowed; use plain values.
    """
    try:
        text = content if isinstance(content, str) else content.decode("utf-8-sig")
        return yaml.load(text, _PlainLoader)  # type: ignore[arg-type]  # the stubs know their own loaders only
    except UnicodeDecodeError as error:
        raise ValueError(f"{name} is not UTF-8 (byte {error.start + 1}); it must be.") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f", line {mark.line + 1}" if mark else ""
        problem = (error.problem or error.context or "").removeprefix("but ")
        raise ValueError(f"{name}{line}: {problem}.") from None
    except yaml.reader.ReaderError as error:
        number = text.count("\n", 0, error.position) + 1
        raise ValueError(
            f"{name}, line {number}: the character U+{error.character:04X} is not allowed."
        ) from None


class _PlainLoader(Composer, CParser, BaseConstructor, BaseResolver):
    """Reads every value as a text, but plain ones that are more; refuses what can grow without bound."""

    def __init__(self, stream: str) -> None:
        CParser.__init__(self, stream)
        Composer.__init__(self)
        BaseConstructor.__init__(self)
        BaseResolver.__init__(self)
        self._depth = self._count = 0
        self._counts: dict[yaml.Node, int] = {}

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node:
        event = self.peek_event()
        assert event is not None
        tag = getattr(event, "tag", None)
        if tag is not None:
            shown = tag.replace("tag:yaml.org,2002:", "!!")
            raise _problem(f"the tag {shown} is not allowed; use plain values", event)
        if self._depth > DEEPEST:
            raise _problem(f"values are nested more than {DEEPEST} times", event)
        before, self._depth = self._count, self._depth + 1
        node = super().compose_node(parent, index)
        assert node is not None
        self._depth -= 1
        if isinstance(event, yaml.AliasEvent):
            if node not in self._counts:
                raise _problem(f"the alias *{event.anchor} occurs inside its own definition", event)
            self._count += self._counts[node]
        else:
            self._count += 1
            self._counts[node] = self._count - before
        if self._count > MOST:
            raise _problem(f"there are more than {MOST} values, with aliases expanded", event)
        return node

    def construct_scalar(self, node: yaml.ScalarNode) -> Any:
        text = super().construct_scalar(node)
        return text if node.style else read_plain(text)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        mapping: dict[Hashable, Any] = {}
        for key_node, value_node in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                raise _problem("a key is not a text; use names and texts in quotes", key_node)
            if key in mapping:
                raise _problem(f"the key {key!r} is given twice; each is allowed once", key_node)
            mapping[key] = self.construct_object(value_node, deep=True)
        return mapping


def read_plain(text: str) -> Any:
    """Return what a text without quotes stands for.

    Examples
    --------
    >>> [read_plain(text) for text in ("true", "12", ".5", "1e3", "1_0", "9" * 5000)] == [
    ...     True, 12, 0.5, 1000.0, "1_0", "9" * 5000]
    True
    """
    if text.lower() in _WORDS and text in (text.lower(), text.upper(), text.capitalize()):
        return _WORDS[text.lower()]
    if _INTEGER.fullmatch(text):
        return int(text)
    if len(text) <= 40 and _NUMBER.fullmatch(text) and math.isfinite(float(text)):
        return float(text)
    return text


def _problem(text: str, where: yaml.Event | yaml.Node) -> yaml.MarkedYAMLError:
    mark: Any = where.start_mark  # of either of the library's two readers
    return yaml.MarkedYAMLError(problem=text, problem_mark=mark)
