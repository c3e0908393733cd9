"""What published scores and counts are called: as options, and as papers head their columns."""

# The names of an option, of which the first is the one in the results; what else people write, without punctuation;
# and the help.
OPTIONS = [
    (
        "error",
        "error_rate err misclassification_rate classification_error test_error",
        "The error rate as printed, such as 0.273 or 27.3%; trailing zeros count.",
    ),
    (
        "accuracy",
        "acc classification_accuracy overall_accuracy test_accuracy correct correctly_classified",
        "The accuracy as printed.",
    ),
    ("recall sensitivity", "sens tpr true_positive_rate hit_rate sn se", "The recall, or sensitivity."),
    ("specificity", "spec tnr true_negative_rate sp", "The specificity."),
    ("precision ppv", "prec positive_predictive_value", "The precision, or positive predictive value."),
    ("npv", "negative_predictive_value", "The negative predictive value."),
    ("f1", "f_beta f1_score f_score f_measure f1_measure fscore fmeasure dice", "The F1 score."),
    ("p4", "", "The P4 metric."),
    ("kappa", "cohen_kappa cohens_kappa kappa_statistic \u03ba", "Cohen's kappa."),
    (
        "mcc",
        "matthews_corrcoef matthews_correlation_coefficient matthews_correlation",
        "The Matthews correlation coefficient.",
    ),
    ("balanced_accuracy", "bacc bac bal_acc balanced_acc", "The balanced accuracy."),
    ("g_mean", "geometric_mean gmean g_measure gm", "The geometric mean of recall and specificity."),
    (
        "informedness youden",
        "youdens_j youden_index youdens_index j bookmaker_informedness",
        "Informedness, or Youden's J.",
    ),
    (
        "auc",
        "roc_auc auroc auc_roc roc_area roc area_under_the_roc_curve area_under_curve c_statistic c_index",
        "The area under the ROC curve of the scores that became the predictions.",
    ),
    ("dataset", "data_set data", "A well-known data set, such as haberman, instead of its counts."),
    (
        "positives",
        "positive positive_cases n_positive n_positives events positives_n npos",
        "How many of the cases are positive, or their share, such as 26.5%.",
    ),
    (
        "n",
        "total n_total sample_size samples instances patients subjects n_patients size n_cases",
        "How many cases there are.",
    ),
    (
        "classes",
        "class_sizes class_counts",
        "The number of cases of each class, such as 50,30,20, instead of --positives and --n. Of two, the first is "
        "positive, and every prediction is one of the two. With more than two, other labels may be predicted, and only "
        "the error, accuracy, balanced accuracy or kappa can be given.",
    ),
    (
        "folds",
        "k_folds cv_folds n_folds",
        "The number of folds, if the scores are means over the folds of a stratified cross-validation with two "
        "classes.",
    ),
]
# Columns only.
COLUMNS = [
    ("negatives", "negative negative_cases n_negative n_negatives controls nneg"),
    ("prevalence", "positive_rate share_of_positives"),
    ("false_positive_rate", "fpr fp_rate fall_out"),
    ("false_negative_rate", "fnr fn_rate miss_rate"),
    ("false_discovery_rate", "fdr"),
    ("positive_likelihood_ratio", "lr_plus lr+ plr"),
    ("negative_likelihood_ratio", "lr_minus nlr"),
    ("diagnostic_odds_ratio", "dor"),
]
NAMES: dict[str, str] = {}
for names, others, *_ in (*OPTIONS, *COLUMNS):
    NAMES |= dict.fromkeys([*names.split(), *others.split()], names.split()[0])
