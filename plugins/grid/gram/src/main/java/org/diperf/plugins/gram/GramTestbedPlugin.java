package org.diperf.plugins.gram;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.TestbedPlugin;
import org.diperf.plugins.lib.batch.BatchTestbed;
import org.diperf.plugins.lib.batch.TestbedClock;
import org.diperf.plugins.lib.gsi.GsiCredentials;

/** Has GRAM start the testers, each as a job of its own, wherever gatekeepers lead. */
public final class GramTestbedPlugin implements TestbedPlugin {

    @Override
    public String id() {
        return "gram";
    }

    @Override
    public String summary() {
        return "runs testers as jobs of GRAM gatekeepers, which fetch the tester from the controller";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.required(
                                TestbedSettings.CONTACTS,
                                Type.TEXTS,
                                "gatekeepers, each HOST:PORT/SERVICE; testers are assigned to them in turn")
                        .suchAs("[localhost:2119/jobmanager-fork]"),
                onTheController(GsiCredentials.PROXY_FILE, "PEM file on the controller with the GSI credential"),
                onTheController(GsiCredentials.CA_DIR, "folder on the controller with trusted CA certificates"),
                Parameter.optional(TestbedSettings.RSL, Type.STRING, "RSL relations to add to each tester's job")
                        .suchAs("(queue=short)(max_wall_time=60)"),
                BatchTestbed.WAIT,
                GramPlugin.CALLBACK_HOST,
                GramPlugin.CALLBACK_PORTS);
    }

    private static Parameter onTheController(Parameter file, String help) {
        return Parameter.required(file.name(), file.type(), help).suchAs(requireNonNull(file.example()));
    }

    @Override
    public void check(Parameters with) {
        TestbedSettings.of(with);
    }

    @Override
    public List<String> describe(Parameters with) {
        return List.of("testers run as jobs at "
                + TestbedSettings.of(with).contacts().stream()
                        .map(Contact::toString)
                        .collect(Collectors.joining(", ")));
    }

    @Override
    public Testbed open(TestbedContext context) throws IOException, InterruptedException {
        return open(context, TestbedClock.SYSTEM);
    }

    static Testbed open(TestbedContext context, TestbedClock time) throws IOException, InterruptedException {
        return open(context, context.with(), time);
    }

    static Testbed open(TestbedContext context, Parameters with, TestbedClock time)
            throws IOException, InterruptedException {
        TestbedSettings settings = TestbedSettings.of(with);
        GsiCredentials credentials = GsiCredentials.of(with, "GRAM needs GSI");
        return BatchTestbed.open(
                context, GramSystem.open(context, settings, credentials, time), settings.patience(), time);
    }
}
