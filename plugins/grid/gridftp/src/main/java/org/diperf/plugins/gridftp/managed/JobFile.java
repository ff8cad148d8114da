package org.diperf.plugins.gridftp.managed;

import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gridftp.data.RangeSet;
import org.jspecify.annotations.Nullable;

/** One file of a job, and what of it is there. Confined to the job's event loop. */
final class JobFile {

    /** Of two servers, the one that refused stands before the step. */
    private static final Pattern REFUSED_STEP = Pattern.compile("^((target|to): )?(size|mlsc|feat|gsi):");

    final String path;
    final String toPath;
    final @Nullable Path local;
    final long size;
    private RangeSet stored = new RangeSet();
    private int faults;

    /**
     * @param path on the server that is the target
     * @param toPath on the other server of a third-party transfer, otherwise empty
     * @param local on this side, {@code null} for none
     */
    JobFile(String path, String toPath, @Nullable Path local, long size) {
        this.path = path;
        this.toPath = toPath;
        this.local = local;
        this.size = size;
    }

    /** Returns what is there, to be moved no more. */
    RangeSet stored() {
        return stored;
    }

    /** Takes what an attempt that failed has left; counts it as one more in a row unless it gained anything. */
    void failed(RangeSet now, long gained) {
        stored = now.copy();
        faults = gained > 0 ? 1 : faults + 1;
    }

    /** Says that nothing of it is as it should be. */
    void isWrong() {
        stored = new RangeSet();
        faults++;
    }

    /** Counts attempts in a row that failed. */
    int faults() {
        return faults;
    }

    /** Returns whether this side's disk is the reason, which is the same for all files. */
    static boolean isLocal(Failure why) {
        return why.kind().startsWith("local file");
    }

    /** Returns whether trying again is of no use: the file, its folder or the user is the reason, and not the way. */
    static boolean isFinal(Failure why) {
        String kind = why.kind().toLowerCase(Locale.ROOT);
        if (isLocal(why)) {
            return true;
        }
        if (kind.contains(": no answer from ")) {
            return false;
        }
        return kind.contains("no such file")
                || kind.contains("permission denied")
                || kind.contains("not a plain file")
                || kind.contains("is a directory")
                || kind.contains("no space left")
                || REFUSED_STEP.matcher(kind).find()
                || kind.contains(": 530");
    }

    /** Names it where it is, and where it goes or comes from. */
    @Override
    public String toString() {
        return path
                + (toPath.isEmpty() ? "" : " (to: " + toPath + ")")
                + (local == null ? "" : " (local file: " + local + ")");
    }
}
