package org.diperf.controller.acceptance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** DuckDB by its Python package, where it is installed. */
final class Duckdb {

    private static final String PROGRAM = """
            import duckdb, json, sys
            rows = duckdb.sql(sys.argv[1]).fetchall()
            print(json.dumps(rows, default=str))
            """;

    private Duckdb() {}

    /** Asks, and gives the rows as arrays; skips the test where DuckDB is not. */
    static JsonNode rows(Path folder, String sql) throws IOException, InterruptedException {
        String python = python(folder);
        assumeTrue(python != null, "DuckDB is not installed: python3 -m venv, pip install duckdb");
        try (Command command = Command.start(folder, List.of(String.valueOf(python), "-c", PROGRAM, sql))) {
            if (command.exitCode() != 0) {
                throw new AssertionError("DuckDB refused " + sql + ":\n" + command.output());
            }
            return JsonMapper.shared().readTree(command.output());
        }
    }

    private static String python(Path folder) throws IOException, InterruptedException {
        Path own = Caches.folder().resolve("duckdb/bin/python");
        for (String python : List.of(own.toString(), "python3")) {
            if ((python.equals("python3") || Files.isExecutable(own)) && has(folder, python)) {
                return python;
            }
        }
        return null;
    }

    private static boolean has(Path folder, String python) throws IOException, InterruptedException {
        if (python.equals("python3") && !Command.installed(python)) {
            return false;
        }
        try (Command command = Command.start(folder, List.of(python, "-c", "import duckdb"))) {
            return command.exitCode() == 0;
        }
    }
}
