package org.diperf.plugins.ssh;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.diperf.core.spi.SpoolLocation;
import org.jspecify.annotations.Nullable;

/**
 * What a run needs on its nodes: contents named by their SHA-256, sent to each disk once however many nodes share it,
 * and the names that the run has for them. Thread-safe.
 */
final class Deployment {

    static final String TESTER = "tools/diperf-tester.jar";
    private static final Duration SHORT = Duration.ofSeconds(60);
    private static final Duration LONG = Duration.ofMinutes(15);

    /**
     * A file to be there.
     *
     * @param local here
     * @param digest of its content, in hexadecimal digits
     * @param executable whether its owner may run it
     * @param path by which the run knows it, below the run's folder
     */
    private record Content(Path local, String digest, boolean executable, String path) {}

    /**
     * Where a run is on a node.
     *
     * @param base folder that runs share
     * @param run the run's own folder in it
     * @param disk names the disk, which several nodes may have in common
     */
    record Site(String base, String run, String disk) {

        private static final Pattern SPOOL = Pattern.compile("(/.*)/spool/([0-9a-f]{16})/([^/]*)");

        /** Finds the run's folder by where one of its testers leaves its samples; the node stands for its disk. */
        static Site of(SpoolLocation place) throws IOException {
            Matcher path = SPOOL.matcher(place.path());
            String name = SpoolLocation.fileName(place.tester());
            if (!path.matches() || !path.group(3).equals(name)) {
                throw new IOException(
                        "expected a path such as /home/me/.diperf/spool/RUN/" + name + ", got " + place.path());
            }
            return new Site(path.group(1), path.group(1) + "/runs/" + path.group(2), place.host());
        }

        /** Returns the name of the run. */
        String name() {
            return run.substring(run.lastIndexOf('/') + 1);
        }

        /** Returns the folder in which testers leave samples that no controller took. */
        String spools() {
            return base + "/spool/" + name();
        }

        /** Returns the file of one of them. */
        String spool(int tester) {
            return spools() + "/" + SpoolLocation.fileName(tester);
        }
    }

    private final String run;
    private final String folder;
    private final List<Content> contents = new ArrayList<>();
    private final List<String> plugins = new ArrayList<>();
    private final @Nullable Content runtime;
    /** Guarded by itself: a lock for every disk, held while something is sent to it. */
    private final Map<String, Object> disks = new HashMap<>();

    private final Set<String> ready = ConcurrentHashMap.newKeySet();

    /**
     * @param run name of the run, unique
     * @param folder for all runs on each node; empty: the default one
     */
    Deployment(
            String run,
            String folder,
            List<Path> tester,
            List<Path> pluginJars,
            Map<String, Path> files,
            @Nullable Path runtime)
            throws IOException {
        this.run = run;
        this.folder = folder;
        if (tester.size() != 1 || !Files.isRegularFile(tester.get(0))) {
            throw new IOException(
                    "expected the packaged diperf-controller.jar, which contains the tester for other machines, got "
                            + "a class path of "
                            + tester.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        }
        contents.add(new Content(tester.get(0), digest(tester.get(0)), false, TESTER));
        for (Path jar : pluginJars) {
            // Two folders may hold jars of one name.
            String path = "tools/plugin-" + plugins.size() + "/" + jar.getFileName();
            plugins.add(path);
            contents.add(new Content(jar, digest(jar), false, path));
        }
        for (Map.Entry<String, Path> file : files.entrySet()) {
            Path local = file.getValue();
            contents.add(new Content(local, digest(local), Files.isExecutable(local), "files/" + file.getKey()));
        }
        this.runtime = runtime == null ? null : new Content(runtime, digest(runtime), false, "");
    }

    /**
     * Removes the run's folder and, unless they are kept, the contents that no other run uses.
     *
     * @param run its name
     * @param cache {@code remove} or {@code keep}
     */
    static void remove(Connection node, Site site, String run, String cache) throws IOException {
        Script clean = new Script("", "clean\n")
                .using("clean.sh")
                .using("lock.sh")
                .with("base", site.base())
                .with("run", run)
                .with("cache", cache);
        node.run(clean, SHORT).orThrow("the run's folder " + site.run() + " on " + node.address() + " removed");
    }

    /** Lists the plugin jars as paths below the run's folder. */
    List<String> plugins() {
        return List.copyOf(plugins);
    }

    /** Makes the run's folder on a node; nothing is in it yet. */
    Site prepare(Connection node) throws IOException {
        String base = "";
        String disk = "";
        for (String line : expected(node, List.of()).split("\n")) {
            if (line.startsWith("base ")) {
                base = line.substring(5);
            } else if (line.startsWith("disk ")) {
                disk = line.substring(5);
            }
        }
        if (base.isEmpty() || disk.isEmpty()) {
            throw new IOException("expected a folder on " + node.address() + ", got no answer");
        }
        return new Site(base, base + "/runs/" + run, disk);
    }

    /**
     * Brings what testers need to a node.
     *
     * @throws IOException when that cannot be, with the reason
     */
    void fill(Connection node, Site site) throws IOException {
        synchronized (lock(site)) {
            if (ready.contains(site.disk())) {
                return;
            }
            for (String missing : missing(
                    expected(node, contents.stream().map(Content::digest).toList()))) {
                List<Content> same = contents.stream()
                        .filter(content -> content.digest().equals(missing))
                        .toList();
                boolean anyRuns = same.stream().anyMatch(Content::executable);
                send(node, site, same.get(0).local(), missing, anyRuns ? "700" : "600");
            }
            StringBuilder links = new StringBuilder();
            contents.forEach(content -> links.append(content.digest())
                    .append(' ')
                    .append(content.path())
                    .append('\n'));
            Script link = Script.named("link.sh")
                    .with("base", site.base())
                    .with("run", run)
                    .with("links", links.toString());
            node.run(link, SHORT).orThrow("links to the run's files on " + node.address());
            ready.add(site.disk());
        }
    }

    private Object lock(Site site) {
        synchronized (disks) {
            return disks.computeIfAbsent(site.disk(), disk -> new Object());
        }
    }

    /**
     * Brings the Java that is sent along to a node where testers are deployed.
     *
     * @return its command there
     */
    String java(Connection node, Site site) throws IOException {
        Content sent = runtime;
        if (sent == null) {
            throw new IOException(
                    "expected a Java runtime, got none; install one, or set testbed.runtime to a runtime to copy there");
        }
        synchronized (lock(site)) {
            for (String missing : missing(expected(node, List.of(sent.digest())))) {
                send(node, site, sent.local(), missing, "600");
            }
            Script unpack = Script.named("unpack.sh").with("base", site.base()).with("digest", sent.digest());
            return node.run(unpack, LONG)
                    .orThrow("Java from " + sent.local() + " on " + node.address())
                    .strip();
        }
    }

    private String expected(Connection node, List<String> digests) throws IOException {
        Script prepare = Script.named("prepare.sh")
                .using("lock.sh")
                .with("folder", folder)
                .with("run", run)
                .with("job", Script.resource("job.sh"))
                .with("expected", String.join("\n", new LinkedHashSet<>(digests)));
        return node.run(prepare, SHORT).orThrow("a folder for the run on " + node.address());
    }

    private static List<String> missing(String answer) {
        return answer.lines()
                .filter(line -> line.startsWith("missing "))
                .map(line -> line.substring(8))
                .toList();
    }

    private static void send(Connection node, Site site, Path local, String digest, String mode) throws IOException {
        Script receive = Script.named("receive.sh")
                .with("base", site.base())
                .with("digest", digest)
                .with("mode", mode);
        node.run(receive, local, LONG).orThrow(local.getFileName() + " on " + node.address());
    }

    private static String digest(Path file) throws IOException {
        try (InputStream content = Files.newInputStream(file)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            new DigestInputStream(content, digest).transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected SHA-256 in this Java, got none", e);
        }
    }
}
