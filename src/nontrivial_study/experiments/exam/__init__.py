"""The PA paper's exam and its intern's classifier."""
