package org.diperf.plugins.lib.gridftp.data;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Text;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/**
 * The parameters, as the engine needs them.
 *
 * @param managed whether the session is one of a managed transfer, which asks the server to tell each second how far it is
 * @param extended whether data goes in extended block mode (MODE E)
 * @param offset first byte to move
 * @param length how many to move, -1 for all to the end
 * @param size of what is put, where no file is named
 * @param local file on the tester, {@code null} for zeros and for discarding
 * @param blockBytes most of what is put that goes as one block
 * @param bufferBytes of the sockets of both sides, 0 for what the kernels choose
 * @param checksum name of the algorithm, or {@code null}
 * @param dataHost where data connections go
 * @param firstPort of the range for data connections to the tester, 0 for any
 */
public record Settings(
        Direction direction,
        boolean managed,
        @Nullable Url to,
        @Nullable Text path,
        List<Text> files,
        long size,
        long offset,
        long length,
        boolean extended,
        int parallelism,
        int concurrency,
        int pipelining,
        boolean cachesData,
        boolean striped,
        int blockBytes,
        int bufferBytes,
        @Nullable String checksum,
        @Nullable Text local,
        String user,
        String password,
        boolean keepsSession,
        Authentication authentication,
        DataHost dataHost,
        int firstPort,
        int lastPort,
        @Nullable String dialogue) {

    /** The file. */
    public static final Parameter PATH = Parameter.optional(
                    "path",
                    Type.TEXT,
                    "file, absolute or relative to the folder of the target's file; default: the target's")
            .suchAs("\"file-${random:1..9}.bin\"");

    /** Files instead of one. */
    public static final Parameter FILES = Parameter.optional(
                    "files", Type.TEXTS, "several files, instead of path; each call transfers the next one")
            .suchAs("[a.bin, b.bin]");

    /** Size of an upload. */
    public static final Parameter SIZE =
            Parameter.withDefault("size", Type.SIZE, "1MiB", "size of an upload whose source is not a file");

    /** Where downloads go. */
    public static final Parameter SINK =
            Parameter.withDefault("sink", Type.TEXT, "discard", "file to store a download in, or discard");

    /** Where uploads come from. */
    public static final Parameter SOURCE =
            Parameter.withDefault("source", Type.TEXT, "zeros", "file on the tester to upload, or zeros");

    /** Data streams. */
    public static final Parameter PARALLELISM =
            Parameter.withDefault("parallelism", Type.INTEGER, "1", "data streams per transfer, in extended mode");

    /** Buffers of sockets. */
    public static final Parameter BUFFER = Parameter.optional(
                    "buffer", Type.SIZE, "TCP buffer size of the data channels, on both sides")
            .suchAs("4MiB");

    private static final String NO_SINK = "discard";
    private static final String NO_SOURCE = "zeros";

    /** Which way the data goes. */
    public enum Direction {
        GET,
        PUT,
        THIRD_PARTY
    }

    /** Where data connections go. */
    public enum DataHost {
        /** To the host of the control connection; a server that tells another one is refused. */
        SAME,
        /** To the host that the server tells, whatever host that is. */
        TOLD,
        /** To the host of the control connection, whatever the server tells. */
        CONTROL
    }

    /** How data channels are authenticated where the control channel is. */
    public enum Authentication {
        NONE,
        SELF
    }

    /**
     * Reads the parameters of a client that transfers alone.
     *
     * @throws IllegalArgumentException when one is given that would not be looked at, or cannot be
     */
    public static Settings of(Parameters with) {
        String word = with.string("direction");
        Direction direction = Direction.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
        if (direction != Direction.GET && !with.text("sink").toString().equals(NO_SINK)) {
            throw new IllegalArgumentException("sink: applies only to direction: get, got " + word + "; drop it");
        }
        if (direction != Direction.PUT && !with.text("source").toString().equals(NO_SOURCE)) {
            throw new IllegalArgumentException("source: applies only to direction: put, got " + word + "; drop it");
        }
        if (with.has("files") && with.texts("files").isEmpty()) {
            throw new IllegalArgumentException(
                    "files: expected at least one name, got none; set files: [NAME, ...], or drop it");
        }
        if (with.has("length") && with.integer("length") == 0) {
            throw new IllegalArgumentException(
                    "length: expected at least 1 byte, got 0; set a length, or drop it to transfer the whole file");
        }
        return of(with, direction);
    }

    /** Reads those parameters that a client declares, for transfers in one direction; others are as their defaults. */
    public static Settings of(Parameters with, Direction direction) {
        Text local = direction == Direction.GET ? with.text("sink") : with.text("source");
        String nothing = direction == Direction.GET ? NO_SINK : NO_SOURCE;
        int[] ports = with.has("data-ports") ? ports(with.string("data-ports")) : new int[] {0, 0};
        boolean grid = with.has("parallelism");
        return new Settings(
                direction,
                false,
                grid && with.has("to") ? Url.of(with.string("to")) : null,
                with.has("path") ? with.text("path") : null,
                with.texts("files"),
                with.integer("size"),
                with.has("offset") ? with.integer("offset") : 0,
                with.has("length") ? with.integer("length") : -1,
                with.has("mode") && with.string("mode").equals("extended"),
                grid ? (int) with.integer("parallelism") : 1,
                with.has("concurrency") ? (int) with.integer("concurrency") : 1,
                with.has("pipelining") ? (int) with.integer("pipelining") : 1,
                !with.has("cache-data-channels") || with.bool("cache-data-channels"),
                with.has("striped") && with.bool("striped"),
                with.has("block") ? (int) with.integer("block") : Source.BLOCK_BYTES,
                with.has("buffer") ? (int) with.integer("buffer") : 0,
                with.has("checksum") && !with.string("checksum").equals("none") ? with.string("checksum") : null,
                local.toString().equals(nothing) ? null : local,
                with.has("user") ? with.string("user") : "anonymous",
                with.has("password") ? with.string("password") : "diperf@",
                with.string("connection").equals("keep"),
                with.has("dcau") && with.string("dcau").equals("self") ? Authentication.SELF : Authentication.NONE,
                !with.has("data-host")
                        ? DataHost.SAME
                        : DataHost.valueOf(with.string("data-host").toUpperCase(Locale.ROOT)),
                ports[0],
                ports[1],
                with.has("record-dialogue") ? with.string("record-dialogue") : null);
    }

    private static int[] ports(String range) {
        Matcher matcher =
                Pattern.compile("\\s*(\\d{1,5})\\s*-\\s*(\\d{1,5})\\s*").matcher(range);
        if (matcher.matches()) {
            int first = Integer.parseInt(matcher.group(1));
            int last = Integer.parseInt(matcher.group(2));
            if (first >= 1 && first <= last && last <= 65_535) {
                return new int[] {first, last};
            }
        }
        throw new IllegalArgumentException("data-ports: expected a range such as 20000-20100, got '" + range + "'");
    }

    /**
     * Returns them for a session of a managed transfer, which has chosen the rest itself.
     *
     * @param streams of a transfer
     * @param ahead transfers asked for at once
     */
    public Settings managed(int streams, int ahead) {
        return new Settings(
                direction,
                true,
                to,
                null,
                List.of(),
                size,
                0,
                -1,
                true,
                streams,
                1,
                ahead,
                true,
                striped,
                blockBytes,
                bufferBytes,
                checksum,
                local,
                user,
                password,
                true,
                authentication,
                dataHost,
                firstPort,
                lastPort,
                dialogue);
    }

    /** Returns the key and the name of the file on this side as the experiment has it: {@code sink /data/out}. Empty where there is none. */
    public String localName() {
        return local == null ? "" : (direction == Direction.GET ? "sink " : "source ") + local;
    }

    boolean isPartial() {
        return offset > 0 || length >= 0;
    }

    /** Checks what single parameters cannot say. */
    public void check() {
        at("parallelism", parallelism, 1, 64);
        at("concurrency", concurrency, 1, 100);
        at("pipelining", pipelining, 1, 1_000 / concurrency);
        if (path != null && !files.isEmpty()) {
            throw new IllegalArgumentException("path: expected path or files, one call per file, got both; drop one");
        }
        if (!extended && (parallelism > 1 || pipelining > 1 || striped)) {
            throw new IllegalArgumentException(
                    "mode: expected extended for parallelism, pipelining or striped, got stream; set mode: extended");
        }
        if (pipelining > 1 && !cachesData) {
            throw new IllegalArgumentException(
                    "pipelining: expected cached data channels, got cache-data-channels: false; drop one of " + "them");
        }
        if (pipelining > 1 && checksum != null) {
            throw new IllegalArgumentException("checksum: cannot be combined with pipelining; drop one of them");
        }
        checkTogether();
    }

    /** Checks what holds of managed transfers, too. */
    public void checkTogether() {
        at("block", blockBytes, 1, Source.BLOCK_BYTES);
        if (direction == Direction.THIRD_PARTY && to == null) {
            throw new IllegalArgumentException(
                    "to: expected the destination URL of the third-party transfer, got none; set to: "
                            + "ftp://HOST/PATH");
        }
        if (direction != Direction.THIRD_PARTY && to != null) {
            throw new IllegalArgumentException("to: applies only to direction: third-party; drop it");
        }
        if (direction == Direction.PUT && length >= 0) {
            throw new IllegalArgumentException(
                    "length: applies only to get and third-party, got put; use size instead");
        }
        if (checksum != null && isPartial()) {
            throw new IllegalArgumentException(
                    "checksum: cannot be combined with offset or length; drop one of " + "them");
        }
        if (checksum != null && direction == Direction.GET && local == null) {
            throw new IllegalArgumentException(
                    "checksum: expected a file as sink for downloads, got sink: discard; set sink: PATH");
        }
    }

    private static void at(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + ": expected a number from " + least + " to " + most + ", got " + value);
        }
    }
}
