package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.diperf.controller.quickstart.Quickstart;
import org.diperf.core.experiment.SecretMask;
import org.diperf.core.plugin.Plugins;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;

/** What the program says of itself: help, version and schema. */
@Timeout(60)
class HelpTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run",
                "check",
                "init",
                "report",
                "verify",
                "export",
                "plugins",
                "nodes",
                "probe",
                "capacity",
                "calibrate",
                "schema",
                "tester",
                "time-server",
                "server",
                "completion",
                "runs",
                "help",
                "version"
            })
    void everyCommandShowsExamplesAndExitCodes(String command) {
        Outcome help = Outcome.of(command, "--help");

        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("Usage:", "Examples:", "  diperf " + command, "Exit codes: 0 ");
        assertThat(help.err()).isEmpty();
    }

    @Test
    void theProgramListsItsCommandsAndNoOthers() {
        Outcome help = Outcome.of("--help");

        assertThat(help.code()).isZero();
        assertThat(help.out())
                .contains("Examples:", "Exit codes: 0 ", "testers (load generators)", "clients")
                .containsPattern("clients\\s+\\(virtual\\s+users\\)")
                .containsPattern("(?s)run.*check.*report.*verify.*export.*plugins.*nodes.*schema.*tester.*time-server");
        assertThat(Outcome.of().out()).isEqualTo(help.out());
    }

    /** A longer line would be broken in mid-sentence. */
    @Test
    void noExampleAndNoExitCodeIsWiderThanTheHelp() {
        for (Class<?> command : commands()) {
            for (String line : command.getAnnotation(Command.class).footer()) {
                assertThat(line.replace("%%", "%")).as("%s", command).hasSizeLessThanOrEqualTo(100);
            }
        }
    }

    private static List<Class<?>> commands() {
        List<Class<?>> commands = new ArrayList<>(List.of(Commands.class));
        // Those of plugins are held to it by their contract.
        Commands.program(new Commands(new SecretMask()), Plugins.none())
                .getSubcommands()
                .forEach((name, command) -> {
                    Class<?> own = command.getCommandSpec().userObject().getClass();
                    assertThat(own.getAnnotation(Command.class).name()).isEqualTo(name);
                    commands.add(own);
                    commands.addAll(List.of(own.getAnnotation(Command.class).subcommands()));
                });
        assertThat(commands).contains(RunCommand.class, RunsRemoveCommand.class);
        return commands;
    }

    @Test
    void runExplainsItsWords() {
        assertThat(Outcome.of("run", "--help").out().replaceAll("\\s+", " "))
                .contains("testers (load generators)", "clients (virtual users)");
        assertThat(Outcome.of("tester", "--help").out()).contains("tester (load generator)");
    }

    @Test
    void theVersionIsTwoLines() {
        Outcome version = Outcome.of("--version");

        assertThat(version.code()).isZero();
        assertThat(version.out().lines()).hasSize(2);
        assertThat(version.out()).startsWith("DiPerF ").contains("\nJava ");
    }

    private static Schema schema() {
        Outcome printed = Outcome.of("schema");
        assertThat(printed.code()).isZero();
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(printed.out(), InputFormat.JSON);
    }

    private static List<String> faults(Schema schema, String yaml) {
        return schema.validate(yaml, InputFormat.YAML).stream()
                .map(Object::toString)
                .toList();
    }

    @Test
    void theSchemaTakesTheQuickstart() throws IOException {
        Schema schema = schema();
        try (InputStream quickstart = Quickstart.class.getResourceAsStream("quickstart.yml")) {
            assertThat(faults(
                            schema,
                            new String(Objects.requireNonNull(quickstart).readAllBytes(), StandardCharsets.UTF_8)))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "target: http://a/",
                "target: http://a/\nload: { clients: 0, run-for: 1s }",
                "target: http://a/\nload: { clients: 1, run-for: 10 }",
                "target: http://a/\nload: { clients: 1, run-for: 1s }\nthresholdz: []",
                "target: http://a/\nload: { clients: 1, run-for: 1s, open: { rate: 1/s, for: 1s } }",
                "target: http://a/\nload: { clients: 1, run-for: 1s }\nclient: { plugin: http, with: { pth: /a } }"
            })
    void theSchemaRejectsWhatRunRejects(String yaml) {
        assertThat(faults(schema(), yaml)).isNotEmpty();
    }
}
