package org.diperf.plugins.gridftp.managed;

import java.nio.file.Path;
import java.util.List;
import org.diperf.plugins.lib.gridftp.control.Server;
import org.jspecify.annotations.Nullable;

/**
 * What a job is to move.
 *
 * @param server the target
 * @param to the other server of a third-party transfer, {@code null} for others
 * @param path on the target: a folder where it ends with a slash, otherwise the only file
 * @param names of files in the folder of that path; all below it where there are none
 * @param local folder on this side, {@code null} for none
 * @param retries of a file, or of a session, in a row without a byte gained
 * @param stallNanos a session in which nothing moves for so long is given up, or one of a server that does not answer for so long
 *     while it is logged in to, or files are found there
 */
public record TransferSpec(
        Server server,
        @Nullable Server to,
        String path,
        List<String> names,
        @Nullable Path local,
        int retries,
        long stallNanos) {

    public TransferSpec {
        names = List.copyOf(names);
    }

    /** Returns whether each name is one of a file in the folder, and can stand in a command. */
    public boolean isWithinFolder() {
        return isOneLine(path)
                && names.stream()
                        .allMatch(name ->
                                isOneLine(name) && !name.startsWith("/") && !name.matches("(.*/)?\\.\\.(/.*)?"));
    }

    private static boolean isOneLine(String name) {
        return name.indexOf('\r') < 0 && name.indexOf('\n') < 0;
    }

    /** Returns the folder on the target, with its last slash. */
    String folder() {
        return path.substring(0, path.lastIndexOf('/') + 1);
    }

    /** Returns whether all that is in the folder is meant. */
    boolean isWholeFolder() {
        return names.isEmpty() && path.endsWith("/");
    }

    /** Returns the names of files in the folder, where they are known. */
    List<String> namesKnown() {
        return names.isEmpty() ? List.of(path.substring(path.lastIndexOf('/') + 1)) : names;
    }

    /** Returns where on the other server a file goes, or nothing. */
    String toPath(String name) {
        Server other = to;
        if (other == null) {
            return "";
        }
        return other.path().endsWith("/") ? other.path() + name : other.path();
    }
}
