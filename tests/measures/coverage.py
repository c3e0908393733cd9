"""Which intervals hold the truth."""


def hold(bounds, advantage):
    return (bounds[:, 0] <= advantage + 1e-12) & (advantage - 1e-12 <= bounds[:, 1])
