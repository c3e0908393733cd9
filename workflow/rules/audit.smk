# The audit trail: a verdict for each claim, the page, what it was made with, and the digest of every file.

TABLES = [
    *rules.collect_curve_areas.output,
    *rules.collect_measures.output,
    rules.calc_rank_disagreement.output.disagreement,
    *rules.calc_imbalance.output,
    *rules.calc_examples.output,
    *ADVANTAGE_TABLES,
]
FIGURES = [
    *rules.plot_imbalance.output,
    *rules.plot_rank_counts.output,
    rules.calc_rank_disagreement.output.counts,
    *ADVANTAGE_FIGURES,
]
CLAIMS = sorted(map(str, Path(config["files"]["claims"]).glob("*.yaml")))


rule judge_claims:
    input:
        claims=CLAIMS,
        tables=TABLES,
        code=modules("judge_claims"),
    output:
        table=report(
            "<results>/claims/verdicts.csv",
            caption="../report/verdicts.rst",
            category="Audit",
        ),
        records="<results>/claims/verdicts.json",
    log:
        "<logs>/judge_claims.log",
    benchmark:
        "<benchmarks>/judge_claims.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    script:
        "../scripts/judge_claims.py"


rule render_report:
    input:
        tables=TABLES,
        figures=FIGURES,
        data=RECORDS,
        verdicts=rules.judge_claims.output.records,
        captions=sorted(map(str, Path("workflow/report").glob("*.rst"))),
        template=expand(
            "src/nontrivial/report/{file}",
            file=["page.css", "page.html", "page.js", "parts.html"],
        ),
        code=modules("render_report"),
    output:
        page=report(
            "<results>/report/index.html",
            category="Audit",
        ),
    log:
        "<logs>/render_report.log",
    benchmark:
        "<benchmarks>/render_report.tsv"
    conda:
        "../../envs/nontrivial.yaml"
    script:
        "../scripts/render_report.py"


rule record_run:
    input:
        page=rules.render_report.output.page,
        code=modules("record_run"),
    output:
        run="<results>/run.json",
    log:
        "<logs>/record_run.log",
    conda:
        "../../envs/nontrivial.yaml"
    params:
        config=config,
    script:
        "../scripts/record_run.py"


rule write_manifest:
    input:
        tables=TABLES,
        figures=FIGURES,
        verdicts=rules.judge_claims.output,
        page=rules.render_report.output.page,
        run=rules.record_run.output.run,
        code=modules("write_manifest"),
    output:
        manifest="<results>/manifest-sha256.txt",
    log:
        "<logs>/write_manifest.log",
    conda:
        "../../envs/nontrivial.yaml"
    script:
        "../scripts/write_manifest.py"
