"""What the column `status` of the study's tables says."""

OK = "ok"
NO_PREDICTIONS = "no predictions: the model failed on this data set; curve_areas.csv has the reason"
