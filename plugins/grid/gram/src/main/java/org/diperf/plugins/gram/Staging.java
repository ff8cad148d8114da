package org.diperf.plugins.gram;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.diperf.core.spi.TestbedContext;
import org.jspecify.annotations.Nullable;

/**
 * What job managers fetch for all testers, and the jobs that start testers with it. Each has a folder of its own, which its job
 * manager makes and removes; what all need comes into the job manager's cache once and is linked. Immutable.
 */
final class Staging implements Listener.Subscriber {

    /** In place of a job's number, in the URLs of what all jobs need. */
    static final long NUMBER = 0;

    private static final String TESTER = "diperf-tester.jar";

    private final Map<String, Path> files;
    private final String script;

    private Staging(Map<String, Path> files, String script) {
        this.files = Map.copyOf(files);
        this.script = script;
    }

    static Staging of(TestbedContext context) throws IOException {
        List<Path> classPath = context.testerClassPath();
        if (classPath.size() != 1 || !Files.isRegularFile(classPath.get(0))) {
            throw new IOException("The gram testbed needs the packaged tester for job managers to fetch, got a class"
                    + " path of " + classPath.size()
                    + " entries: run diperf-controller.jar (mvn package builds it)");
        }
        Map<String, Path> files = new LinkedHashMap<>();
        files.put(TESTER, classPath.get(0));
        List<String> words = new ArrayList<>(List.of(context.java()));
        words.addAll(context.jvm());
        words.addAll(List.of("-jar", TESTER));
        for (Path jar : context.pluginJars()) {
            // Two folders may hold jars of one name.
            String name = files.size() + "-" + jar.getFileName().toString().replaceAll("[^A-Za-z0-9._-]", "_");
            files.put(name, jar);
            words.addAll(List.of("--plugin", name));
        }
        return new Staging(files, script(words));
    }

    /**
     * Starts a tester in the folder that the job has, where its libraries keep their files too, so that all is removed with it. Its
     * shell stays to tell how it ended: the tester hears signals too.
     */
    private static String script(List<String> words) {
        String command = words.stream().map(Staging::quoted).collect(Collectors.joining(" "));
        return "exec 2>&1; umask 077; XDG_CACHE_HOME=$PWD; export XDG_CACHE_HOME; trap : TERM INT HUP; " + command
                + " --folder .; echo " + quoted(TesterJob.EXIT) + "$?";
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9@%+=:,./_-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /**
     * Describes a tester's job.
     *
     * @param job URL of what is the job's own
     * @param all URL of what all jobs need
     * @param relations of RSL to be added
     */
    String rsl(String job, String all, String relations) {
        String staged = files.keySet().stream()
                .sorted()
                .map(name -> "(" + literal(all + '/' + name) + ' ' + literal(name) + ')')
                .collect(Collectors.joining());
        return "&(executable=/bin/sh)(arguments=-c " + literal(script) + ")(scratch_dir=$(HOME))"
                + "(directory=$(SCRATCH_DIRECTORY))(file_stage_in_shared=" + staged + ")(stdin="
                + literal(job + '/' + TesterJob.TICKET) + ")(stdout=" + literal(job + '/' + TesterJob.LOG) + ")"
                + relations;
    }

    private static String literal(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    @Override
    public void told(String message) {
        // Nobody tells anything of all jobs.
    }

    @Override
    public void output(String name, ByteBuf bytes) {
        // Nor is there output of all of them.
    }

    @Override
    public @Nullable Path file(String name) {
        return files.get(name);
    }
}
