package org.diperf.controller.acceptance;

import java.nio.file.Path;

/** Where {@code benchmarks/} keeps other programs. */
final class Caches {

    private Caches() {}

    static Path folder() {
        String told = System.getenv("DIPERF_BENCH_CACHE");
        return told == null ? Path.of(System.getProperty("user.home"), ".cache", "diperf-bench") : Path.of(told);
    }
}
