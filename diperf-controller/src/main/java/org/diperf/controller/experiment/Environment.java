package org.diperf.controller.experiment;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an experiment file takes from outside.
 *
 * @param variables value of an environment variable, or {@code null}
 * @param java command of the running JVM
 * @param host name of this machine, asked only where it is needed
 * @param seed a new seed, asked only where none is given
 */
record Environment(
        Function<String, @Nullable String> variables, String java, Supplier<String> host, LongSupplier seed) {

    /** Returns those of this process. */
    static Environment ofThisProcess() {
        return new Environment(
                Environment::variable,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                Environment::hostName,
                () -> ThreadLocalRandom.current().nextLong(1, 1L << 31));
    }

    private static @Nullable String variable(String name) {
        String value = System.getenv(name);
        if (value != null && value.indexOf('\uFFFD') >= 0) {
            throw new IllegalArgumentException("expected text in the environment variable '" + name
                    + "', got bytes that the locale cannot decode; set a UTF-8 locale: LC_ALL=C.UTF-8");
        }
        return value;
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (IOException noName) {
            return "127.0.0.1";
        }
    }
}
