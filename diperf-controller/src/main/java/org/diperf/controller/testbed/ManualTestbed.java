package org.diperf.controller.testbed;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.diperf.core.folder.OwnerOnlyFiles;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.TestbedPlugin;

/** Writes the tickets of testers that somebody starts by hand, wherever the ticket can be carried to. */
public final class ManualTestbed implements TestbedPlugin {

    @Override
    public String id() {
        return "manual";
    }

    @Override
    public String summary() {
        return "testers are started by hand, each with: diperf tester --ticket FILE";
    }

    @Override
    public Testbed open(TestbedContext context) {
        return new Tickets(context);
    }

    private record Tickets(TestbedContext context) implements Testbed {

        @Override
        public void start(List<Place> places) throws IOException {
            for (Place place : places) {
                int tester = place.tester();
                Path ticket = OwnerOnlyFiles.write(
                        context.privateFolder().resolve("tester-" + tester + ".ticket"), context.ticket(tester));
                context.announce("start tester " + tester + " with: diperf tester --ticket " + ticket);
            }
        }

        /** People take their time. */
        @Override
        public Duration patience() {
            return Duration.ofDays(365);
        }

        @Override
        public void close() {
            // The tickets go with the private folder; testers end when the run says so.
        }
    }
}
