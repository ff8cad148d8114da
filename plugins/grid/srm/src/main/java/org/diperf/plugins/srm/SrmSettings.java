package org.diperf.plugins.srm;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Parameters.Unusable;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.gridftp.data.Settings;
import org.diperf.plugins.lib.gridftp.data.Settings.Direction;
import org.jspecify.annotations.Nullable;

/**
 * The parameters, as the client needs them.
 *
 * @param path of the file, {@code null} for the target's
 * @param files instead of it, in turn
 * @param to where a manager copies the file to, {@code null} where it copies to the file
 * @param from where a manager copies the file from, {@code null} where it copies from the file
 * @param moves whether files are transferred by the client, too
 * @param batch most files of one request
 * @param gatherNanos for which a request waits to be full, at most
 * @param pollNanos until the first status request where the server does not say
 * @param mostPollNanos between two of them where the server does not say
 */
record SrmSettings(
        Operation operation,
        @Nullable Text path,
        List<Text> files,
        @Nullable Text to,
        @Nullable Text from,
        boolean moves,
        int batch,
        long gatherNanos,
        long pollNanos,
        long mostPollNanos,
        long levels,
        boolean detailed,
        Messages messages,
        Settings transfers) {

    /** What a call is. */
    enum Operation {
        GET,
        PUT,
        LS,
        PING,
        BRING_ONLINE,
        COPY;

        /** Returns whether the client moves the file itself. */
        boolean isTransfer() {
            return this == GET || this == PUT;
        }

        /** Returns whether files are asked for by a request that has a token. */
        boolean isOfFiles() {
            return this != PING && this != LS;
        }

        /** Returns what the operation is called in an experiment. */
        String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** Lists what operations are called in an experiment. */
        static String[] texts() {
            return Arrays.stream(values()).map(Operation::text).toArray(String[]::new);
        }
    }

    private static final int MAX_BATCH = 1_000;

    /** @throws Unusable when a parameter has a value that means nothing, alone or next to others */
    static SrmSettings of(Parameters with) {
        Operation operation = Operation.valueOf(
                with.string("operation").toUpperCase(Locale.ROOT).replace('-', '_'));
        checkGiven(with, operation);
        return new SrmSettings(
                operation,
                with.has("path") ? with.text("path") : null,
                with.texts("files"),
                with.has("copy-to") ? with.text("copy-to") : null,
                with.has("copy-from") ? with.text("copy-from") : null,
                with.bool("transfer") && operation.isTransfer(),
                (int) with.integer("batch"),
                with.duration("gather").toNanos(),
                with.duration("poll").toNanos(),
                with.duration("most-poll").toNanos(),
                with.integer("levels"),
                with.bool("detailed"),
                new Messages(
                        with.texts("protocols").stream().map(Text::fixed).toList(),
                        with.string("storage-type"),
                        with.duration("request-time").toSeconds(),
                        with.has("pin-time") ? with.duration("pin-time").toSeconds() : -1,
                        with.has("space-token") ? with.string("space-token") : "",
                        with.has("overwrite") ? with.string("overwrite") : ""),
                Settings.of(with, operation == Operation.PUT ? Direction.PUT : Direction.GET));
    }

    /** Checks what was written, which cannot be told from the record: there defaults stand next to it. */
    private static void checkGiven(Parameters with, Operation operation) {
        String found = "got operation: " + with.string("operation");
        if (with.has("path") && with.has("files")) {
            throw new Unusable("path", "expected path or files, got both; drop one of them");
        }
        if (with.has("path") && with.text("path").toString().isBlank()) {
            throw new Unusable("path", "expected the path of a file, got ''; drop it to use the target's path");
        }
        if (with.has("files") && with.texts("files").isEmpty()) {
            throw new Unusable("files", "expected at least one file, got none; omit it to use the target's " + "path");
        }
        for (Text file : with.texts("files")) {
            if (file.toString().isBlank()) {
                throw new Unusable("files", "expected the path of a file, got ''; drop it");
            }
        }
        if (!with.bool("transfer") && !operation.isTransfer()) {
            throw new Unusable(
                    "transfer",
                    "expected operation: get or put, because other operations transfer nothing, " + found + "; "
                            + "drop it");
        }
        if (with.has("overwrite") && operation != Operation.PUT && operation != Operation.COPY) {
            throw new Unusable(
                    "overwrite",
                    "expected operation: put or copy, because only they can overwrite a file, " + found + "; drop it");
        }
        checkCopy(with, operation, found);
        if (with.has("buffer") && with.integer("buffer") < 1) {
            throw new Unusable(
                    "buffer",
                    "expected more than 0, got " + with.integer("buffer") + "; omit it to use the system "
                            + "defaults");
        }
        atLeastASecond(with, "request-time", "omit it to use 1h");
        atLeastASecond(with, "pin-time", "omit it to use the server's");
    }

    private static void checkCopy(Parameters with, Operation operation, String found) {
        if (operation == Operation.COPY && with.has("copy-to") == with.has("copy-from")) {
            throw new Unusable(
                    "copy-to",
                    "expected copy-to or copy-from, the other end of the copy, got "
                            + (with.has("copy-to") ? "both" : "neither"));
        }
        for (String end : List.of("copy-to", "copy-from")) {
            if (with.has(end) && operation != Operation.COPY) {
                throw new Unusable(end, "expected operation: copy, " + found + "; drop it");
            }
            if (with.has(end) && with.text(end).toString().isBlank()) {
                throw new Unusable(end, "expected a SURL or the path of a file, got ''");
            }
        }
    }

    /** SRM counts whole seconds. */
    private static void atLeastASecond(Parameters with, String name, String advice) {
        if (with.has(name) && with.duration(name).toSeconds() < 1) {
            throw new Unusable(
                    name, "expected 1s or more, got " + Quantity.format(with.duration(name)) + "; " + advice);
        }
    }

    /** Checks what single parameters cannot say. */
    void check() {
        if (batch < 1 || batch > MAX_BATCH) {
            throw new IllegalArgumentException("batch: expected a number from 1 to " + MAX_BATCH + ", got " + batch);
        }
        if (batch > 1 && !operation.isOfFiles()) {
            throw new IllegalArgumentException(
                    "batch: expected operation: get, put, bring-online or copy for several files in one request, "
                            + "got operation: " + operation.text() + "; drop batch");
        }
        if (pollNanos <= 0 || mostPollNanos < pollNanos) {
            throw new IllegalArgumentException("poll: expected more than 0 and at most most-poll, got poll: "
                    + pollNanos / 1_000_000 + " ms and most-poll: " + mostPollNanos / 1_000_000 + " ms");
        }
        if (levels < 0) {
            throw new IllegalArgumentException("levels: expected 0 or more, got " + levels);
        }
        if (messages.protocols().isEmpty()) {
            throw new IllegalArgumentException("protocols: expected at least one, such as gsiftp, got none");
        }
        transfers.check();
    }
}
