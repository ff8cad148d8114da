package org.diperf.controller.run.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.diperf.analyzer.live.RunSeries;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.progress.LiveSnapshot;
import org.diperf.controller.progress.LiveSource;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.SeriesFamily;
import org.diperf.core.spi.SeriesOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SeriesSenderTests {

    private final List<String> told = new CopyOnWriteArrayList<>();

    /** Takes each series when the test says how that ends. */
    private static final class Receiver implements SeriesOutput {

        private final BlockingQueue<String> ends = new SynchronousQueue<>();

        @Override
        public void send(List<SeriesFamily> families, Instant at) throws IOException {
            String end;
            try {
                end = ends.take();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (!end.isEmpty()) {
                throw new IOException(end);
            }
        }

        @Override
        public void close() {}
    }

    private static LiveSource run() throws Exception {
        Experiment experiment = ExperimentFile.parse(
                        "name: fake\ntarget: http://127.0.0.1:1/\nload: { clients: 1, run-for: 1s }\n",
                        "fake",
                        List.of(),
                        Plugins.bundled())
                .experiment();
        return new LiveSource() {
            @Override
            public Experiment experiment() {
                return experiment;
            }

            @Override
            public Path folder() {
                return Path.of("no-such-folder");
            }

            @Override
            public LiveSnapshot look(long since) {
                return new LiveSnapshot(
                        "",
                        null,
                        new RunSeries(0, List.of("a")).look(since, 1_000_000_000),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of());
            }

            @Override
            public void stop(String who) {
                throw new AssertionError("nobody may stop a run here");
            }
        };
    }

    @Test
    void anOutageAndItsEndAreToldAndTheEndOfTheRunIsSentAgain() throws Exception {
        Receiver receiver = new Receiver();
        try (SeriesSender sender = new SeriesSender("here", receiver, 1, told::add)) {
            sender.begins(run());
            for (String end : List.of("", "status 503", "status 503", "", "")) {
                receiver.ends.put(end);
            }
            receiver.ends.put("away");
            Thread ending = new Thread(sender::ends);
            ending.start();
            while (ending.isAlive()) {
                receiver.ends.offer("away", 10, TimeUnit.MILLISECONDS);
            }
        }
        assertThat(told)
                .containsExactly(
                        "Series could not be sent to here: status 503. The load continues; sending is retried with"
                                + " later series",
                        "Series are sent to here again; counts include what it missed",
                        "Series could not be sent to here: away. The load continues; sending is retried with later"
                                + " series",
                        "The last series could not be sent to here: away; it lacks the end of the run");
    }
}
