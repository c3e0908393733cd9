"""What stands in a page."""


def texts(elements):
    return [" ".join(element.text.split()) for element in elements]


def claim_of(page, name):
    return page.one("details", id=f"claim-{name}")
