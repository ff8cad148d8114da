package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.diperf.analyzer.export.RunCalls;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.run.SingleCall;
import org.diperf.core.experiment.Script;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.CommandContext;
import org.diperf.core.spi.CommandPlugin;
import org.diperf.core.spi.ExportedCall;
import org.diperf.core.spi.ImportedCalls;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A command of a plugin, or its part of another command: options, help and completion are made of its declarations. */
final class PackCommand implements Callable<Integer> {

    /** Units of parameters that are completed as paths. */
    private static final Set<String> PATHS = Set.of("FILE", "DIR");

    private final CommandPlugin plugin;
    private final Plugins plugins;
    private final CommandSpec spec;

    private PackCommand(CommandPlugin plugin, Plugins plugins, @Nullable CommandSpec of) {
        this.plugin = plugin;
        this.plugins = plugins;
        this.spec = of == null ? CommandSpec.wrapWithoutInspection(this).name(plugin.id()) : of;
    }

    /** Makes the command. */
    static CommandSpec of(CommandPlugin plugin, Plugins plugins) {
        PackCommand command = new PackCommand(plugin, plugins, null);
        command.declare(plugin.parameters());
        command.spec
                .usageMessage()
                .description(escaped(plugin.help()), "")
                .footerHeading("%nExamples:%n")
                .footer(Stream.concat(command.examples(), Stream.of("", escaped("Exit codes: " + plugin.exitCodes())))
                        .toArray(String[]::new));
        return command.spec;
    }

    /** Adds the plugin's part to the command that it is a part of. */
    static PackCommand part(CommandPlugin plugin, Plugins plugins, CommandSpec of) {
        PackCommand part = new PackCommand(plugin, plugins, of);
        part.declare(plugin.parameters().stream()
                .filter(parameter -> !plugin.arguments().contains(parameter.name()))
                .toList());
        UsageMessageSpec usage = of.usageMessage();
        List<String> description = new ArrayList<>(List.of(usage.description()));
        description.add(description.size() - 1, escaped(plugin.help()));
        usage.description(description.toArray(String[]::new));
        List<String> footer = new ArrayList<>(List.of(usage.footer()));
        footer.addAll(footer.indexOf(""), part.examples().toList());
        usage.footer(footer.toArray(String[]::new));
        return part;
    }

    private Stream<String> examples() {
        return plugin.examples().stream().map(example -> "  diperf " + escaped(example));
    }

    private void declare(List<Parameter> parameters) {
        for (Parameter parameter : parameters) {
            int position = plugin.arguments().indexOf(parameter.name());
            OptionSpec option = option(parameter, plugin.letters().get(parameter.name()), "");
            if (position < 0) {
                spec.addOption(option);
            } else {
                String more = option.isMultiValue() ? "..*" : "";
                spec.addPositional(PositionalParamSpec.builder()
                        .paramLabel(option.paramLabel())
                        .description(option.description())
                        .completionCandidates(option.completionCandidates())
                        .type(option.type())
                        .auxiliaryTypes(option.auxiliaryTypes())
                        .index(position + more)
                        .arity((parameter.required() ? "1" : "0") + (more.isEmpty() ? "..1" : more))
                        .required(parameter.required())
                        .build());
            }
        }
        if (!spec.optionsMap().containsKey("--plugins")) {
            spec.addMixin("plugins", CommandSpec.forAnnotatedObject(new PluginOptions()));
        }
    }

    /**
     * Makes the option of a parameter.
     *
     * @param letter its short name; {@code null}: it has none
     * @param with stands before the help
     */
    static OptionSpec option(Parameter parameter, @Nullable String letter, String with) {
        boolean list = parameter.type() == Parameter.Type.TEXTS;
        boolean flag = parameter.type() == Parameter.Type.BOOLEAN;
        Class<?> text = PATHS.contains(parameter.unit()) ? Path.class : String.class;
        Class<?> value = flag ? boolean.class : text;
        String fallback = flag || parameter.fallback() == null ? "" : " Default: " + parameter.fallback() + ".";
        String name = "--" + parameter.name();
        return OptionSpec.builder(letter == null ? new String[] {name} : new String[] {"-" + letter, name})
                .paramLabel(label(parameter))
                .description(escaped(with + parameter.help() + "." + fallback))
                .completionCandidates(parameter.allowed().isEmpty() ? null : parameter.allowed())
                .type(list ? List.class : value)
                .auxiliaryTypes(value)
                .splitRegex(list ? "," : "")
                .arity(flag ? "0" : "1")
                .required(parameter.required())
                .build();
    }

    private static String label(Parameter parameter) {
        if (!parameter.unit().isEmpty()) {
            return parameter.unit();
        }
        return switch (parameter.type()) {
            case INTEGER, NUMBER -> "N";
            case DURATION -> "TIME";
            case SIZE -> "SIZE";
            default -> "TEXT";
        };
    }

    static String escaped(String text) {
        return text.replace("%", "%%");
    }

    /** Returns whether one of the options of this part was given to the command that it is a part of. */
    boolean isGiven(ParseResult parsed) {
        if (parsed.commandSpec() != spec) {
            return false;
        }
        Optional<String> given = plugin.parameters().stream()
                .map(parameter -> "--" + parameter.name())
                .filter(parsed::hasMatchedOption)
                .findFirst();
        given.ifPresent(option -> parsed.matchedOptions().stream()
                .filter(other -> !other.inherited() && !other.longestName().equals("--plugins") && !isOwn(other))
                .findFirst()
                .ifPresent(other -> {
                    throw new CommandLine.ParameterException(
                            spec.commandLine(),
                            "expected either " + option + " or " + other.longestName() + ", got both");
                }));
        return given.isPresent();
    }

    private boolean isOwn(OptionSpec option) {
        return plugin.parameters().stream()
                .anyMatch(each -> option.longestName().equals("--" + each.name()));
    }

    @Override
    public Integer call() throws Exception {
        try {
            return plugin.run(new Context(Parameters.read(
                    plugin.parameters(),
                    given(
                            plugin.parameters(),
                            plugin.arguments(),
                            spec.commandLine().getParseResult()),
                    0)));
        } catch (Parameters.Unusable e) {
            boolean argument = plugin.arguments().contains(e.parameter());
            throw new UsageException((argument ? spec.name() : "--" + e.parameter()) + ": " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new UsageException(spec.name() + ": " + e.getMessage());
        }
    }

    /**
     * Returns the values of parameters that are given.
     *
     * @param arguments names of those that are given by their position
     */
    static Map<String, Object> given(List<Parameter> parameters, List<String> arguments, ParseResult parsed) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Parameter parameter : parameters) {
            int position = arguments.indexOf(parameter.name());
            Object given = position < 0
                    ? parsed.matchedOptionValue("--" + parameter.name(), null)
                    : parsed.matchedPositionalValue(position, null);
            String fallback = parameter.fallback();
            if (given != null) {
                values.put(parameter.name(), given instanceof Path ? given.toString() : given);
            } else if (fallback != null && parameter.type() == Parameter.Type.TEXTS) {
                values.put(parameter.name(), List.of(fallback.split(",")));
            }
        }
        return values;
    }

    private final class Context implements CommandContext {

        private final Parameters with;

        Context(Parameters with) {
            this.with = with;
        }

        @Override
        public Parameters with() {
            return with;
        }

        @Override
        public void print(String line) {
            spec.commandLine().getOut().println(line);
        }

        @Override
        public void print(Map<String, ?> tree) {
            print(JsonMapper.builder()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .build()
                    .writeValueAsString(tree));
        }

        @Override
        public void tell(String line) {
            spec.commandLine().getErr().println(line);
            spec.commandLine().getErr().flush();
        }

        @Override
        public String number(double value) {
            return Numbers.plain(value);
        }

        @Override
        public String time(double millis) {
            return Numbers.time(millis);
        }

        @Override
        public String size(double bytes) {
            return Numbers.bytes(bytes);
        }

        @Override
        public Called call(String client, Url target, Map<String, ?> parameters, Duration timeout)
                throws IOException, InterruptedException {
            ClientPlugin made = plugins.clients()
                    .plugin(client)
                    .orElseThrow(() -> new IllegalArgumentException("expected a client plugin, got '" + client + "'"
                            + Plugins.missing(client, plugins.clients().ids())));
            try {
                SingleCall call = SingleCall.make(
                        made, Map.of(), new LinkedHashMap<>(parameters), target, Script.NONE, timeout, 0);
                return new Called(call.outcome(), call.service(), call.bytes(), call.metrics());
            } catch (RunFailedException e) {
                throw new IOException(e.getMessage(), e);
            }
        }

        @Override
        public Path run(String named) throws IOException {
            try {
                return RunFolders.given(named.isEmpty() ? null : path(named), spec);
            } catch (UsageException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        }

        @Override
        public Path path(String named) {
            return Commands.path(named, spec);
        }

        @Override
        public int importRun(Imported imported, ImportedCalls calls) throws Exception {
            CommandLine command = spec.commandLine();
            return new RunImporter(imported, command.getOut(), command.getErr()).run(calls);
        }

        @Override
        public int carryOut(List<String> arguments, Watcher watcher) {
            return Commands.run(arguments, watcher, Commands.mask(spec));
        }

        @Override
        public void calls(Path run, Consumer<ExportedCall> to) throws IOException {
            RunCalls.of(run).read(Long.MIN_VALUE, Long.MAX_VALUE, new CallExport() {
                @Override
                public void add(ExportedCall call) {
                    to.accept(call);
                }

                @Override
                public void close() {
                    // nothing is held
                }
            });
        }
    }
}
