package org.diperf.tester.engine;

import java.nio.file.Path;
import java.util.Map;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.wire.Assignment;

/** Makes the engine of one tester. */
@FunctionalInterface
public interface EngineFactory {

    /**
     * Makes an engine; it is prepared by its first method.
     *
     * @param tester from 1
     * @param plugins those that the assignment names, by their ids
     * @param folder scratch folder of this tester alone
     */
    RunningEngine create(
            Assignment assignment,
            int tester,
            Map<String, ClientPlugin> plugins,
            Path folder,
            BlockSink sink,
            NanoClock clock,
            EngineListener listener);
}
