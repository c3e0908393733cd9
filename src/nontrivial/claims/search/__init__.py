"""How a claim about cases is decided: by small cases, by the solver, and by larger cases."""
