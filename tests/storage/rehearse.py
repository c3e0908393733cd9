"""The tiny study in object storage, on a loopback S3 server, beside the same study in a folder.

It fails if a file of the two differs that should not, or if the stored study does not verify. CONTRIBUTING.md says what
to install.

Usage: PYTHONPATH=src:tests python tests/storage/rehearse.py [TARGET ...]
"""

import logging
import subprocess
import sys
import tempfile
from pathlib import Path

from tiny_study import Project, copy_project

from nontrivial_study.provenance.verify import verify

KEYS = {"AWS_ACCESS_KEY_ID": "rehearsal", "AWS_SECRET_ACCESS_KEY": "rehearsal", "AWS_REGION": "us-east-1"}
BUCKET = "study"
OWN_OF_A_RUN = ("logs/", "benchmarks/", "run.json", "ro-crate-metadata.json", "manifest-sha256.txt")


def run(project: Project, *arguments: str, **environment: str) -> None:
    """Run the study; what it says goes to the screen."""
    command = project.command("--cores", "2", *arguments)
    subprocess.run(command, cwd=project.folder, env=project.environment | environment, check=True)


def main() -> None:
    import boto3  # who runs the tests need not have these
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # not each request
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    address = "http://{}:{}".format(*server.get_host_and_port())
    client = boto3.client(
        "s3",
        endpoint_url=address,
        region_name=KEYS["AWS_REGION"],
        aws_access_key_id=KEYS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=KEYS["AWS_SECRET_ACCESS_KEY"],
    )
    client.create_bucket(Bucket=BUCKET)
    options = [
        *("--default-storage-provider", "s3", "--default-storage-prefix", f"s3://{BUCKET}"),
        *("--storage-s3-endpoint-url", address),
    ]
    secrets = {
        "SNAKEMAKE_STORAGE_S3_ACCESS_KEY": KEYS["AWS_ACCESS_KEY_ID"],
        "SNAKEMAKE_STORAGE_S3_SECRET_KEY": KEYS["AWS_SECRET_ACCESS_KEY"],
    }
    with tempfile.TemporaryDirectory() as folder:
        stored, local = (copy_project(Path(folder, name, "project")) for name in ("stored", "local"))
        run(stored, *options, "--", *sys.argv[1:], **secrets)
        pages = client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix="results/")
        names = [item["Key"].removeprefix("results/") for page in pages for item in page.get("Contents", ())]
        kept = {
            name: client.get_object(Bucket=BUCKET, Key=f"results/{name}")["Body"].read() for name in names
        }
        for name, content in kept.items():
            path = Path(folder, "downloaded", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        problems = [] if sys.argv[1:] else verify(Path(folder, "downloaded")).problems
        print(f"{len(problems)} problems of the stored study", *problems, sep="\n", flush=True)
        run(local, "--", *sys.argv[1:])
        made = local.contents(".")
    server.stop()
    compared = {name for name in kept.keys() | made.keys() if not name.startswith(OWN_OF_A_RUN)}
    differ = sorted(name for name in compared if kept.get(name) != made.get(name))
    print(f"{len(compared)} files, of which {len(differ)} differ", *differ, sep="\n")
    sys.exit(bool(differ or problems))


if __name__ == "__main__":
    main()
