"""The same question to each engine: DuckDB, Polars, DataFusion and Spark, over the tables that `tband-cli ingest` has written.

    python engines.py ENGINE TABLES QUESTION.sql...     prints the answers as JSON: for each question a list of rows

An engine is a function that gets the folder of tables and returns one that answers a question in SQL with a list of
dictionaries. To it `device` and `date`, which the names of folders have, are columns.
"""

import atexit
import json
import os
import platform
import sys
import tempfile
import zipfile
from pathlib import Path

PARTITIONS = ("device", "date")


def names(tables):
    """The tables that are there."""
    return sorted(folder.name for folder in Path(tables).iterdir() if folder.is_dir() and not folder.name.startswith("."))


def duckdb(tables):
    import duckdb

    connection = duckdb.connect()
    for name in names(tables):
        files = f"{tables}/{name}/**/*.parquet".replace("'", "''")
        connection.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet('{files}', hive_partitioning = true)")

    def ask(sql):
        answer = connection.execute(sql)
        columns = [column[0] for column in answer.description]
        return [dict(zip(columns, row)) for row in answer.fetchall()]

    return ask


def polars(tables):
    import polars

    context = polars.SQLContext()
    for name in names(tables):
        # Without types Polars reads `0042` and `42` as one number.
        types = {"device": polars.String, "date": polars.Date}
        files = f"{tables}/{name}/**/*.parquet"
        context.register(name, polars.scan_parquet(files, hive_partitioning=True, hive_schema=types))
    return lambda sql: context.execute(sql).collect().to_dicts()


def datafusion(tables):
    import datafusion
    import pyarrow

    context = datafusion.SessionContext()
    partitions = [(column, pyarrow.string()) for column in PARTITIONS]
    for name in names(tables):
        context.register_parquet(name, f"{tables}/{name}/", table_partition_cols=partitions)
    return lambda sql: context.sql(sql).to_pylist()


def snappy(folder):
    """Options for Java where musl is installed beside glibc: snappy-java takes such a system for one of musl, and the library
    for that cannot be loaded. The right one is in the same archive."""
    import pyspark

    archives = list(Path(pyspark.__file__).parent.glob("jars/snappy-java-*.jar"))
    if not archives or not Path("/lib/ld-musl-x86_64.so.1").exists() or platform.libc_ver()[0] != "glibc":
        return ""
    library = "org/xerial/snappy/native/Linux/x86_64/libsnappyjava.so"
    with zipfile.ZipFile(archives[0]) as archive:
        path = Path(archive.extract(library, folder))
    return f"-Dorg.xerial.snappy.lib.path={path.parent} -Dorg.xerial.snappy.lib.name={path.name}"


def spark(tables, master="local-cluster[2,1,1024]"):
    """A cluster on this machine: two workers, a core and 1 GiB each. Of a cluster of your own say its master."""
    from pyspark.sql import SparkSession

    if master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    folder = tempfile.TemporaryDirectory(prefix="tband-spark-")
    options = snappy(folder.name)
    builder = SparkSession.builder.master(master).appName("tband")
    settings = {
        "spark.driver.extraJavaOptions": options,
        "spark.executor.extraJavaOptions": options,
        "spark.executor.memory": "1g",
        "spark.ui.enabled": "false",
        # The device `0042` is not the number 42.
        "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
        # A task for each core is enough for little data.
        "spark.sql.shuffle.partitions": "2",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    for name in names(tables):
        session.read.parquet(f"{tables}/{name}").createOrReplaceTempView(name)
    # The library is in use until then.
    atexit.register(lambda: (session.stop(), folder.cleanup()))
    return lambda sql: [row.asDict() for row in session.sql(sql).collect()]


ENGINES = {"duckdb": duckdb, "polars": polars, "datafusion": datafusion, "spark": spark}


def main(engine, tables, *questions):
    ask = ENGINES[engine](tables)
    # A question may end with a semicolon, which not every engine takes.
    answers = [ask(Path(question).read_text().strip().removesuffix(";")) for question in questions]
    json.dump(answers, sys.stdout, default=str)


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[1] not in ENGINES:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
