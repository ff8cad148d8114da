package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.ToolProvider;
import org.diperf.core.experiment.SecretMask;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.CommandPlugin;
import org.diperf.core.spi.StarterPlugin;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A command from a jar that is no part of DiPerF. */
@Timeout(120)
class PackCommandTests {

    private static final String SOURCE = """
            import java.io.IOException;
            import java.util.*;
            import org.diperf.core.spi.*;

            public final class Greet implements CommandPlugin {
                public String id() { return "greet"; }
                public String summary() { return "greets 100% of those that are named"; }
                public List<String> examples() { return List.of("greet Ada --times 2"); }
                public List<Parameter> parameters() {
                    return List.of(
                            Parameter.required("names", Parameter.Type.TEXTS, "Whom to greet").in("NAME"),
                            Parameter.withDefault("times", Parameter.Type.INTEGER, "1", "How often"),
                            Parameter.withDefault("loud", Parameter.Type.BOOLEAN, "false", "Shout"),
                            Parameter.optional("tone", Parameter.Type.STRING, "How").oneOf("warm", "cool"));
                }
                public List<String> arguments() { return List.of("names"); }
                public Map<String, String> letters() { return Map.of("times", "t"); }
                public int run(CommandContext context) throws IOException {
                    Parameters with = context.with();
                    if (with.integer("times") == 0) {
                        throw new IOException("nobody to greet");
                    }
                    for (Text name : with.texts("names")) {
                        String line = ("hello " + name + "; ").repeat((int) with.integer("times"));
                        context.print(with.bool("loud") ? line.toUpperCase(Locale.ROOT) : line);
                    }
                    context.tell("greeted");
                    return DONE;
                }
            }
            """;

    @TempDir
    static Path folder;

    @BeforeAll
    static void makeJar() throws IOException {
        makeJar(folder, "Greet", SOURCE, CommandPlugin.class);
    }

    private static void makeJar(Path folder, String type, String code, Class<?> service) throws IOException {
        Path source = Files.writeString(folder.resolve(type + ".java"), code);
        String classPath = System.getProperty("java.class.path");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-proc:none", "-cp", classPath, source.toString()))
                .isZero();
        try (OutputStream file = Files.newOutputStream(folder.resolve(type + ".jar"));
                ZipOutputStream jar = new ZipOutputStream(file)) {
            jar.putNextEntry(new ZipEntry(type + ".class"));
            jar.write(Files.readAllBytes(folder.resolve(type + ".class")));
            jar.putNextEntry(new ZipEntry("META-INF/services/" + service.getName()));
            jar.write(type.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static Outcome greet(String... arguments) {
        return Outcome.of(Stream.concat(Stream.of("greet", "--plugins", folder.toString()), Stream.of(arguments))
                .toList());
    }

    @Test
    void itRunsWithWhatItDeclares() {
        assertThat(greet("Ada", "Bo", "-t", "2", "--loud"))
                .isEqualTo(new Outcome(
                        ExitCode.DONE,
                        "HELLO ADA; HELLO ADA; %nHELLO BO; HELLO BO; %n".formatted(),
                        "greeted%n".formatted()));
        assertThat(greet("Ada", "--times=0").code()).isEqualTo(ExitCode.NOT_CARRIED_OUT);
        assertThat(greet("Ada", "--times=0").err()).contains("nobody to greet");
    }

    @Test
    void wrongValuesAndNamesAreTold() {
        Outcome many = greet("Ada", "--times", "many");
        assertThat(many.code()).isEqualTo(ExitCode.USAGE);
        assertThat(many.err()).contains("--times: expected").contains("got 'many'");
        assertThat(greet("Ada", "--tone", "hot").err()).contains("--tone: ", "'hot'", "warm");
        assertThat(greet().err()).contains("NAME");
        assertThat(greet("Ada", "--tims", "2").err()).contains("--tims", "--times");
    }

    @Test
    void aPartOfACommandLeavesOptionsOfTheSameNameToOthers() {
        Outcome probe = Outcome.of("probe", "127.0.0.1:9", "--bytes", "1MB", "--rounds", "many");
        assertThat(probe.code()).isEqualTo(ExitCode.USAGE);
        assertThat(probe.err()).startsWith("--rounds: expected");
        assertThat(Outcome.of("predict", "--bytes", "1MB", "--clients", "2").err())
                .startsWith("predict: expected either --bytes or --clients, got both");
    }

    @Test
    void theOptionsOfInitAreTakenAndNoOthers() {
        CommandLine init = Commands.program(new Commands(new SecretMask()), Plugins.none(), "init")
                .getSubcommands()
                .get("init");
        assertThat(init.getCommandSpec().optionsMap().keySet().stream().filter(option -> option.startsWith("--")))
                .containsExactlyInAnyOrderElementsOf(
                        StarterPlugin.TAKEN.stream().map(name -> "--" + name).toList());
    }

    @Test
    void aStarterWhoseOptionIsInUseIsToldAndInitWorks(@TempDir Path other) throws IOException {
        makeJar(other, "Har", """
                import org.diperf.core.spi.*;

                public final class Har implements StarterPlugin {
                    public String id() { return "log"; }
                    public String summary() { return "Create a journey from a log"; }
                    public java.util.List<Parameter> parameters() {
                        return java.util.List.of(Parameter.optional("har", Parameter.Type.STRING, "Recording"));
                    }
                    public String client() { return "http"; }
                    public String example() { return "init --log x.log"; }
                    public Draft draft(String source, Given given) { throw new IllegalStateException(); }
                }
                """, StarterPlugin.class);
        String told =
                "warning: plugin " + other.resolve("Har.jar") + " is broken: plugin 'log': expected options of 'init'"
                        + " that are not in use, got --har, which belongs to the starter 'har'; rename its parameter\n";
        Outcome made = Outcome.of("init", other.resolve("a").toString(), "--plugins", other.toString());
        assertThat(made.code()).as(made.err()).isZero();
        assertThat(made.err()).isEqualTo(told);
        Outcome asked = Outcome.of("init", "--log", "x.log", "--plugins", other.toString());
        assertThat(asked.code()).isEqualTo(ExitCode.USAGE);
        assertThat(asked.err()).startsWith(told).contains("--log").doesNotContain("picocli", "\tat ");
    }

    @Test
    void helpAndCompletionKnowItWhereItsJarIsNamed() {
        assertThat(greet("--help").out())
                .contains("greets 100% of those that are named", "-t, --times=N", "How often. Default: 1.")
                .contains("  diperf greet Ada --times 2", "--plugins=DIR");
        assertThat(Outcome.of("help", "greet", "--plugins", folder.toString()).out())
                .isEqualTo(greet("--help").out());
        assertThat(Outcome.of("help", "--plugins", folder.toString()).out()).contains("greet  ", "probe  ", "run  ");
        assertThat(Outcome.of("plugins", "--plugins", folder.toString()).out()).contains("greet", "Commands:");

        Outcome unknown = Outcome.of("greet", "Ada");
        assertThat(unknown.code()).isEqualTo(ExitCode.USAGE);
        assertThat(unknown.err()).contains("greet");
    }
}
