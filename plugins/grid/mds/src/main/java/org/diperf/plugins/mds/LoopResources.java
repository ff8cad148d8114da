package org.diperf.plugins.mds;

import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import java.util.HashMap;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import org.diperf.core.spi.Recorder;
import org.diperf.plugins.lib.netty.RttSampler;
import org.jspecify.annotations.Nullable;

/** What the clients of one loop share. Confined to that loop. */
final class LoopResources {

    private final RttSampler sampler;
    private final Map<Integer, LdapConnection> shared = new HashMap<>();
    private final XMLInputFactory xml = Soap.readers();

    LoopResources(Recorder recorder) {
        this.sampler = new RttSampler(recorder);
    }

    RttSampler sampler() {
        return sampler;
    }

    /** Returns what reads XML. */
    XMLInputFactory xml() {
        return xml;
    }

    /** Returns the one connection to this target. */
    LdapConnection shared(MdsSession session, int target, EventLoop loop, @Nullable SslContext secured) {
        return shared.computeIfAbsent(target, any -> new LdapConnection(session, target, loop, secured, true));
    }
}
