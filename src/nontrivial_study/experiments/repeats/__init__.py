"""Published errors on Haberman's data, and models in repeated cross-validation on it (PA paper, Appendix A)."""
