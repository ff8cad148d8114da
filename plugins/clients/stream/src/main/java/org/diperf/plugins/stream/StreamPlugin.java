package org.diperf.plugins.stream;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.ClientTrait;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.process.Launcher;
import org.diperf.plugins.lib.process.ProgramStartException;

/** Runs a program for the life of each client and takes the calls and metrics that it writes; see {@link OutputParser}. */
public final class StreamPlugin implements ClientPlugin {

    /** Calls until it is ended, and writes what it saw of each call. */
    private static final String EXAMPLE = """
            - sh
            - -c
            - |
              while :; do
                if seconds=$(curl --silent --fail --output /dev/null --write-out '%{time_total}' "${target}"); then
                  echo "response $(echo "$seconds" | awk '{ print $1 * 1000 }') $(date +%s.%N) $(hostname) curl"
                else
                  echo "error curl-exit-$? $(date +%s.%N) $(hostname) curl"
                fi
              done
            """;

    @Override
    public String id() {
        return "stream";
    }

    @Override
    public String summary() {
        return "runs a program for the client's lifetime and reads one call per line of its output: METRIC VALUE "
                + "LOCAL_TIME HOST CLIENT_ID";
    }

    @Override
    public Set<ClientTrait> traits() {
        return Set.of(ClientTrait.STARTS_PROGRAMS, ClientTrait.TIMES_ITSELF);
    }

    @Override
    public String exampleTarget() {
        return "http://127.0.0.1:8080/";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.required("command", Type.TEXTS, "the program and its arguments")
                        .suchAs(EXAMPLE)
                        .asArguments(),
                Parameter.optional("env", Type.TEXT_MAP, "environment variables to add")
                        .suchAs("{ CLIENT: \"${client}\" }"));
    }

    @Override
    public void check(Url target, Parameters with) {
        if (with.texts("command").isEmpty()
                || with.texts("command").get(0).toString().isBlank()) {
            throw new IllegalArgumentException(
                    "command: expected a program and its arguments, got none; for example [./my-client, '${target}']");
        }
    }

    @Override
    public Session open(SessionContext context) throws IOException {
        ProgramStartException.requireProgram(context.with().texts("command").get(0));
        Launcher launcher = Launcher.best();
        if (!launcher.limits().isEmpty()) {
            context.recorder().reject("stream without process groups", launcher.limits());
        }
        return new Session() {
            @Override
            public Client newClient() {
                return new StreamClient(launcher);
            }

            @Override
            public Class<? extends Client> kind() {
                return BlockingClient.class;
            }

            @Override
            public void close() {
                launcher.close();
            }
        };
    }
}
