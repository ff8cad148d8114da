package org.diperf.plugins.exec;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.ClientTrait;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Text;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.process.Launcher;
import org.diperf.plugins.lib.process.ProgramStartException;

/** Runs an executable once per call, in a session and process group of its own. */
public final class ExecPlugin implements ClientPlugin {

    static final Metric STARTUP = new Metric("client.startup", "ms", "median run time of a command that does nothing");

    @Override
    public String id() {
        return "exec";
    }

    @Override
    public String summary() {
        return "runs any executable once per call";
    }

    @Override
    public Set<ClientTrait> traits() {
        return Set.of(ClientTrait.STARTS_PROGRAMS);
    }

    @Override
    public String exampleTarget() {
        return "http://127.0.0.1:8080/";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.required("command", Type.TEXTS, "the program and its arguments")
                        .suchAs("[curl, --silent, --fail, --output, /dev/null, \"${target}\"]")
                        .asArguments(),
                Parameter.optional(
                                "env",
                                Type.TEXT_MAP,
                                "environment variables to add; a variable that uses a captured value is unset "
                                        + "until that value is captured")
                        .suchAs("{ CALL: \"${call}\" }"),
                Parameter.optional("stdin", Type.TEXT, "standard input for the command, in UTF-8")
                        .suchAs("\"call ${call}\""),
                SuccessCriteria.KEY,
                Parameter.withDefault(
                                "startup-command",
                                Type.TEXTS,
                                "true",
                                "command to run 20 times before the run, to measure the start-up time")
                        .asArguments(),
                Parameter.withDefault(
                        "shell",
                        Type.BOOLEAN,
                        "false",
                        "run the command with sh -c, which does not interpret inserted values as code"));
    }

    @Override
    public void check(Url target, Parameters with) {
        for (String name : List.of("command", "startup-command")) {
            List<Text> command = with.texts(name);
            if (command.isEmpty() || command.get(0).toString().isBlank()) {
                throw new IllegalArgumentException(
                        name + ": expected a program and its arguments, got none; for example [curl, -s, http://...]");
            }
        }
        if (with.bool("shell")) {
            new ShellLine(with.texts("command"));
        }
        for (Map.Entry<String, Text> variable : with.textMap("env").entrySet()) {
            if (!variable.getKey().matches("[^=\\x00]+")) {
                throw new IllegalArgumentException(
                        "env: expected the name of a variable, got '" + variable.getKey() + "'");
            }
        }
    }

    @Override
    public Session open(SessionContext context) throws IOException, InterruptedException {
        if (!context.with().bool("shell")) {
            ProgramStartException.requireProgram(context.with().texts("command").get(0));
        }
        return new ExecSession(context, Launcher.best(), NanoClock.SYSTEM);
    }
}
