"""The tutorial's curves and averages, on real data."""
