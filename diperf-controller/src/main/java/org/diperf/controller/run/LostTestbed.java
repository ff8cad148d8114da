package org.diperf.controller.run;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.SpoolPlace;
import org.diperf.core.spi.Testbed;

/**
 * The testbed of a resumed run that cannot be taken up.
 *
 * @param spools where its testers may have left samples; none: on this machine alone
 * @param why it cannot be taken up
 */
record LostTestbed(List<SpoolPlace> spools, String why) implements Testbed {

    @Override
    public void start(List<Place> places) {
        throw new UnsupportedOperationException("a resumed run starts no testers");
    }

    @Override
    public Map<Integer, String> bring(List<SpoolPlace> places, Path into) {
        Map<Integer, String> unknown = new HashMap<>();
        places.forEach(place -> unknown.put(place.tester(), why));
        return Map.copyOf(unknown);
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
