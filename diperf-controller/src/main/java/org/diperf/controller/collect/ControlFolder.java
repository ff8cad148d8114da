package org.diperf.controller.collect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.folder.DurableFiles;
import org.diperf.core.folder.OwnerOnlyFiles;
import org.diperf.core.security.RunCredentials;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.FrameFile;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterFacts;
import org.jspecify.annotations.Nullable;

/**
 * What a collector leaves in {@code RUN_DIR/control}, so that another process can resume in its place: the run's keys,
 * where it listened, on which clock, and its journal. The folder can be read by its owner alone and goes with the run.
 * Confined to one thread at a time.
 */
public final class ControlFolder implements AutoCloseable {

    private static final String KEYS = "run.key";
    private static final String PLACE = "place";
    private static final String JOURNAL = "journal";
    private static final String DIALLED = ".dialled";

    private final RunCredentials credentials;
    private final Journal journal;
    private final @Nullable Path folder;

    /**
     * Where a collector was, and how.
     *
     * @param listen address it listened on
     * @param port it listened on
     * @param epoch of its clock
     * @param leaseNanos silence after which its testers stop their load
     * @param syncNanos from one comparison of a tester's clock to the next; 0: as often as it needs
     * @param inMemory whether it held blocks in memory
     * @param datagrams whether testers came by sealed datagrams
     */
    public record Settings(
            String listen,
            int port,
            long epoch,
            long leaseNanos,
            long syncNanos,
            boolean inMemory,
            boolean datagrams) {}

    /**
     * A tester that was given its start.
     *
     * @param slot its share of the load
     * @param facts that it told; {@code null}: not noted
     * @param localStartNanos start of the run on its own clock
     * @param joinNanos when it began calls, after the start of the run; 0: with the others
     * @param lingerNanos how long it keeps samples after its lease
     */
    public record Started(
            int tester,
            int slot,
            @Nullable TesterFacts facts,
            long localStartNanos,
            long joinNanos,
            long lingerNanos) {}

    private ControlFolder(RunCredentials credentials, Journal journal, @Nullable Path folder) {
        this.credentials = credentials;
        this.journal = journal;
        this.folder = folder;
    }

    /** Returns the keys of the run. */
    RunCredentials credentials() {
        return credentials;
    }

    /** Returns the journal, to which what comes is appended. */
    Journal journal() {
        return journal;
    }

    /** Makes keys for a new run and leaves them in a folder; {@code null}: nothing is left. */
    static ControlFolder create(@Nullable Path folder, NanoClock clock) throws IOException {
        return create(folder, new RunCredentials(Instant.now(), new SecureRandom()), clock);
    }

    /** Leaves these keys in a folder. */
    static ControlFolder create(@Nullable Path folder, RunCredentials credentials, NanoClock clock) throws IOException {
        if (folder == null) {
            return new ControlFolder(credentials, Journal.NONE, null);
        }
        DurableFiles.contents(OwnerOnlyFiles.write(folder.resolve(KEYS), credentials.write()));
        return new ControlFolder(credentials, Journal.create(folder.resolve(JOURNAL), clock), folder);
    }

    /** Takes up the keys and the journal of a run. */
    static ControlFolder resume(Path folder, NanoClock clock) throws IOException {
        try {
            RunCredentials credentials =
                    RunCredentials.parse(Files.readString(folder.resolve(KEYS)), Instant.now(), new SecureRandom());
            return new ControlFolder(credentials, Journal.resume(folder.resolve(JOURNAL), clock), folder);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage() + " in " + folder.resolve(KEYS), e);
        }
    }

    /** Writes down where the collector is. */
    void write(Settings settings) throws IOException {
        if (folder != null) {
            // Whoever resumes may be killed here as well: there is one whole file at any instant.
            Path draft = folder.resolve(PLACE + ".draft");
            Files.deleteIfExists(draft);
            OwnerOnlyFiles.write(
                    draft,
                    settings.listen() + " " + settings.port() + " " + settings.epoch() + " " + settings.leaseNanos()
                            + " " + settings.syncNanos() + " " + settings.inMemory() + " " + settings.datagrams()
                            + "\n");
            DurableFiles.replace(draft, folder.resolve(PLACE));
        }
    }

    /** Writes down where a relay is dialled. */
    void dialled(int relay, String host, int port) throws IOException {
        if (folder != null) {
            DurableFiles.contents(
                    OwnerOnlyFiles.write(folder.resolve("relay-" + relay + DIALLED), host + " " + port + "\n"));
        }
    }

    /** Reads where relays were dialled, by their numbers. */
    Map<Integer, InetSocketAddress> dialled() throws IOException {
        Map<Integer, InetSocketAddress> all = new TreeMap<>();
        if (folder == null) {
            return all;
        }
        try (DirectoryStream<Path> notes = Files.newDirectoryStream(folder, "relay-*" + DIALLED)) {
            for (Path note : notes) {
                String[] words = Files.readString(note).strip().split(" ", -1);
                String number = note.getFileName().toString().replaceAll("[^0-9]", "");
                try {
                    all.put(
                            Integer.valueOf(number),
                            InetSocketAddress.createUnresolved(words[0], Integer.parseInt(words[1])));
                } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
                    throw new IOException(
                            "Expected the address of a dialled relay in " + note + ", got something else", e);
                }
            }
        }
        return all;
    }

    /** Reads where the collector was. */
    public static Settings settings(Path folder) throws IOException {
        String[] words = Files.readString(folder.resolve(PLACE)).strip().split(" ", -1);
        try {
            return new Settings(
                    words[0],
                    Integer.parseInt(words[1]),
                    Long.parseLong(words[2]),
                    Long.parseLong(words[3]),
                    Long.parseLong(words[4]),
                    Boolean.parseBoolean(words[5]),
                    Boolean.parseBoolean(words[6]));
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new IOException(
                    "Expected the collector's address in " + folder.resolve(PLACE) + ", got something else", e);
        }
    }

    /** Lists the testers that were given their start, as the journal has it: what is written less often may not know the last. */
    public static List<Started> started(Path folder) throws IOException {
        Map<Integer, TesterFacts> facts = new HashMap<>();
        Map<Integer, Assignment> assigned = new HashMap<>();
        List<Started> started = new ArrayList<>();
        FrameFile.read(journal(folder), frame -> {
            int tester = frame.tester();
            if (frame.message() instanceof Message.Hello hello) {
                facts.put(tester, hello.facts());
            } else if (frame.message() instanceof Message.Assign assign) {
                assigned.put(tester, assign.assignment());
            } else if (frame.message() instanceof Message.Start start) {
                Assignment its = assigned.get(tester);
                started.add(new Started(
                        tester,
                        its == null ? 0 : its.slot(),
                        facts.get(tester),
                        start.localStartNanos(),
                        start.joinNanos(),
                        its == null ? 0 : its.lingerNanos()));
            }
        });
        return started;
    }

    static Path journal(Path folder) {
        return folder.resolve(JOURNAL);
    }

    @Override
    public void close() {
        journal.close();
    }
}
