package org.diperf.plugins.http;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Url;

/** The plugin in an experiment of several requests, whose texts may name what earlier ones captured. */
final class SeveralRequests implements ClientPlugin {

    private static final HttpPlugin HTTP = new HttpPlugin();
    private static final Names NAMES = new Names() {
        @Override
        public Set<String> values() {
            return Set.of("captured");
        }

        @Override
        public String secret(String reference) {
            throw new IllegalArgumentException(reference);
        }
    };

    private final List<Parameters> requests = new ArrayList<>();

    /** @param each parameters as they would stand in the file */
    SeveralRequests(String version, List<Map<String, ?>> each) {
        for (Map<String, ?> with : each) {
            Map<String, Object> all = new HashMap<>(with);
            all.put("version", version);
            requests.add(Parameters.read(HTTP.parameters(), all, 7, NAMES));
        }
    }

    @Override
    public String id() {
        return HTTP.id();
    }

    @Override
    public String summary() {
        return HTTP.summary();
    }

    @Override
    public List<Parameter> parameters() {
        return HTTP.parameters();
    }

    @Override
    public Session open(SessionContext context) throws IOException {
        return HTTP.open(new SessionContext() {
            @Override
            public int tester() {
                return context.tester();
            }

            @Override
            public List<Url> targets() {
                return context.targets();
            }

            @Override
            public Parameters with() {
                return requests.get(0);
            }

            @Override
            public List<Parameters> requests() {
                return requests;
            }

            @Override
            public Duration timeout() {
                return context.timeout();
            }

            @Override
            public Path folder() {
                return context.folder();
            }

            @Override
            public Recorder recorder() {
                return context.recorder();
            }

            @Override
            public Memory memory() {
                return context.memory();
            }

            @Override
            public int clients() {
                return context.clients();
            }
        });
    }
}
