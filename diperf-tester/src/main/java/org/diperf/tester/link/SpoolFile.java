package org.diperf.tester.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.folder.DurableFiles;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.spi.SpoolLocation;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.FrameFile;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterTotals;
import org.diperf.core.wire.WireException;
import org.jspecify.annotations.Nullable;

/**
 * What a tester leaves when it has to end before its samples are safe: a file of frames. The first is a line that says whose
 * it is ({@link Head}); then comes each block that was not acknowledged, in order; then what the load came to, if it was
 * over. A file that lacks some of that is damaged.
 */
public final class SpoolFile {

    /** Name of the folder of such files within the control folder of a run. */
    public static final String FOLDER = "spool";

    private static final Pattern HEAD = Pattern.compile("spool of run ([0-9a-f]{32}), slot ([0-9]{1,9}),"
            + " blocks ([0-9]{1,18}) to ([0-9]{1,18}), (finished|unfinished)");

    private SpoolFile() {}

    /**
     * Whose a spool is, and what is in it.
     *
     * @param run name of the run, which does not reveal its token
     * @param slot of the tester's share of the load
     * @param first number of the first block
     * @param last number of the last block
     * @param finished whether it ends with what the load came to
     */
    public record Head(String run, int tester, int slot, long first, long last, boolean finished) {

        /** Counts the blocks. */
        public long blocks() {
            return last - first + 1;
        }

        private String line() {
            return "spool of run " + run + ", slot " + slot + ", blocks " + first + " to " + last + ", "
                    + (finished ? "finished" : "unfinished");
        }
    }

    /** Names the file of a tester. */
    public static Path of(Path folder, int tester) {
        return folder.resolve(SpoolLocation.fileName(tester));
    }

    /**
     * Writes all that is not acknowledged.
     *
     * @param run its name
     * @param totals of a load that is over; {@code null}: not known
     */
    static void write(
            Path folder, String run, int tester, int slot, Spool spool, @Nullable TesterTotals totals, NanoClock clock)
            throws IOException {
        DurableFiles.folder(folder);
        Path draft = folder.resolve("tester-" + tester + ".draft");
        Files.deleteIfExists(draft);
        // What an engine that does not stop writes from now on is not among them.
        Head head = new Head(run, tester, slot, spool.acknowledged() + 1, spool.last(), totals != null);
        try {
            try (FrameFile file = FrameFile.create(draft)) {
                file.write(new Frame(tester, clock.nanoTime(), 0, 0, new Message.Log(head.line())));
                for (long number = head.first(); number <= head.last(); number++) {
                    ByteBuffer block = spool.block(number);
                    if (block != null) {
                        file.write(new Frame(tester, clock.nanoTime(), 0, 0, new Message.Block(block)));
                    }
                }
                if (totals != null) {
                    file.write(new Frame(tester, clock.nanoTime(), 0, 0, new Message.Finished(totals)));
                }
            }
            DurableFiles.replace(draft, of(folder, tester));
        } catch (IOException e) {
            // A part is of no use, and takes room on a disk that has none.
            Files.deleteIfExists(draft);
            throw e;
        }
    }

    /**
     * Reads a file to its end and checks that it is whole.
     *
     * @throws NoSuchFileException when there is none
     * @throws SpoolException when it is no spool or a damaged one, or cannot be read
     */
    public static Head check(Path file) throws IOException {
        Check check = new Check(file);
        try {
            long end = FrameFile.read(file, check);
            return check.head(end == Files.size(file));
        } catch (WireException e) {
            throw new SpoolException(file + ": expected a spool written by a tester, got a different or damaged file ("
                    + e.getMessage() + "): copy the original again");
        } catch (SpoolException | NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            throw new SpoolException(file + ": expected a spool written by a tester, got an unreadable file ("
                    + (e instanceof AccessDeniedException ? "permission denied" : e.getMessage())
                    + "): specify a file that this user can read");
        }
    }

    /** Reads the blocks and what the load came to from a file that was checked. */
    public static void read(Path file, FrameFile.Visitor visitor) throws IOException {
        FrameFile.read(file, frame -> {
            if (!(frame.message() instanceof Message.Log)) {
                visitor.frame(frame);
            }
        });
    }

    /** Looks at one frame after another. */
    private static final class Check implements FrameFile.Visitor {

        private final Path file;
        private @Nullable Head head;
        private long next;
        private boolean over;

        Check(Path file) {
            this.file = file;
        }

        @Override
        public void frame(Frame frame) throws IOException {
            Head known = head;
            if (known == null) {
                head = head(frame);
                next = head.first();
            } else if (over || frame.tester() != known.tester()) {
                throw damaged(known);
            } else if (frame.message() instanceof Message.Block block) {
                if (number(block.data(), known) != next) {
                    throw damaged(known);
                }
                next++;
            } else if (frame.message() instanceof Message.Finished) {
                over = true;
            } else {
                throw damaged(known);
            }
        }

        private Head head(Frame frame) throws SpoolException {
            Matcher head = HEAD.matcher(frame.message() instanceof Message.Log log ? log.line() : "");
            if (!head.matches()) {
                throw new SpoolException(file
                        + ": expected a spool written by a tester, got one that does not identify its tester: use "
                        + "the original, unmodified file");
            }
            return new Head(
                    head.group(1),
                    frame.tester(),
                    Integer.parseInt(head.group(2)),
                    Long.parseLong(head.group(3)),
                    Long.parseLong(head.group(4)),
                    head.group(5).equals("finished"));
        }

        private long number(ByteBuffer data, Head known) throws SpoolException {
            try {
                Block block = Block.read(data);
                return block.tester() == known.tester() && Block.length(data) == data.remaining() ? block.number() : -1;
            } catch (CorruptBlockException e) {
                throw damaged(known);
            }
        }

        Head head(boolean isWhole) throws SpoolException {
            Head found = head;
            if (found == null) {
                throw new SpoolException(file + ": expected a spool written by a tester, got an empty one");
            }
            if (!isWhole || next != found.last() + 1 || over != found.finished()) {
                throw damaged(found);
            }
            return found;
        }

        private SpoolException damaged(Head known) {
            return new SpoolException(file + ": expected blocks " + known.first() + " to " + known.last()
                    + " of tester-"
                    + known.tester() + ", got a file damaged or truncated after " + (next - known.first()) + " of "
                    + known.blocks() + " blocks: copy the original again");
        }
    }
}
