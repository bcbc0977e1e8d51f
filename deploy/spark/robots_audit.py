#!/usr/bin/env python3
"""Audits archives on a Spark cluster: each task runs robots on one input, and writes a table of it.

  spark-submit --master spark://HOST:7077 --files robots robots_audit.py --inputs robotstxt.paths.gz \\
      --inputs-base https://data.example/ --out /shared/tables -- --purpose ai-training
  robots audit '/shared/tables/*.parquet' --inputs robotstxt.paths.gz --inputs-base https://data.example/

It requires pyspark only; robots is the program for the workers' system. The flags after -- are for robots audit. --out is
a folder that all workers see or, with --put 'aws s3 cp', the address to which that command copies a file. The name of a
table is a hash of its input's, so a repeated task replaces its own. Inputs that have a table in the folder are skipped. The
job names each input that could not be read to its end, and then exits with status 2.
"""
import argparse
import glob
import gzip
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

from pyspark import SparkFiles
from pyspark.sql import SparkSession


def listed(name):
    """The lines of a list of inputs, which can be compressed."""
    with open(name, "rb") as f:
        data = f.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    lines = [line.strip() for line in data.decode().splitlines()]
    return list(dict.fromkeys(line for line in lines if line and not line.startswith("#")))


def table_of(name, base):
    return hashlib.sha256(f"{base}\n{name}".encode()).hexdigest()[:32] + ".parquet"


def audit(name, base, out, put, flags, prefix):
    """Runs robots in a folder of this attempt. It returns what is wrong with the input; other errors repeat the task."""
    folder = tempfile.mkdtemp(prefix=prefix, dir=None if put else out)
    try:
        one, table = os.path.join(folder, "inputs"), os.path.join(folder, table_of(name, base))
        with open(one, "w") as f:  # not an argument, whose host could have a private address
            f.write(name + "\n")
        command = [SparkFiles.get("robots"), "audit", "--quiet", "--keep-going", "--inputs", one, "--inputs-base", base, "--crawlers-out", table, *flags]
        run = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace")
        if run.returncode == 2:
            return name, run.stderr.strip() or "robots exited with status 2"
        if run.returncode != 0:
            raise RuntimeError(f"{name}: robots ended with {run.returncode}: {run.stderr}")
        if put:
            subprocess.run([*shlex.split(put), table, out.rstrip("/") + "/" + table_of(name, base)], check=True)
        else:
            os.replace(table, os.path.join(out, table_of(name, base)))
        return name, None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--inputs", required=True, metavar="FILE", help="the list of inputs, on the driver")
    p.add_argument("--inputs-base", default="", metavar="FOLDER|URL", help="where relative names in the list are")
    p.add_argument("--out", required=True, help="where the tables appear")
    p.add_argument("--put", default="", metavar="COMMAND", help="copies a table to its name below --out")
    p.add_argument("flags", nargs="*", metavar="-- FLAG", help="flags of robots audit")
    a = p.parse_args()
    names = listed(a.inputs)
    base, out, put, flags = a.inputs_base or os.path.dirname(os.path.abspath(a.inputs)), a.out, a.put, a.flags
    if not put:
        os.makedirs(out, exist_ok=True)
        names = [n for n in names if not os.path.exists(os.path.join(out, table_of(n, base)))]
    spark = SparkSession.builder.appName("robots audit").getOrCreate()
    tasks = spark.sparkContext.parallelize(names, max(1, len(names)))
    prefix = f".robots-{spark.sparkContext.applicationId}-"
    failed = [r for r in tasks.map(lambda n: audit(n, base, out, put, flags, prefix)).collect() if r[1]]
    spark.stop()
    for folder in glob.glob(os.path.join(glob.escape(out), prefix + "*")):  # of attempts that were killed
        shutil.rmtree(folder, ignore_errors=True)
    for name, why in failed:
        print(f"{name}: {why}", file=sys.stderr)
    print(f"{len(names) - len(failed)} tables of {len(names)} inputs were written to {out}", file=sys.stderr)
    sys.exit(2 if failed else 0)


if __name__ == "__main__":
    main()
