package org.diperf.tester.engine;

import java.nio.file.Path;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.Assignment;
import org.diperf.tester.engine.call.BlockSink;
import org.diperf.tester.engine.call.EngineListener;

/** Makes the engine of one tester. */
@FunctionalInterface
public interface EngineFactory {

    /**
     * Makes an engine; it is prepared by its first method.
     *
     * @param tester from 1
     * @param plugins those that the assignment names
     * @param folder scratch folder of this tester alone
     */
    RunningEngine create(
            Assignment assignment,
            int tester,
            TesterPlugins plugins,
            Path folder,
            BlockSink sink,
            NanoClock clock,
            EngineListener listener);
}
