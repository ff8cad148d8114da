package org.diperf.plugins.grpc;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Text;
import org.jspecify.annotations.Nullable;

/** The status codes of gRPC that count as success. Immutable. */
final class Statuses {

    static final int UNIMPLEMENTED = 12;

    private static final List<String> NAMES = List.of(
            "OK",
            "CANCELLED",
            "UNKNOWN",
            "INVALID_ARGUMENT",
            "DEADLINE_EXCEEDED",
            "NOT_FOUND",
            "ALREADY_EXISTS",
            "PERMISSION_DENIED",
            "RESOURCE_EXHAUSTED",
            "FAILED_PRECONDITION",
            "ABORTED",
            "OUT_OF_RANGE",
            "UNIMPLEMENTED",
            "INTERNAL",
            "UNAVAILABLE",
            "DATA_LOSS",
            "UNAUTHENTICATED");

    private final Set<String> expected = new HashSet<>();

    /**
     * @param items names such as {@code OK} or {@code NOT_FOUND}
     * @throws IllegalArgumentException for one that is none
     */
    Statuses(List<Text> items) {
        for (Text item : items) {
            String name = item.fixed().strip().toUpperCase(Locale.ROOT);
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException(
                        "expect: expected one of " + String.join(", ", NAMES) + ", got '" + item.fixed() + "'");
            }
            expected.add(name);
        }
    }

    boolean contains(String name) {
        return expected.contains(name);
    }

    /** Makes the failure of a call whose status does not count as success. */
    static Failure failure(String name) {
        return Failure.ofService(name)
                .remedied(
                        switch (name) {
                            case "UNAUTHENTICATED" -> "send credentials in client.with.metadata";
                            case "PERMISSION_DENIED" -> "check the credentials";
                            case "UNIMPLEMENTED" -> "check the method (client.with.method)";
                            default -> "";
                        });
    }

    /** Returns the name of what {@code grpc-status} says; {@code null} where that is no code. */
    static @Nullable String name(@Nullable String code) {
        if (code == null || !code.matches("[0-9]{1,2}")) {
            return null;
        }
        int number = Integer.parseInt(code);
        return number < NAMES.size() ? NAMES.get(number) : "UNKNOWN";
    }
}
