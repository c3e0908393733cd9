"""Draw the README's picture: python docs/draw_picture.py docs/imbalance.svg"""

import sys

from matplotlib.figure import Figure

from nontrivial.displays import MeasureImbalanceDisplay
from nontrivial.figure_style import house_style

SVG = {"Creator": None, "Date": None}  # what would change the file though the picture is the same


def draw(path: str) -> None:
    """Draw four measures of a rule that predicts nine of ten cases of either class rightly, as the classes change."""
    truth = [1] * 10 + [0] * 90
    predicted = [1] * 9 + [0] + [1] * 9 + [0] * 81
    with house_style():
        axes = Figure(figsize=(6.4, 3.2), layout="constrained").subplots()
        display = MeasureImbalanceDisplay.from_predictions(
            truth, predicted, measures=["accuracy", "f_beta", "p4", "prediction_advantage"], ax=axes
        )
        display.figure_.savefig(path, metadata=SVG)


if __name__ == "__main__":
    draw(sys.argv[1])
