package org.diperf.plugins.slurm;

import static org.diperf.plugins.slurm.LoginNode.quoted;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.spi.SpoolLocation;
import org.diperf.core.spi.TestbedContext;
import org.diperf.plugins.lib.batch.Job;

/**
 * A folder of the run alone that all nodes see and only its user can read: the tester, tickets until they are taken, and
 * what the tasks leave. Confined to its testbed's lock.
 */
final class SharedFolder {

    private static final String TESTER = "diperf-tester.jar";
    private static final String SPOOLS = "/spool/";
    /** What {@link #make} makes. */
    private static final String MADE = "(/.*)?/diperf-[A-Za-z0-9]{8}";

    /** With several clusters the name of one follows the number of a job. */
    private static final Pattern NOTE = Pattern.compile("([0-9]{1,9})[.](id|testers):([0-9]{1,9})(?:;.*)?");

    private final LoginNode login;
    private final String path;

    private SharedFolder(LoginNode login, String path) {
        this.login = login;
        this.path = path;
    }

    /** @param parent an existing folder; empty: the home folder */
    static SharedFolder make(LoginNode login, String parent) throws IOException, InterruptedException {
        String in = parent.isEmpty()
                ? "\"$HOME\""
                : parent.startsWith("~/") ? "\"$HOME\"/" + quoted(parent.substring(2)) : quoted(parent);
        LoginNode.Answer made = login.run("umask 077; cd " + in
                + " && folder=$(mktemp -d \"$PWD/diperf-XXXXXXXX\") && cd \"$folder\""
                + " && mkdir spool " + Scripts.FOLDERS + " && pwd");
        String path = made.output().strip();
        if (!made.isGood() || !path.startsWith("/") || path.contains("\n")) {
            throw new IOException("Expected a new folder in " + (parent.isEmpty() ? "the home folder" : parent) + " on "
                    + login.name() + ", got: " + made.words()
                    + ". testbed.folder must be an existing folder shared by all nodes");
        }
        return new SharedFolder(login, path);
    }

    /** Takes up a folder that another process has made. */
    static SharedFolder at(LoginNode login, String path) {
        return new SharedFolder(login, path);
    }

    String path() {
        return path;
    }

    /** Says where a tester leaves samples that no controller took. */
    SpoolLocation spool(int tester) {
        String spool = path + SPOOLS + SpoolLocation.fileName(tester);
        return new SpoolLocation(tester, login.name(), spool, login.copying(spool));
    }

    /**
     * Returns the folder in which the spools of a run lie.
     *
     * @throws IOException when they do not lie in one that {@link #make} has made: it will be removed
     */
    static String ofSpools(List<SpoolLocation> places) throws IOException {
        String first = places.get(0).path();
        String folder = first.substring(0, Math.max(0, first.lastIndexOf(SPOOLS)));
        for (SpoolLocation place : places) {
            String name = SpoolLocation.fileName(place.tester());
            if (!folder.matches(MADE) || !place.path().equals(folder + SPOOLS + name)) {
                throw new IOException(
                        "expected a path such as /home/me/diperf-1a2b3c4d/spool/" + name + ", got " + place.path());
            }
        }
        return folder;
    }

    /**
     * Copies the spools that testers have left.
     *
     * @param into each comes as {@code tester-N.spool}, which only its owner can read
     */
    Map<Integer, String> bringSpools(List<SpoolLocation> places, Path into) throws InterruptedException {
        Map<Integer, String> unknown = new HashMap<>();
        try {
            String spools = quoted(path + SPOOLS);
            LoginNode.Answer there = login.run("[ ! -d " + spools + " ] || ls " + spools);
            if (!there.isGood()) {
                throw new IOException(there.words());
            }
            List<String> names = there.output().lines().toList();
            for (SpoolLocation place : places) {
                if (names.contains(SpoolLocation.fileName(place.tester()))) {
                    bring(place, into).ifPresent(reason -> unknown.put(place.tester(), reason));
                }
            }
        } catch (IOException e) {
            places.forEach(place -> unknown.put(place.tester(), login.name() + ": " + e.getMessage()));
        }
        return Map.copyOf(unknown);
    }

    private Optional<String> bring(SpoolLocation place, Path into) throws InterruptedException {
        try {
            place.<InterruptedException>bring(into, to -> {
                LoginNode.Answer copied = login.copy("exec cat " + quoted(place.path()), to, SpoolLocation.MAX_BYTES);
                if (!copied.isGood()) {
                    throw new IOException(login.name() + ": " + copied.words());
                }
                return true;
            });
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Removes spools that are safe here, and the folder where nothing else is in it. */
    void dropSpools(List<SpoolLocation> safe) throws IOException, InterruptedException {
        List<String> paths = safe.stream().map(SpoolLocation::path).toList();
        LoginNode.Answer dropped = login.run("rm -f -- " + quoted(paths) + " && { rmdir " + quoted(path + SPOOLS) + ' '
                + quoted(path) + " 2>/dev/null; true; }");
        if (!dropped.isGood()) {
            throw new IOException("files left by testers in " + path + " on " + login.name() + " could not be removed: "
                    + dropped.words());
        }
    }

    /**
     * Notes Slurm's number of a job, for whoever takes up a run whose controller was killed; one that cannot be noted is
     * cancelled. Of a job that does not come about the script goes, or the last job would wait for it before it cleans up.
     */
    String noting(int job, String submit) {
        String files = path + "/jobs/" + job;
        return "id=$(" + submit + ") && { echo \"$id\" >" + quoted(files + ".id")
                + " || { scancel --quiet \"${id%%;*}\"; false; }; } || { code=$?; rm -f -- " + quoted(files + ".sh")
                + "; exit $code; }; echo \"$id\"";
    }

    /** Lists the jobs that were noted, with their testers. */
    List<Job> notedJobs() throws IOException, InterruptedException {
        String jobs = quoted(path + "/jobs");
        LoginNode.Answer noted = login.run(
                "[ ! -d " + jobs + " ] || { cd " + jobs + " && grep '' *.id *.testers /dev/null 2>/dev/null; true; }");
        if (!noted.isGood()) {
            throw new IOException(login.name() + ": " + noted.words());
        }
        Map<Integer, String> ids = new TreeMap<>();
        Map<Integer, List<Integer>> testers = new HashMap<>();
        for (String line : noted.output().lines().toList()) {
            Matcher note = NOTE.matcher(line);
            if (note.matches() && note.group(2).equals("id")) {
                ids.put(Integer.valueOf(note.group(1)), note.group(3));
            } else if (note.matches()) {
                testers.computeIfAbsent(Integer.valueOf(note.group(1)), none -> new ArrayList<>())
                        .add(Integer.valueOf(note.group(3)));
            }
        }
        List<Job> found = new ArrayList<>();
        ids.forEach((number, id) -> found.add(SlurmSystem.job(number, id, testers.getOrDefault(number, List.of()))));
        return found;
    }

    /** Copies the tester, the plugins and the script that starts a tester. */
    void deploy(TestbedContext context) throws IOException, InterruptedException {
        List<Path> classPath = context.testerClassPath();
        if (classPath.size() != 1 || !Files.isRegularFile(classPath.get(0))) {
            throw new IOException(
                    "The slurm testbed needs the packaged tester to copy to the nodes, got a class path of "
                            + classPath.size() + " entries: run diperf-controller.jar (mvn package builds it)");
        }
        write(TESTER, out -> Files.copy(classPath.get(0), out));
        StringJoiner plugins = new StringJoiner(" ");
        int number = 0;
        for (Path jar : context.pluginJars()) {
            // Two folders may hold jars of one name.
            String name = "plugins/" + number++ + '-' + jar.getFileName();
            write(name, out -> Files.copy(jar, out));
            plugins.add("--plugin").add(quoted(path + '/' + name));
        }
        List<String> java = new ArrayList<>(List.of(context.java()));
        java.addAll(context.jvm());
        String command = quoted(java) + " -jar " + quoted(path + '/' + TESTER) + ' ' + plugins;
        write("tester.sh", out -> out.write(Scripts.tester(path, command).getBytes(StandardCharsets.UTF_8)));
    }

    /** Writes the job's script and the tickets of its testers, and says where the script is. */
    String prepare(int job, List<Integer> testers, TestbedContext context) throws IOException, InterruptedException {
        StringJoiner numbers = new StringJoiner("\n", "", "\n");
        testers.forEach(tester -> numbers.add(String.valueOf(tester)));
        write("jobs/" + job + ".testers", out -> out.write(numbers.toString().getBytes(StandardCharsets.UTF_8)));
        String script = "jobs/" + job + ".sh";
        write(script, out -> out.write(Scripts.job(path, job).getBytes(StandardCharsets.UTF_8)));
        run(
                "tickets",
                "umask 077; cd " + quoted(path + "/tickets") + " && awk '" + Scripts.SPLIT_TICKETS + "' && { "
                        + Scripts.NAME_TICKETS + "; }",
                out -> {
                    for (int tester : testers) {
                        out.write((Scripts.TICKET + tester + '\n' + context.ticket(tester) + '\n')
                                .getBytes(StandardCharsets.UTF_8));
                    }
                });
        return path + '/' + script;
    }

    private void write(String name, LoginNode.Input content) throws IOException, InterruptedException {
        run(name, "umask 077; cat > " + quoted(path + '/' + name), content);
    }

    private void run(String what, String script, LoginNode.Input input) throws IOException, InterruptedException {
        LoginNode.Answer answer = login.run(script, input);
        if (!answer.isGood()) {
            throw new IOException(
                    "Could not write " + what + " to " + path + " on " + login.name() + ": " + answer.words());
        }
    }

    /** Returns the last lines that a tester wrote, for people. */
    String lastWords(int tester) throws IOException, InterruptedException {
        return words(login.run("tail -n 4 " + quoted(path + "/logs/tester-" + tester + ".log")));
    }

    /** Returns the last lines that a job's script and Slurm's own programs wrote there, for people. */
    String lastWordsOfJob(int job) throws IOException, InterruptedException {
        return words(login.run("tail -n 4 " + quoted(path + "/logs/job-" + job + ".log")));
    }

    private static String words(LoginNode.Answer answer) {
        return answer.isGood() && !answer.output().isBlank() ? ": " + answer.words() : "";
    }

    /** Brings the logs into a folder here. */
    void fetchLogs(Path into) throws IOException, InterruptedException {
        LoginNode.Answer all = login.run("cd " + quoted(path + "/logs") + " && awk '" + Scripts.JOIN_LOGS + "' *.log");
        for (Map.Entry<String, String> log : split(all.output()).entrySet()) {
            Files.writeString(into.resolve(log.getKey()), log.getValue());
        }
    }

    static Map<String, String> split(String joined) {
        Map<String, String> logs = new LinkedHashMap<>();
        StringBuilder log = new StringBuilder();
        for (String line : joined.split("\n")) {
            if (line.startsWith(Scripts.LOG)) {
                log = new StringBuilder();
                logs.put(line.substring(Scripts.LOG.length()).replaceAll("[^A-Za-z0-9.-]", "-"), "");
            } else if (!logs.isEmpty()) {
                log.append(line.startsWith("|") ? line.substring(1) : line).append('\n');
            }
            String current = logs.keySet().stream().reduce("", (first, second) -> second);
            logs.replace(current, log.toString());
        }
        return logs;
    }

    /** Removes the folder with all in it but samples that testers have left and that are not safe here. */
    void remove() throws IOException, InterruptedException {
        // Twice, because a file that a node of a network file system still has open stays under another name for a
        // while.
        String once = Scripts.remove(path);
        LoginNode.Answer removed = login.run("remove() {\n" + once + "}\nremove 2>/dev/null || { sleep 1; remove; }");
        if (!removed.isGood()) {
            throw new IOException(
                    "The folder " + path + " on " + login.name() + " could not be removed: " + removed.words());
        }
    }
}
