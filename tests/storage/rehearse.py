"""The tiny study in object storage, on a loopback S3 server, beside the same study in a folder.

It fails if a file of the two differs that should not, or if the stored study does not verify. CONTRIBUTING.md says what
to install.

Usage: PYTHONPATH=src:tests python tests/storage/rehearse.py [TARGET ...]
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tiny_study import UNSTABLE, Project, copy_project

from nontrivial_study.provenance.verify import verify_results

BUCKET = "study"


def main() -> None:
    import boto3  # who runs the tests need not have these
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    address = "http://{}:{}".format(*server.get_host_and_port())
    keys = dict.fromkeys(("aws_access_key_id", "aws_secret_access_key"), "rehearsal")
    client = boto3.client("s3", endpoint_url=address, region_name="us-east-1", **keys)
    client.create_bucket(Bucket=BUCKET)
    options = [
        *("--default-storage-provider", "s3", "--default-storage-prefix", f"s3://{BUCKET}"),
        *("--storage-s3-endpoint-url", address),
    ]
    names = ("SNAKEMAKE_STORAGE_S3_ACCESS_KEY", "SNAKEMAKE_STORAGE_S3_SECRET_KEY")
    os.environ |= dict.fromkeys(names, "rehearsal")
    with tempfile.TemporaryDirectory() as folder:
        stored, local = (copy_project(Path(folder, name, "project")) for name in ("stored", "local"))
        for study, how in ((stored, options), (local, [])):
            command = study.command("--cores", "2", *how, "--", *sys.argv[1:])
            subprocess.run(command, cwd=study.folder, env=study.environment, check=True)
        pages = client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix="results/")
        names = [item["Key"].removeprefix("results/") for page in pages for item in page.get("Contents", ())]
        for name in names:
            path = Path(folder, "downloaded", "results", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            client.download_file(BUCKET, f"results/{name}", str(path))
        downloaded = Project(Path(folder, "downloaded"))
        problems = [] if sys.argv[1:] else verify_results(downloaded.folder / "results").problems
        print(f"{len(problems)} problems of the stored study", *problems, sep="\n", flush=True)
        kept, made = (study.contents(".", but=UNSTABLE) for study in (downloaded, local))
    server.stop()
    compared = kept.keys() | made.keys()
    differ = sorted(name for name in compared if kept.get(name) != made.get(name))
    print(f"{len(compared)} files, of which {len(differ)} differ", *differ, sep="\n")
    sys.exit(bool(differ or problems))


if __name__ == "__main__":
    main()
