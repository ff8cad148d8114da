package org.diperf.plugins.emulated;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.TestbedPlugin;
import org.diperf.plugins.emulated.limits.Cgroups;
import org.diperf.plugins.emulated.virtual.VirtualTime;

/** Runs testers and the service under test on hosts of a network that the experiment file declares. */
public final class EmulatedPlugin implements TestbedPlugin {

    /** What is there, and where, does not depend on it. */
    private static final long ANY_SEED = 0;

    @Override
    public String id() {
        return "emulated";
    }

    @Override
    public String summary() {
        return "testers run on hosts in an emulated network on this machine; requires root";
    }

    @Override
    public boolean runsHere() {
        return true;
    }

    @Override
    public boolean arrivesAtLoopback(Parameters with) {
        return false;
    }

    @Override
    public boolean hasNodes() {
        return true;
    }

    @Override
    public boolean hasOwnNetwork() {
        return true;
    }

    @Override
    public List<Parameter> parameters() {
        return Keys.ALL;
    }

    /** Time would wait for the tester that spins, until it is over. */
    @Override
    public boolean maySpin(Parameters with) {
        return !isTimeVirtual(with);
    }

    private static boolean isTimeVirtual(Parameters with) {
        return Engines.isVirtual(with.string(Keys.ENGINE));
    }

    @Override
    public List<String> wrap(Parameters with, List<String> controller, Path folder) throws IOException {
        if (!isTimeVirtual(with) || VirtualTime.isHere()) {
            return List.of();
        }
        String missing = VirtualTime.missing();
        if (!missing.isEmpty()) {
            throw new IOException(missing);
        }
        return VirtualTime.wrap(controller, folder);
    }

    @Override
    public void check(Parameters with) {
        TopologyReader.read(with, ANY_SEED);
    }

    @Override
    public String serviceHost(Parameters with) {
        return TopologyReader.read(with, ANY_SEED).service();
    }

    @Override
    public List<Planned> planned(Parameters with) {
        return TopologyReader.read(with, ANY_SEED).changes().stream()
                .map(change -> new Planned(Duration.ofNanos(change.afterNanos()), change.text()))
                .toList();
    }

    @Override
    public List<String> describe(Parameters with) {
        NetworkDeclaration declared = TopologyReader.read(with, ANY_SEED);
        List<String> lines = new ArrayList<>(TopologyText.of(declared));
        String missing = missing(declared);
        if (missing.isEmpty()) {
            missing = Cgroups.missing(declared.limits().values());
        }
        lines.add(carrier(declared));
        if (!missing.isEmpty()) {
            lines.add("cannot be created here: " + missing);
        }
        return lines;
    }

    private static String carrier(NetworkDeclaration declared) {
        try {
            String whyNot = Engines.whyNotNetem(declared);
            return (Engines.isVirtual(declared.engine()) ? "time is virtual, so computation takes no time; " : "")
                    + (whyNot.isEmpty() ? Engines.NETEM : Engines.TUN)
                    + " forwards the packets"
                    + (whyNot.isEmpty() || !declared.engine().equals(Engines.AUTO) ? "" : "; " + whyNot);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private static String missing(NetworkDeclaration declared) {
        try {
            return Engines.missing(declared);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    @Override
    public Testbed open(TestbedContext context) throws IOException {
        return new EmulatedTestbed(context, TopologyReader.read(context.with(), context.seed()));
    }
}
