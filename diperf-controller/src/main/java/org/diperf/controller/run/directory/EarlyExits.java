package org.diperf.controller.run.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the controllers of a run ended before it was over: a line each, in a file whose room was taken when the run began, so
 * that a full disk takes it. A controller that was killed leaves no line; the one that resumes the run writes it. Confined to
 * the run's thread.
 */
public final class EarlyExits {

    private static final Logger LOG = LoggerFactory.getLogger(EarlyExits.class);
    private static final int ROOM = 4096;
    private static final int MAX_REASON = 300;
    private static final String FAILED = "failed";
    private static final String KILLED = "killed";
    private static final String STOPPED_WAITING = "stopped-waiting";
    private static final String RESUMED = "resumed";
    private static final String LEFT = "left";

    private final Path file;

    /**
     * How one controller ended.
     *
     * @param atNanos on the controller's clock
     * @param reason why it could keep nothing more, or whom it did not wait for any longer; empty: it was killed
     * @param isOfUser whether the user stopped the waiting for testers out of reach
     */
    public record Ending(long atNanos, String reason, boolean isOfUser) {
        public boolean isKill() {
            return reason.isEmpty();
        }

        /** Says it in words, without the reason. */
        public String words() {
            return isKill()
                    ? "the controller was killed"
                    : isOfUser
                            ? "the controller stopped waiting for testers"
                            : "the controller could not write the samples";
        }
    }

    public EarlyExits(Path file) {
        this.file = file;
    }

    /** Takes the room of the file. */
    public void reserve() throws IOException {
        byte[] room = " ".repeat(ROOM).getBytes(StandardCharsets.UTF_8);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            write(channel, room, 0);
        }
    }

    /** Notes that this controller ends because nothing more can be kept. */
    public void failed(long atNanos, String reason) {
        String line = reason.replaceAll("\\s+", " ").strip();
        note(FAILED + " " + atNanos + " " + line.substring(0, Math.min(MAX_REASON, line.length())));
    }

    /** Notes that this controller ends because nobody is to wait for testers that may hold samples. */
    public void stoppedWaiting(long atNanos, String testers) {
        note(STOPPED_WAITING + " " + atNanos + " " + testers);
    }

    /** Notes that the controller before this one was killed. */
    public void killed(long atNanos) {
        note(KILLED + " " + atNanos);
    }

    /** Notes that this controller has resumed the run. */
    public void resumed(long atNanos) {
        note(RESUMED + " " + atNanos);
    }

    /** Notes that this controller leaves the run as it has found it: how the one before ended still holds. */
    public void left() {
        note(LEFT);
    }

    private void note(String line) {
        try {
            int used = lines().stream()
                    .mapToInt(each -> each.getBytes(StandardCharsets.UTF_8).length + 1)
                    .sum();
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                write(channel, (line + "\n").getBytes(StandardCharsets.UTF_8), used);
            }
        } catch (IOException e) {
            // Whoever resumes the run then takes this controller for one that was killed.
            LOG.warn("could not record how this controller exited: {}", e.getMessage());
        }
    }

    private static void write(FileChannel channel, byte[] bytes, long at) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer, at + buffer.position());
        }
        channel.force(true);
    }

    private List<String> lines() throws IOException {
        return Files.exists(file)
                ? Files.readString(file).stripTrailing().lines().toList()
                : List.of();
    }

    /** Lists all that are noted. */
    public List<Ending> all() throws IOException {
        List<Ending> endings = new ArrayList<>();
        for (String line : lines()) {
            Ending ending = ending(line);
            if (ending != null) {
                endings.add(ending);
            }
        }
        return endings;
    }

    /** Returns how the last controller ended; {@code null}: it has not noted it, so it was killed. */
    @Nullable
    public Ending last() throws IOException {
        List<String> lines = lines();
        if (lines.isEmpty()) {
            return null;
        }
        String last = lines.get(lines.size() - 1);
        List<Ending> before = all();
        return last.equals(LEFT) && !before.isEmpty() ? before.get(before.size() - 1) : ending(last);
    }

    /**
     * Returns how the controller ended after which testers stopped their load: the next one came when their lease had run
     * out. {@code null}: each came in time.
     */
    @Nullable
    public Ending stoppingLoad(long leaseNanos) throws IOException {
        Ending last = null;
        for (String line : lines()) {
            Ending ending = ending(line);
            String[] words = line.split(" ");
            Long resumed = words.length == 2 && words[0].equals(RESUMED) ? nanos(words[1]) : null;
            if (last != null && resumed != null && resumed - last.atNanos() > leaseNanos) {
                return last;
            }
            last = ending == null ? last : ending;
        }
        return null;
    }

    private static @Nullable Ending ending(String line) {
        String[] words = line.split(" ", 3);
        boolean isKill = words.length == 2 && words[0].equals(KILLED);
        boolean isOfUser = words[0].equals(STOPPED_WAITING);
        if (!isKill && !(words.length == 3 && (isOfUser || words[0].equals(FAILED)))) {
            return null;
        }
        Long atNanos = nanos(words[1]);
        return atNanos == null ? null : new Ending(atNanos, isKill ? "" : words[2], isOfUser);
    }

    private static @Nullable Long nanos(String word) {
        try {
            return Long.valueOf(word);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
