"""Measures over class imbalance and label noise, and where each first says "trivial" (PA paper, Section 5)."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import gammaln, xlog1py, xlogy

from nontrivial._arrays import Floats
from nontrivial.displays.labels import REGIONS
from nontrivial.files import read_json
from nontrivial.measures.confusion import as_tables, evaluate
from nontrivial.seeds import generator_for
from nontrivial_study.experiments.results import IMPOSSIBLE, NO_PREDICTIONS, TAILS, interval_around
from nontrivial_study.tables import column_names, read_parquet, rows_with

# A bootstrap test set enters every measure through its four counts alone, so the counts are drawn, not the rows.
# Rows are drawn with replacement, hence independently, and which labels are flipped has nothing to do with what the
# classifier says of them: the predicted positives among the flipped rows of a class and among its other rows are
# independent binomial counts. Those labelled positive in the end, and those labelled negative, are two each.


MEASURES = (
    "accuracy",
    "balanced_accuracy",
    "f_beta",
    "cohen_kappa",
    "prediction_advantage",
    "p4",
    "matthews_corrcoef",
)
_NEGLIGIBLE = 1e-20  # no number of draws that anyone makes meets a value so unlikely


def measure_tables(tp: np.ndarray, fp: np.ndarray, fn: np.ndarray, tn: np.ndarray) -> pd.DataFrame:
    """Return the measures of Figure 1 alone, a row for each of many drawn tables."""
    return evaluate(as_tables(tp, fp, fn, tn), MEASURES)


def answers_of(predictions: pd.DataFrame, task: str, model: str) -> tuple[np.ndarray, np.ndarray]:
    """Return truth and prediction of one model on a task; both are empty where it failed."""
    rows = rows_with(predictions, task=task, model=model)
    return rows["truth"].to_numpy(), rows["prediction"].to_numpy()


def classes_of(record: Mapping[str, Any]) -> list[str]:
    """Return the classes of a data set, the positive one first."""
    return sorted(record["classes"], key=lambda name: bool(name != record["positive"]))


class Rates(NamedTuple):
    """A classifier's rates of calling a row positive: among the minority (positive) class, among the majority."""

    true_positive: float
    false_positive: float


def rates_of(truth: np.ndarray, prediction: np.ndarray) -> Rates:
    """Return the rates at which a classifier's predictions call each class positive."""
    truth, prediction = np.asarray(truth, dtype=bool), np.asarray(prediction, dtype=bool)
    return Rates(float(prediction[truth].mean()), float(prediction[~truth].mean()))


def flips_per_class(size: int, noise: float) -> int:
    """Return how many labels of each class are flipped so that `noise` of all `size` cases are wrong."""
    return round(size * noise / 2)


def too_many_flips(size: int, share: float, noise: float) -> str:
    """Return why no set of `size` cases has this share of the minority and this noise; empty if one has."""
    flips, minority = flips_per_class(size, noise), round(size * share)
    reason = f"{IMPOSSIBLE}: {noise:.0%} noise flips {flips} of each class, the minority has {minority}"
    return reason if flips > minority else ""


def draw_tables(
    rates: Rates, size: int, minority: int, flips: int, replicates: int, generator: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Draw the confusion tables of bootstrap test sets with label noise."""
    majority = size - minority
    t, f = rates
    tp = _draw_sums((minority - flips, t), (flips, f), replicates, generator)
    fp = _draw_sums((majority - flips, f), (flips, t), replicates, generator)
    return tp, fp, minority - tp, majority - fp


def _draw_sums(
    one: tuple[int, float], other: tuple[int, float], replicates: int, generator: np.random.Generator
) -> np.ndarray:
    """Draw sums of two binomial counts: first how often each value comes, then in which order."""
    # That costs a tenth of drawing them one by one.
    (first, chances), (second, other_chances) = _binomial(*one), _binomial(*other)
    chances = np.convolve(chances, other_chances)
    often = generator.multinomial(replicates, chances / chances.sum())
    sums = np.repeat(np.arange(first + second, first + second + len(chances)), often)
    generator.shuffle(sums)
    return sums


def _binomial(trials: int, rate: float) -> tuple[int, np.ndarray]:
    """Return a binomial distribution: the least value whose chance is not negligible, the chances from there on."""
    values, ways = _ways(trials)
    chances = np.exp(ways + xlogy(values, rate) + xlog1py(trials - values, -rate))
    (likely,) = np.nonzero(chances > _NEGLIGIBLE)
    return int(likely[0]), chances[likely[0] : likely[-1] + 1]


@cache
def _ways(trials: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the counts up to `trials`, and the logarithm of how many ways each can come about."""
    values = np.arange(trials + 1)
    return values, gammaln(trials + 1) - gammaln(values + 1) - gammaln(trials - values + 1)


def sweep_imbalance(
    rates: Rates | None,
    *,
    names: Sequence[str],
    noises: Iterable[float],
    shares: Iterable[float],
    size: int,
    replicates: int,
) -> pd.DataFrame:
    """Trace every measure of a classifier over minority shares and noise levels (PA paper, Figure 1)."""
    shares = list(shares)
    rows = []
    for noise in noises:
        for share in shares:
            reason = NO_PREDICTIONS if rates is None else too_many_flips(size, share, noise)
            if rates is None or reason:
                rows += [(noise, share, name, np.nan, np.nan, np.nan, 0, 0, reason) for name in MEASURES]
                continue
            generator = generator_for("imbalance", *names, float(noise), float(share))
            minority, flips = round(size * share), flips_per_class(size, noise)
            table = measure_tables(*draw_tables(rates, size, minority, flips, replicates, generator))
            values = table.to_numpy().T
            missing, bands = np.isnan(values), np.quantile(values, TAILS, axis=1).T
            for name, of_measure, is_missing, band in zip(MEASURES, values, missing, bands, strict=True):
                defined = of_measure
                if is_missing.any():
                    defined = of_measure[~is_missing]
                    band = np.quantile(defined, TAILS) if defined.size else np.full(2, np.nan)
                summary = (defined.mean() if defined.size else np.nan, *band)
                reason = "" if defined.size else "undefined (0/0) in every test set"
                rows.append((noise, share, name, *summary, replicates, replicates - defined.size, reason))
    _dataset, _model, _positive, *columns = column_names("imbalance_noise")
    return pd.DataFrame(rows, columns=columns)


def sweep_both_classes(
    predictions: pd.DataFrame, record: Mapping[str, Any], settings: Mapping[str, Any]
) -> pd.DataFrame:
    """Trace one model's measures with either class of its data set as the minority."""
    dataset, model = record["name"], settings["model"]
    truth, prediction = answers_of(predictions, dataset, model)
    shares = np.linspace(*(settings["shares"][key] for key in ("first", "last", "count"))).round(6).tolist()
    parts = []
    for positive in classes_of(record):
        swap = positive != record["positive"]
        sweep = sweep_imbalance(
            rates_of(truth ^ swap, prediction ^ swap) if len(truth) else None,
            names=(dataset, model, positive),
            noises=settings["noises"],
            shares=shares,
            size=settings["test_size"],
            replicates=settings["replicates"],
        )
        parts.append(sweep.assign(dataset=dataset, model=model, positive=positive))
    return pd.concat(parts, ignore_index=True)[column_names("imbalance_noise")]


# Where each measure first says "no better than trivial" as a problem grows less balanced or noisier.
#
# The measures are those of an unlimited test set: a test set's four counts have expectations that follow from the
# classifier's two rates. What is uncertain is the rates, known from the rows that the classifier was tested on.

# What a measure has to exceed: 0, as the paper reads its figure, or the most that any constant answer attains.
READINGS = ("zero", "best_constant")
FINE, COARSE = 20001, 401  # points of a walk: of the estimate, and of the many draws
DIGITS = 4  # decimals that the coarser grid leaves certain
DRAWS = 1000
ROUNDING = 1e-12  # what separates two sides of an equation that holds
KEYS = ["reading", "measure"]

RateColumns = tuple[np.ndarray, np.ndarray]  # of shape (n_draws, 1)


def expected_cells(
    true_positive: Floats | float,
    false_positive: Floats | float,
    share: Floats | float,
    noise: Floats | float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the four cells' expected shares after equally many flips in both classes (PA paper, Section 5)."""
    share, flipped = np.asarray(share, dtype=np.float64), np.asarray(noise, dtype=np.float64) / 2
    tp = (share - flipped) * true_positive + flipped * false_positive
    fp = (1 - share - flipped) * false_positive + flipped * true_positive
    return tp, fp, share - tp, 1 - share - fp


def draw_rates(
    truth: np.ndarray, prediction: np.ndarray, purpose: tuple[str | int | float, ...]
) -> tuple[RateColumns, RateColumns]:
    """Return a classifier's two rates of calling a row positive as estimated, and as they may be given the rows."""
    generator = generator_for(*purpose)
    estimated, drawn = [], []
    for of_class in (truth, ~truth):
        called, cases = int(prediction[of_class].sum()), int(of_class.sum())
        estimated.append(np.array([[called / cases]]))
        drawn.append(generator.beta(called + 0.5, cases - called + 0.5, DRAWS)[:, None])
    return (estimated[0], estimated[1]), (drawn[0], drawn[1])


def expected_measures(rates: RateColumns, share: Floats | float, noise: Floats | float) -> pd.DataFrame:
    """Return the measures of an unlimited test set, a row for each draw of the rates and each point."""
    return measure_tables(*np.stack(expected_cells(*rates, share, noise)).clip(0).reshape(4, -1))


def measures_around(
    pair: tuple[RateColumns, RateColumns], share: Floats | float, noise: Floats | float
) -> Iterator[tuple[str, Floats, Floats, Floats]]:
    """Yield each measure with its values over the points, and the ends of its intervals."""
    estimated, drawn = (expected_measures(rates, share, noise) for rates in pair)
    for measure in MEASURES:
        value = estimated[measure].to_numpy()
        yield measure, value, *interval_around(value, drawn[measure].to_numpy().reshape(-1, len(value)))


def best_constant(measure: str, share: np.ndarray) -> np.ndarray:
    """Return the most that a constant answer attains on a measure, for shares of the positive class up to 0.5.

    0/0 is taken as 0, so that a constant answer has no correlation and no P4.
    """
    share = np.asarray(share, dtype=np.float64)
    none = np.zeros_like(share)
    positive = measure_tables(share, 1 - share, none, none)[measure].fillna(0).to_numpy()
    negative = measure_tables(none, none, share, 1 - share)[measure].fillna(0).to_numpy()
    return np.asarray(np.maximum(positive, negative))


def find_crossings(axis: np.ndarray, surplus: np.ndarray) -> np.ndarray:
    """Find how far a surplus over the trivial lasts, as one walks along an axis; NaN if it never ends.

    The surplus is taken as linear between the points, and what is less than `ROUNDING` counts as none.
    """
    trivial = ~(surplus >= ROUNDING)
    surplus = np.where(np.abs(surplus) >= ROUNDING, surplus, 0.0)
    place = np.argmax(trivial, axis=-1)
    before = np.maximum(place - 1, 0)
    good, bad = (np.take_along_axis(surplus, where[..., None], axis=-1)[..., 0] for where in (before, place))
    with np.errstate(divide="ignore", invalid="ignore"):
        between = axis[before] + (axis[place] - axis[before]) * good / (good - bad)
    crossing = np.where(place == 0, axis[0], between)
    return np.where(np.take_along_axis(trivial, place[..., None], axis=-1)[..., 0], crossing, np.nan)


def crossing_table(
    predictions: pd.DataFrame,
    record: Mapping[str, Any],
    model: str,
    *,
    noises: Iterable[float],
    shares: Iterable[float] = (),
    classes: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Find the shares, and the noises, at which each measure stops to call a classifier better than trivial.

    Each of the classes, by default all, is the positive one in turn (PA paper, Section 5 and Figure 1). The intervals
    are those of the two rates, by draws from their Jeffreys posteriors given the rows that it was tested on.
    """
    name = record["name"]
    truth, prediction = answers_of(predictions, name, model)
    walks = [("noise", "minority_share", float(noise)) for noise in noises]
    walks += [("minority_share", "noise", float(share)) for share in shares]
    parts = []
    for positive in classes or classes_of(record):
        front = {"dataset": name, "model": model, "positive": positive}
        if not len(truth):
            front |= {"outcome": NO_PREDICTIONS}
            parts += [
                front | {"held": held, "at": at, "moves": moves, "reading": reading, "measure": measure}
                for (held, moves, at), reading, measure in product(walks, READINGS, MEASURES)
            ]
            continue
        swap = positive != record["positive"]
        estimated, drawn = draw_rates(truth ^ swap, prediction ^ swap, ("crossings", name, model, positive))
        for held, moves, at in walks:
            fine, coarse = _walk(estimated, moves, at, FINE), _walk(drawn, moves, at, COARSE)
            walked = fine.merge(coarse, on=KEYS, suffixes=("_estimated", "_drawn"))
            place = {"held": held, "at": at, "moves": moves}
            parts += [front | place | _summary(row, moves, at) for row in walked.to_dict("records")]
    return pd.DataFrame(parts, columns=column_names("crossings"))


def _ends(moves: str, at: float) -> tuple[float, float]:
    """Return the easy and the hard end of a walk; no share is 0."""
    return (0.5, max(at / 2, 1e-6)) if moves == "minority_share" else (0.0, 2 * at)


def _walk(rates: RateColumns, moves: str, at: float, points: int) -> pd.DataFrame:
    """Return the crossings of every measure, and the widths of the regions in which it misleads, for each draw."""
    easy, hard = _ends(moves, at)
    axis = np.linspace(easy, hard, points)
    share, noise = (axis, at) if moves == "minority_share" else (np.full(points, at), axis)
    values = expected_measures(rates, share, noise)
    of_measure = {name: values[name].to_numpy().reshape(-1, points) for name in MEASURES}
    into_zero = {name: find_crossings(axis, value) for name, value in of_measure.items()}
    into_best = into_zero | {
        name: find_crossings(axis, of_measure[name] - limit)
        for name in MEASURES
        if (limit := best_constant(name, share)).any()  # the others are compared with 0 again
    }
    rows = []
    for reading, crossings in zip(READINGS, (into_zero, into_best), strict=True):
        ends = {name: np.where(np.isnan(crossing), hard, crossing) for name, crossing in crossings.items()}
        for name, crossing in crossings.items():
            beyond = (ends[name] - ends["prediction_advantage"]) * np.sign(hard - easy)
            rows.append((reading, name, crossing, np.maximum(beyond, 0.0)))
    return pd.DataFrame(rows, columns=[*KEYS, "crossing", "width"])


def _summary(row: Mapping[Hashable, Any], moves: str, at: float) -> dict[str, Any]:
    """Turn the crossings and widths of one measure into its row."""
    easy, hard = _ends(moves, at)
    (crossing,), (width,) = row["crossing_estimated"], row["width_estimated"]
    reached = hard if np.isnan(crossing) else crossing
    ends = interval_around(reached, np.nan_to_num(row["crossing_drawn"], nan=hard))
    low, high = (np.nan if end == hard else end for end in ends)
    widths = np.quantile(row["width_drawn"], TAILS)
    numbers = {"crossing": crossing, "low": low, "high": high}
    numbers |= {"width": width, "width_low": widths[0], "width_high": widths[1]}
    outcome = "never" if np.isnan(crossing) else "from the start" if crossing == easy else "crosses"
    rounded = {name: round(float(value), DIGITS) for name, value in numbers.items()}
    return {**{key: row[key] for key in KEYS}, **rounded, "outcome": outcome}


def measure_curves(
    predictions: pd.DataFrame, record: Mapping[str, Any], model: str, noise: float, shares: Iterable[float]
) -> pd.DataFrame:
    """Trace the measures of an unlimited test set over minority shares, with the error of the two rates."""
    name = record["name"]
    truth, prediction = answers_of(predictions, name, model)
    share = np.array([one for one in shares if one >= noise / 2])
    if not (len(truth) and len(share)):
        return pd.DataFrame(columns=column_names("pa_figure_1_many_data")[:8])
    rates = draw_rates(truth, prediction, ("crossings", name, model, record["positive"]))
    about = {"dataset": name, "positive": record["positive"], "noise": noise, "minority_share": share}
    parts = [
        pd.DataFrame(about | {"measure": measure, "value": value, "low": low, "high": high})
        for measure, value, low, high in measures_around(rates, share, noise)
    ]
    return pd.concat(parts, ignore_index=True)


def crossing_summary(crossings: pd.DataFrame) -> pd.DataFrame:
    """Summarise over data sets where each measure first says "trivial"."""
    known = crossings[crossings["outcome"].isin(["crosses", "never", "from the start"])]
    rows = []
    for (at, reading, measure), of_measure in known.groupby(["at", *KEYS], sort=False):
        same = rows_with(known, at=at, reading=reading, measure="prediction_advantage")
        advantage = same.set_index("dataset")
        own = of_measure.set_index("dataset")
        first, latest = advantage["low"].reindex(own.index), own["high"].fillna(-np.inf)
        later = first.notna() & (latest < first)
        crossing = own["crossing"].dropna()
        rows.append(
            {
                "at": at,
                "reading": reading,
                "measure": measure,
                "datasets": len(own),
                "warns": len(crossing),
                "least": crossing.min(),
                "median": crossing.median(),
                "greatest": crossing.max(),
                "later": int(later.sum()),
            }
        )
    return pd.DataFrame(rows, columns=column_names("crossings_summary"))


def multiples_table(curves: pd.DataFrame, crossings: pd.DataFrame, noise: float) -> pd.DataFrame:
    """Return the numbers of the figure: ``kind`` is ``"curve"`` or, at the curves' noise, ``"crossing"``."""
    there = crossings[(crossings["at"] == noise) & crossings["reading"].isin(READINGS)]
    parts = [part for part in (curves.assign(kind="curve"), there.assign(kind="crossing")) if len(part)]
    return pd.concat(parts, ignore_index=True).reindex(columns=column_names("pa_figure_1_many_data"))


def region_table(rows: pd.DataFrame, *, minority_share: float, noise: float) -> pd.DataFrame:
    """Return the regions of Figure 2 for a classifier as it is, and as expected under imbalance and label noise."""
    columns = column_names("pa_figure_2")
    if rows.empty:
        return pd.DataFrame(columns=columns)
    truth, prediction = rows["truth"].to_numpy(), rows["prediction"].to_numpy()
    tn, fp, fn, tp = np.bincount(2 * truth + prediction, minlength=4).astype(float)
    expected = expected_cells(*rates_of(truth, prediction), minority_share, noise)
    title = f"{100 * minority_share:g} % minority, {100 * noise:g} % label noise"
    parts = []
    for name, cells in (("as measured", (tp, fp, fn, tn)), (title, np.multiply(expected, len(rows)))):
        counts = dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True))
        total = sum(counts[cell] for cell in REGIONS.values())
        for region, cell in REGIONS.items():
            parts.append((name, region, cell, counts[cell], counts[cell] / total))
    return pd.DataFrame(parts, columns=columns)


def calc_imbalance(
    predictions: Sequence[str],
    records: Sequence[str],
    imbalance: Mapping[str, Any],
    swept: Mapping[str, str],
    venn: Mapping[str, float],
) -> dict[str, pd.DataFrame]:
    """Trace the measures of every model over shares and noise, and find where each first calls a model trivial."""
    noises, shares = imbalance["noises"], imbalance["crossing_shares"]
    sweeps, crossings = [], []
    for path, record in zip(predictions, records, strict=True):
        rows, about = read_parquet(path), read_json(record)
        for model in dict.fromkeys([imbalance["model"], *imbalance["further_models"]]):
            sweeps.append(sweep_both_classes(rows, about, {**imbalance, "model": model}))
            crossings.append(crossing_table(rows, about, model, noises=noises, shares=shares))
    sweep, crossing = (pd.concat(parts, ignore_index=True) for parts in (sweeps, crossings))
    of_model = sweep[sweep["model"] == imbalance["model"]]
    rows = rows_with(read_parquet(predictions[0]), task=imbalance["dataset"], model=imbalance["model"])
    return {
        "imbalance_noise": sweep,
        "crossings": crossing,
        "pa_crossings": crossing,
        "pa_figure_2": region_table(rows, **venn),
        **{figure: of_model[of_model["dataset"] == dataset] for figure, dataset in swept.items()},
    }


def calc_multiples(
    predictions: Sequence[str], records: Sequence[str], imbalance: Mapping[str, Any]
) -> dict[str, pd.DataFrame]:
    """Trace the measures of one classifier on many data sets, and find where each first says "trivial"."""
    model, noises = imbalance["model"], sorted(imbalance["noises"])
    middle = noises[len(noises) // 2]
    shares = np.linspace(*(imbalance["shares"][key] for key in ("first", "last", "count"))).round(6)
    curves, crossings = [], []
    for path, record in zip(predictions, records, strict=True):
        rows, about = read_parquet(path), read_json(record)
        crossings.append(crossing_table(rows, about, model, noises=noises, classes=[about["positive"]]))
        curves.append(measure_curves(rows, about, model, middle, shares))
    table = pd.concat(crossings, ignore_index=True)
    return {
        "crossings_by_data_set": table,
        "crossings_summary": crossing_summary(table),
        "pa_figure_1_many_data": multiples_table(pd.concat(curves, ignore_index=True), table, middle),
    }
