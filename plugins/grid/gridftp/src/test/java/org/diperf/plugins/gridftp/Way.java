package org.diperf.plugins.gridftp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A way to move files.
 *
 * @param authentication {@code anonymous}, or GSI with data channels that are authenticated as {@code none} or {@code self}
 * @param direction {@code get}, {@code put} or {@code third-party}
 * @param mode {@code stream} or {@code extended}
 * @param streams of a transfer
 * @param variant {@code kept} or {@code fresh} data channels, {@code ahead}: eight transfers asked for ahead, {@code part},
 *     {@code rest}: only those bytes, {@code striped}: over two data nodes
 */
record Way(String authentication, String direction, String mode, int streams, String variant) {

    static final int OFFSET = 1_000;
    static final int LENGTH = 50_000;

    /** Returns each way that can be, of these kinds of authentication. */
    static List<Way> all(List<String> authentications) {
        List<Way> ways = new ArrayList<>();
        for (String authentication : authentications) {
            for (String direction : List.of("get", "put", "third-party")) {
                ways.add(new Way(authentication, direction, "stream", 1, "fresh"));
                for (int streams : new int[] {1, 4, 16}) {
                    ways.add(new Way(authentication, direction, "extended", streams, "kept"));
                    ways.add(new Way(authentication, direction, "extended", streams, "fresh"));
                    ways.add(new Way(authentication, direction, "extended", streams, "striped"));
                    ways.add(new Way(authentication, direction, "extended", streams, "ahead"));
                    if (!direction.equals("put")) {
                        ways.add(new Way(authentication, direction, "extended", streams, "part"));
                    }
                    ways.add(new Way(authentication, direction, "extended", streams, "rest"));
                }
                if (!direction.equals("put")) {
                    ways.add(new Way(authentication, direction, "stream", 1, "part"));
                }
                if (direction.equals("get")) {
                    ways.add(new Way(authentication, direction, "stream", 1, "rest"));
                }
            }
        }
        return ways;
    }

    boolean isPartial() {
        return variant.equals("part") || variant.equals("rest");
    }

    boolean isStriped() {
        return variant.equals("striped");
    }

    /**
     * Returns whether an empty file can go this way. A server that sends to several stripes, each to be authenticated, registers the
     * end of an empty file twice, and fails or crashes (13.24).
     */
    boolean canMoveNothing() {
        return !(isStriped() && direction.equals("third-party") && authentication.equals("self"));
    }

    boolean isSecure() {
        return !authentication.equals("anonymous");
    }

    /** Counts the transfers of each file, so that what is kept is used again. */
    int transfers() {
        return variant.equals("ahead") ? 12 : variant.equals("kept") ? 3 : 2;
    }

    /** Returns the parameters, but for the files. */
    Map<String, Object> with() {
        Map<String, Object> with = new HashMap<>(Map.of("direction", direction, "mode", mode));
        with.put("parallelism", streams);
        if (isSecure()) {
            with.put("dcau", authentication);
        }
        switch (variant) {
            case "fresh" -> with.put("cache-data-channels", false);
            case "ahead" -> with.put("pipelining", 8);
            case "striped" -> with.put("striped", true);
            case "part" -> with.putAll(Map.of("offset", OFFSET, "length", LENGTH));
            case "rest" -> with.put("offset", OFFSET);
            default -> {
                // kept is what is done without a word
            }
        }
        return with;
    }

    /** Counts the bytes that a transfer of a file moves. */
    long bytesOf(long size) {
        return switch (variant) {
            case "part" -> LENGTH;
            case "rest" -> direction.equals("put") ? size : size - OFFSET;
            default -> size;
        };
    }

    @Override
    public String toString() {
        return authentication + " " + direction + " " + mode + " " + streams + " " + variant;
    }
}
