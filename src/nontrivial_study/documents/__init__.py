"""Claims that read the tables and data of a study: their kinds, and the files of the audit."""

from nontrivial_study.documents.kinds import KINDS as KINDS
