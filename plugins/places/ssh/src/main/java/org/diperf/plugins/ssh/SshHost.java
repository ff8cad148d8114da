package org.diperf.plugins.ssh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.diperf.core.spi.Host;

/** A machine on which programs run that are no testers. */
final class SshHost implements Host {

    private static final Duration SHORT = Duration.ofSeconds(60);
    private static final Duration LONG = Duration.ofMinutes(15);

    private final String name;
    private final Machine machine;
    private final Deployment.Site site;
    private final Supervisor supervisor;
    private final String run;
    private final AtomicInteger programs;
    private final String folder;
    private boolean made;

    /** @param programs counts them, for names that are unique also where machines share a disk */
    SshHost(
            String name,
            Machine machine,
            Deployment.Site site,
            Supervisor supervisor,
            String run,
            AtomicInteger programs) {
        this.name = name;
        this.machine = machine;
        this.site = site;
        this.supervisor = supervisor;
        this.run = run;
        this.programs = programs;
        this.folder = site.run() + "/host-" + programs.incrementAndGet();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String folder() throws IOException {
        if (!made) {
            run("mkdir -m 700 -p \"$folder\"\n", "the folder " + folder);
            made = true;
        }
        return folder;
    }

    private void run(String body, String wanted) throws IOException {
        machine.connection()
                .run(new Script("", body).with("folder", folder), SHORT)
                .orThrow(wanted + " on " + machine.name());
    }

    @Override
    public void put(Path local, String path) throws IOException {
        Path inside = Path.of(path).normalize();
        if (inside.isAbsolute() || inside.startsWith("..") || inside.toString().isEmpty()) {
            throw new IOException("expected a path below the folder of " + name + ", got '" + path + "'");
        }
        folder();
        List<Path> files;
        try (Stream<Path> walk = Files.walk(local)) {
            files = walk.sorted().toList();
        }
        for (Path each : files) {
            String to = folder + "/" + inside + (each.equals(local) ? "" : "/" + local.relativize(each));
            boolean isFolder = Files.isDirectory(each);
            Script script = new Script(
                            "",
                            isFolder
                                    ? "mkdir -p \"$to\" && chmod \"$mode\" \"$to\"\n"
                                    : "mkdir -p \"${to%/*}\" && cat >\"$to\" && chmod \"$mode\" \"$to\"\n")
                    .with("to", to)
                    .with("mode", isFolder || Files.isExecutable(each) ? "700" : "600");
            machine.connection().run(script, isFolder ? null : each, LONG).orThrow(each + " on " + machine.name());
        }
    }

    @Override
    public Execution start(String command, Map<String, String> environment) throws IOException {
        StringBuilder script = new StringBuilder("cd " + Script.quote(folder()) + " || exit 1\n");
        environment.forEach((variable, value) -> {
            if (!variable.matches("[A-Za-z_][A-Za-z0-9_]*")) {
                throw new IllegalArgumentException("expected a variable name, got '" + variable + "'");
            }
            script.append("export ")
                    .append(variable)
                    .append('=')
                    .append(Script.quote(value))
                    .append('\n');
        });
        script.append("exec sh -c ").append(Script.quote(command)).append('\n');
        String program = "program-" + programs.incrementAndGet();
        supervisor.launch(program, script.toString(), "");
        return new Program(machine, supervisor, site, run, program);
    }
}
