package org.diperf.controller.run.directory;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.collect.ImportedSpool;
import org.diperf.controller.collect.Testers;
import org.diperf.core.folder.OwnerOnlyFiles;
import org.diperf.core.spi.SpoolLocation;
import org.diperf.core.spi.Testbed;
import org.diperf.tester.link.SpoolException;
import org.diperf.tester.link.SpoolFile;

/**
 * Brings home the samples that testers have left when they gave up waiting for their controller. A spool stays where it was
 * left until its blocks are durable here. Confined to the run's thread.
 */
public final class Spools {

    private static final Pattern NAME = Pattern.compile("tester-([0-9]{1,9})[.]spool");

    private final Testers testers;
    private final Testbed testbed;
    private final Path folder;
    private final RunOutput output;
    private final Set<Path> looked = new TreeSet<>();
    private final Set<Integer> taken = new TreeSet<>();
    /** By tester, why it is not known whether it has left samples, or why they cannot be taken. */
    private final Map<Integer, String> troubles = new LinkedHashMap<>();

    /** @param control the run's folder for what another process needs to resume it */
    public Spools(Testers testers, Testbed testbed, Path control, RunOutput output) {
        this.testers = testers;
        this.testbed = testbed;
        this.folder = control.resolve(SpoolFile.FOLDER);
        this.output = output;
    }

    /** Returns the testers whose samples were taken: nothing more comes of these. */
    public Set<Integer> taken() {
        return Set.copyOf(taken);
    }

    /** Lists where testers leave samples that can be fetched. */
    public List<SpoolLocation> places() {
        return testbed.spools();
    }

    /**
     * Takes a spool that somebody has copied.
     *
     * @throws SpoolException when it cannot be used; nothing was taken of it
     */
    public void take(Path file) throws IOException, InterruptedException {
        ImportedSpool spool = testers.take(file, number(file));
        taken.add(spool.tester());
        troubles.remove(spool.tester());
        output.announce("read " + file + ": tester-" + spool.tester() + " left "
                + Numbers.count(spool.blocks(), "block") + ", "
                + (spool.fresh() == spool.blocks() ? "all of them new" : spool.fresh() + " of them new"));
    }

    /** Takes what testers on this machine have left, or what was brought here. */
    public void takeHere() throws IOException, InterruptedException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "tester-*.spool")) {
            found.forEach(files::add);
        }
        for (Path file : files) {
            if (looked.add(file)) {
                try {
                    take(file);
                } catch (SpoolException e) {
                    troubles.put(number(file), String.valueOf(e.getMessage()));
                }
            }
        }
    }

    /** Returns the tester from whose machine a file with such a name came; 0: its name does not tell. */
    private static int number(Path file) {
        Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
        return name.matches() ? Integer.parseInt(name.group(1)) : 0;
    }

    /**
     * Looks on the machines of the testbed, and takes what is there.
     *
     * @param wanted testers of which more may come
     */
    public void bring(IntPredicate wanted) throws IOException, InterruptedException {
        List<SpoolLocation> places = open(wanted);
        if (places.isEmpty()) {
            return;
        }
        output.phase("looking for samples left by testers");
        if (!Files.isDirectory(folder)) {
            Files.createDirectory(folder, OwnerOnlyFiles.FOLDER);
        }
        for (SpoolLocation place : places) {
            // A copy that could not be used makes way for another.
            Path copy = SpoolFile.of(folder, place.tester());
            if (looked.remove(copy)) {
                Files.deleteIfExists(copy);
            }
            troubles.remove(place.tester());
        }
        troubles.putAll(testbed.bring(places, folder));
        takeHere();
    }

    private List<SpoolLocation> open(IntPredicate wanted) {
        return testbed.spools().stream()
                .filter(place -> wanted.test(place.tester()) && !taken.contains(place.tester()))
                .toList();
    }

    /** Ends testers that do not reach this controller, and takes what they then leave. */
    public void endAndBring(IntPredicate wanted) throws IOException, InterruptedException {
        List<SpoolLocation> places = open(wanted);
        if (places.isEmpty()) {
            return;
        }
        try {
            testbed.endTesters(places);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            output.note("could not stop testers that do not respond: " + e.getMessage());
        }
        bring(wanted);
    }

    /** Lists by tester, in words, what may be left somewhere, is not here and can still be brought. */
    public List<String> missing(IntPredicate wanted) {
        return named(wanted, place -> ". To copy them by hand: " + place.copy());
    }

    /** Lists the same of a run that ends: nothing takes them from then on. */
    public List<String> lost(IntPredicate wanted) {
        return named(wanted, place -> "; they are lost to this run");
    }

    private List<String> named(IntPredicate wanted, Function<SpoolLocation, String> end) {
        List<String> missing = new ArrayList<>();
        Map<Integer, SpoolLocation> places = new LinkedHashMap<>();
        testbed.spools().forEach(place -> places.put(place.tester(), place));
        troubles.forEach((tester, reason) -> {
            if (wanted.test(tester)) {
                SpoolLocation place = places.get(tester);
                missing.add(
                        place == null
                                ? "tester-" + tester + ": " + reason
                                : "tester-" + tester + " may have left samples on " + place.host() + " in "
                                        + place.path() + ", which could not be fetched: " + reason
                                        + end.apply(place));
            }
        });
        return missing;
    }

    /** Lists the places of those. */
    public List<SpoolLocation> missingPlaces() {
        return testbed.spools().stream()
                .filter(place -> troubles.containsKey(place.tester()))
                .toList();
    }

    /** Removes from the machines what was taken, which must be durable. */
    public void drop() {
        List<SpoolLocation> safe = testbed.spools().stream()
                .filter(place -> taken.contains(place.tester()))
                .toList();
        if (!safe.isEmpty()) {
            tidy(
                    () -> testbed.drop(safe),
                    "the samples left by testers were fetched, but could not be removed from their machines: ");
        }
    }

    /** Removes from the machines what was taken, which must be durable, and all else that the run has left there. */
    public void close() {
        drop();
        tidy(testbed::close, "the testbed could not be cleaned up: ");
    }

    private interface Step {
        void run() throws Exception;
    }

    private void tidy(Step step, String otherwise) {
        try {
            step.run();
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            output.warn(otherwise + e.getMessage());
        }
    }
}
