"""Exact count, p50 and p99 of each second by DuckDB, of the calls that benchmarks/report made.

load COLUMNS PARQUET: writes columns of second, client and response time (eight bytes each) as Parquet.
query PARQUET THREADS: prints the seconds that one query over it takes, a fresh process each time.
"""
import sys
import time

import duckdb

QUERY = """
select second, count(*), quantile_disc(nanos, 0.5), quantile_disc(nanos, 0.99)
from read_parquet(?) group by second order by second
"""


def load(columns, parquet):
    import numpy

    rows = numpy.memmap(columns, dtype="<i8").reshape(-1, 3)
    con = duckdb.connect()
    con.execute("create table calls (second int, client int, nanos bigint)")
    for first in range(0, len(rows), 1 << 22):
        part = rows[first : first + (1 << 22)]
        made = {name: part[:, i].copy() for i, name in enumerate(("second", "client", "nanos"))}  # noqa: F841
        con.execute("insert into calls select * from made")
    con.execute("copy calls to '" + parquet.replace("'", "''") + "' (format parquet)")


def query(parquet, threads):
    con = duckdb.connect(config={"threads": threads})
    began = time.perf_counter()
    con.execute(QUERY, [parquet]).fetchall()
    print(f"{time.perf_counter() - began:.3f}")


if sys.argv[1] == "load":
    load(*sys.argv[2:])
else:
    query(*sys.argv[2:])
