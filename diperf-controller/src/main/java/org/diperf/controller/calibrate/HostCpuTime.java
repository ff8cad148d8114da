package org.diperf.controller.calibrate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.diperf.controller.calibrate.Calibration.Others;
import org.jspecify.annotations.Nullable;

/**
 * Processor time of the machine and of this program, in ticks since the machine started, from proc(5).
 *
 * @param all that there was
 * @param used by processes, without interrupts: whom they are for is not known
 * @param stolen that the hypervisor gave to others
 * @param own by this process, by those that it started, and by all that have ended of these
 */
record HostCpuTime(long all, long used, long stolen, long own) {

    private static final int USER = 0;
    private static final int NICE = 1;
    private static final int SYSTEM = 2;
    private static final int STEAL = 7;
    private static final int KINDS = 8;
    /** Place of utime behind the name of the process, which may hold anything; three more of the kind follow. */
    private static final int OWN = 11;

    private static final int OWN_KINDS = 4;

    /**
     * Reads it.
     *
     * @param proc {@code /proc} but in tests
     * @param children processes that this one has started, and theirs
     * @return {@code null} where the system does not tell
     */
    static @Nullable HostCpuTime read(Path proc, LongStream children) {
        try {
            String line = text(proc.resolve("stat")).lines().findFirst().orElse("");
            String[] words = line.split(" +");
            if (!words[0].equals("cpu") || words.length <= KINDS) {
                return null;
            }
            long[] ticks = new long[KINDS];
            for (int i = 0; i < KINDS; i++) {
                ticks[i] = Long.parseLong(words[i + 1]);
            }
            long own = own(proc.resolve("self"))
                    + children.map(child -> childsOwn(proc.resolve(Long.toString(child))))
                            .sum();
            return new HostCpuTime(
                    LongStream.of(ticks).sum(), ticks[USER] + ticks[NICE] + ticks[SYSTEM], ticks[STEAL], own);
        } catch (IOException | NumberFormatException e) {
            return null;
        }
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    /** One that has just ended is counted with its parent. */
    private static long childsOwn(Path process) {
        try {
            return own(process);
        } catch (IOException e) {
            return 0;
        }
    }

    private static long own(Path process) throws IOException {
        String stat = text(process.resolve("stat"));
        String[] words = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" +");
        long sum = 0;
        for (int i = OWN; i < OWN + OWN_KINDS && i < words.length; i++) {
            sum += Long.parseLong(words[i]);
        }
        return sum;
    }

    /** Says what others took since an earlier reading; {@code null} where no time has passed. */
    @Nullable
    Others since(HostCpuTime before) {
        double ticks = (double) all - before.all;
        if (ticks <= 0) {
            return null;
        }
        double others = (used - before.used) - (double) (own - before.own);
        return new Others(
                100 * Math.max(0, Math.min(ticks, others)) / ticks, 100 * Math.max(0, stolen - before.stolen) / ticks);
    }
}
