package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.controller.experiment.ExperimentException;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.experiment.StarterFile;
import org.diperf.controller.experiment.YamlDocument;
import org.diperf.controller.starter.PluginProject;
import org.diperf.core.folder.AtomicFile;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.StarterPlugin;
import org.diperf.core.spi.Utf8InputStream;
import org.diperf.core.spi.Utf8InputStream.NotUtf8;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Writes what users begin with: an experiment file, or the project of a client plugin. */
@Command(
        name = "init",
        description = {
            "Writes a starter experiment file with a comment for every key, ready for 'check' and 'run'. With --for "
                    + "plugin, creates a Maven project instead: a client in one Java class, with a test.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf init                                          experiment.yml, for a web service",
            "  diperf init orders --target localhost:8080/orders    orders.yml",
            "  diperf init script --for exec                        any program, run once per call",
            "  diperf init quote --for plugin                       a project in the folder quote/",
            "  diperf init plugin quote                             the same",
            "",
            "Exit codes: 0 done; 2 bad usage, or the file or folder exists; 3 it cannot be written.",
        })
final class InitCommand implements Callable<Integer> {

    private static final String PLUGIN = "plugin";
    private static final String HTTP = "http";
    private static final String SCHEMA = "diperf.schema.json";
    /** So many examples stand before those of starters. */
    private static final int EXAMPLES = 4;

    @CommandLine.Parameters(
            arity = "0..2",
            paramLabel = "NAME",
            description = "The file to write, or its name without .yml. Default: experiment. With --for plugin, the "
                    + "folder to create, which also names the plugin.")
    List<String> names = new ArrayList<>();

    @Option(
            names = "--for",
            paramLabel = "CLIENT",
            description =
                    "Client that makes the calls: http, exec, stream or another (see 'diperf plugins'), or plugin to write"
                            + " your own. Default: the client for the target's scheme, otherwise http.")
    @Nullable
    String client;

    @Option(
            names = "--target",
            paramLabel = "URL",
            description = "The service under test. Default: an example address.")
    @Nullable
    String target;

    @Option(names = "--force", description = "Overwrite existing files.")
    boolean force;

    @Mixin
    PluginOptions pluginOptions;

    @Spec
    CommandSpec spec;

    private List<StarterPlugin> starters = List.of();
    /** Files and folders that were not there before, the newest first. */
    private final Deque<Path> made = new ArrayDeque<>();

    /** Adds the options of starters to the command, or what its description says of them to an outline of it. */
    static void add(List<StarterPlugin> starters, CommandSpec spec) {
        if (starters.isEmpty()) {
            return;
        }
        UsageMessageSpec usage = spec.usageMessage();
        List<String> description = new ArrayList<>(List.of(usage.description()));
        description.set(
                0,
                description.get(0) + " With " + options(starters, "or")
                        + ", writes a journey from the recording or description.");
        usage.description(description.toArray(String[]::new));
        if (!(spec.userObject() instanceof InitCommand command)) {
            return;
        }
        command.starters = starters;
        List<String> footer = new ArrayList<>(List.of(usage.footer()));
        footer.addAll(
                EXAMPLES,
                starters.stream()
                        .map(starter -> "  diperf " + PackCommand.escaped(starter.example()))
                        .toList());
        usage.footer(footer.toArray(String[]::new));
        for (StarterPlugin starter : starters) {
            spec.addOption(PackCommand.option(source(starter), null, ""));
            for (Parameter parameter : starter.parameters()) {
                spec.addOption(PackCommand.option(parameter, null, "With --" + starter.id() + ": "));
            }
        }
    }

    /** Returns what a starter makes an experiment of. */
    private static Parameter source(StarterPlugin starter) {
        return Parameter.optional(starter.id(), Parameter.Type.STRING, starter.summary())
                .in(starter.label());
    }

    private static String options(List<StarterPlugin> starters, String beforeLast) {
        return starters.stream()
                .map(starter -> "--" + starter.id())
                .collect(Collectors.joining(", "))
                .replaceFirst(",(?=[^,]*$)", " " + beforeLast);
    }

    @Override
    public Integer call() throws Exception {
        boolean plugin = PLUGIN.equals(client);
        if (names.size() == 2 && names.get(0).equals(PLUGIN) && (plugin || client == null)) {
            return project(names.get(1));
        }
        if (names.size() > 1) {
            throw new UsageException(
                    "init: expected one name, got '" + names.get(0) + "' and '" + names.get(1) + "'; drop one");
        }
        String name = names.isEmpty() ? null : names.get(0);
        boolean justPlugin = PLUGIN.equals(name);
        if (plugin ? name == null || justPlugin : justPlugin && client == null) {
            throw new UsageException(
                    "init: expected the name of the new plugin, got none; use 'diperf init plugin quote' for the "
                            + "client 'quote', or 'diperf init plugin.yml' for an experiment of that name");
        }
        ParseResult parsed = spec.commandLine().getParseResult();
        List<StarterPlugin> given = starters.stream()
                .filter(starter -> parsed.hasMatchedOption("--" + starter.id()))
                .toList();
        if (!given.isEmpty()) {
            return started(name, given);
        }
        for (StarterPlugin starter : starters) {
            for (Parameter parameter : starter.parameters()) {
                if (parsed.hasMatchedOption("--" + parameter.name())) {
                    throw new UsageException("init: --" + parameter.name() + " requires --" + starter.id() + " "
                            + starter.label() + "; add it, or drop --" + parameter.name());
                }
            }
        }
        return plugin && name != null ? project(name) : experiment(name);
    }

    private int started(@Nullable String name, List<StarterPlugin> given) throws UsageException, IOException {
        StarterPlugin starter = given.get(0);
        if (given.size() > 1 || client != null && !client.equals(starter.client())) {
            throw new UsageException("init: expected one of " + options(starters, "and")
                    + ", which create experiments for the client " + starter.client()
                    + ", got several or a different client; drop one");
        }
        if (target != null && !starter.takesTarget()) {
            List<StarterPlugin> takers =
                    starters.stream().filter(StarterPlugin::takesTarget).toList();
            throw new UsageException("init: --target works with " + options(takers, "or")
                    + " only, got a recording, which has its own target; drop --target");
        }
        try (PluginOptions.Loaded loaded = pluginOptions.load()) {
            Path file = file(name, loaded.plugins());
            StarterPlugin.Draft draft = draft(starter);
            String text = YamlDocument.write(draft.comments(), draft.tree());
            String fault = fault(text, file, loaded.plugins());
            write(file, text, loaded.plugins());
            PrintWriter out = spec.commandLine().getOut();
            String shown = Commands.quoted(file.toString());
            out.println("wrote " + shown + ", " + draft.about());
            out.println("next  " + Invocation.command("try", file) + "        every step and its answer");
            out.println("      " + Invocation.command("run", file));
            if (fault != null) {
                spec.commandLine().getErr().println("warning: fix this first: " + fault);
            }
            return ExitCode.DONE;
        }
    }

    private StarterPlugin.Draft draft(StarterPlugin starter) throws UsageException, IOException {
        ParseResult parsed = spec.commandLine().getParseResult();
        String source = String.valueOf(parsed.matchedOptionValue("--" + starter.id(), (Object) ""));
        Optional<String> url = target == null ? Optional.empty() : Optional.of(url(target));
        try {
            Parameters with = Parameters.read(
                    starter.parameters(), PackCommand.given(starter.parameters(), List.of(), parsed), 0);
            return starter.draft(source, new Given(with, url));
        } catch (IllegalArgumentException e) {
            boolean file = parsed.matchedOption("--" + starter.id()).type() == Path.class;
            throw new UsageException("--" + starter.id() + (file ? " " + source : "") + ": " + e.getMessage());
        } catch (NoSuchFileException e) {
            throw new UsageException("init: expected a file to read, got none at " + e.getFile());
        }
    }

    private record Given(Parameters with, Optional<String> target) implements StarterPlugin.Given {

        @Override
        public Map<String, Object> read(Path file) throws IOException {
            try {
                return YamlDocument.read(Utf8InputStream.decode(Files.readAllBytes(file)), file.toString());
            } catch (ExperimentException | NotUtf8 e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        }
    }

    private int experiment(@Nullable String name) throws UsageException, IOException {
        try (PluginOptions.Loaded loaded = pluginOptions.load()) {
            Plugins plugins = loaded.plugins();
            Path file = file(name, plugins);
            String url = target == null ? null : url(target);
            ClientPlugin chosen = client(url, plugins);
            String shown = Commands.quoted(file.toString());
            String text = StarterFile.text(chosen, url == null ? chosen.exampleTarget() : url, shown);
            String fault = fault(text, file, plugins);
            if (fault != null && url != null) {
                throw new UsageException(fault);
            }
            write(file, text, plugins);
            PrintWriter out = spec.commandLine().getOut();
            String with = pluginOptions.words();
            out.println("wrote " + shown + ", an experiment for the client " + chosen.id());
            if (url == null) {
                out.println("first set target: to the address of your service");
            }
            out.println(
                    "next  " + Invocation.command("check", file) + with + "      what a run would do, without load");
            out.println("      " + Invocation.command("run", file) + with);
            if (fault != null) {
                spec.commandLine()
                        .getErr()
                        .println("warning: fix this first, as the plugin provides no valid example: " + fault);
            }
            return ExitCode.DONE;
        }
    }

    /** Says why the file would be refused; {@code null}: it would not. */
    private static @Nullable String fault(String text, Path file, Plugins plugins) {
        try {
            ExperimentFile.open(text, file.toString(), List.of(), plugins);
            return null;
        } catch (ExperimentException e) {
            return e.getMessage();
        }
    }

    private Path file(@Nullable String name, Plugins plugins) throws UsageException {
        if (name == null) {
            return Commands.path("experiment.yml", spec);
        }
        if (name.contains("://") || name.matches("[^/]+:[0-9]{1,5}(/.*)?")) {
            throw new UsageException("init: expected the name of a file, got the address '" + name
                    + "'; use: diperf init --target " + Commands.quoted(name));
        }
        if (client == null && target == null && plugins.clients().find(name).isPresent()) {
            throw new UsageException(
                    "init: '" + name + "' is a client but could also be a file; use 'diperf init --for " + name
                            + "', or 'diperf init " + name + ".yml'");
        }
        if (name.toLowerCase(Locale.ROOT).endsWith(".json")) {
            throw new UsageException("init: expected a name that ends with .yml, got '" + name
                    + "'; the keys are explained in comments, which JSON does not allow");
        }
        return Commands.path(name.toLowerCase(Locale.ROOT).matches(".*\\.ya?ml") ? name : name + ".yml", spec);
    }

    private static String url(String given) throws UsageException {
        String url = Address.url(given, name -> false, name -> true);
        if (url == null) {
            throw new UsageException(
                    "--target: expected the URL of a service such as http://localhost:8080/, got '" + given + "'");
        }
        return url;
    }

    private ClientPlugin client(@Nullable String url, Plugins plugins) throws UsageException {
        List<String> known = plugins.clients().ids();
        String asked = client;
        if (asked != null) {
            List<String> all = new ArrayList<>(known);
            all.add(PLUGIN);
            return plugins.clients()
                    .plugin(asked)
                    .orElseThrow(() -> new UsageException(
                            "--for: expected one of " + all + ", got '" + asked + "'" + Plugins.missing(asked, all)));
        }
        if (url == null) {
            return plugins.clients()
                    .plugin(HTTP)
                    .orElseThrow(
                            () -> new UsageException("init: no client 'http' in this build; choose one with --for"));
        }
        String scheme = url.substring(0, url.indexOf(':')).toLowerCase(Locale.ROOT);
        return plugins.clients().plugins().stream()
                .filter(plugin -> plugin.schemes().contains(scheme))
                .findFirst()
                .orElseThrow(() -> new UsageException("--target: no default client for " + scheme
                        + "://; choose one with --for, e.g. --for exec; known: " + String.join(", ", known)));
    }

    private int project(String name) throws UsageException, IOException {
        if (target != null) {
            throw new UsageException("--target works with an experiment only, got a plugin project; drop it");
        }
        Path folder = Commands.path(name, spec);
        Path last = folder.toAbsolutePath().normalize().getFileName();
        PluginProject project = project(last == null ? "" : last.toString(), folder);
        for (Map.Entry<String, String> file : project.files().entrySet()) {
            write(folder.resolve(file.getKey()), file.getValue());
        }
        for (Map.Entry<String, byte[]> artifact : project.artifacts().entrySet()) {
            write(folder.resolve(artifact.getKey()), artifact.getValue());
        }
        PrintWriter out = spec.commandLine().getOut();
        String id = project.name();
        out.println("wrote " + Commands.quoted(folder.toString()) + ", a Maven project for the client " + id + ": "
                + project.className());
        out.println("next  cd " + Commands.quoted(folder.toString()) + " && mvn package");
        out.println("      " + Invocation.command("run", id + "://127.0.0.1:7777")
                + " --plugins target --clients 4 --for 5s");
        out.println("then  make it speak your protocol, and adapt the service in its test:");
        out.println("      goodTarget() returns a correct answer, answer() returns it line by line");
        return ExitCode.DONE;
    }

    private PluginProject project(String id, Path folder) throws UsageException, IOException {
        PluginProject project;
        try {
            project = new PluginProject(id, Version.diperf());
        } catch (IllegalArgumentException e) {
            throw new UsageException("init: " + e.getMessage());
        }
        try (PluginOptions.Loaded loaded = pluginOptions.load()) {
            boolean taken = loaded.plugins().clients().plugins().stream()
                    .anyMatch(
                            plugin -> plugin.id().equals(id) || plugin.schemes().contains(id));
            if (taken) {
                throw new UsageException("init: expected a new name, got '" + id
                        + "', which another client already uses: diperf plugins " + id);
            }
        }
        if (Files.isDirectory(folder) && !force) {
            try (Stream<Path> files = Files.list(folder)) {
                if (files.findAny().isPresent()) {
                    throw new UsageException("init: expected a new or empty folder, got files in " + folder
                            + "; choose another name, or overwrite with --force");
                }
            }
        }
        return project;
    }

    /** Writes an experiment, and next to it what its first line tells editors to complete and check it by. */
    private void write(Path file, String text, Plugins plugins) throws UsageException, IOException {
        write(file, "# yaml-language-server: $schema=" + SCHEMA + "\n" + text);
        Path schema = file.resolveSibling(SCHEMA);
        if (force || !Files.exists(schema)) {
            write(schema, ExperimentFile.schema(plugins));
        }
    }

    private void write(Path file, String text) throws UsageException, IOException {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    private void write(Path file, byte[] content) throws UsageException, IOException {
        if (Files.isDirectory(file)) {
            throw new UsageException("init: expected to write the file " + file + ", got a folder with that name");
        }
        boolean isNew = !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        if (!isNew && !force) {
            throw new UsageException("init: " + file + " exists; choose another name, or overwrite it with --force");
        }
        try {
            makeFolder(file.getParent());
            AtomicFile.writeThrough(file, out -> out.write(content));
        } catch (FileAlreadyExistsException e) {
            throw new UsageException("init: expected to write " + file + ", got: " + e.getFile() + " is not a folder");
        } catch (IOException e) {
            removeMade();
            if (e instanceof AccessDeniedException || e.getCause() instanceof AccessDeniedException) {
                throw new IOException("expected to write " + file + ", got no permission; choose another location", e);
            }
            throw e;
        }
        if (isNew) {
            made.push(file);
        }
    }

    private void makeFolder(@Nullable Path folder) throws IOException {
        if (folder != null && !Files.isDirectory(folder)) {
            makeFolder(folder.getParent());
            Files.createDirectory(folder);
            made.push(folder);
        }
    }

    /** What was made before something did not fit would have the same command refused. */
    private void removeMade() {
        for (Path each : made) {
            try {
                Files.delete(each);
            } catch (IOException e) {
                // The reason of the first failure is what helps.
            }
        }
    }
}
