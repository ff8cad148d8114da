package org.diperf.plugins.mds;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import javax.xml.stream.XMLInputFactory;
import org.diperf.plugins.lib.netty.soap.Xml;

/** What the clients of one loop share. Confined to that loop. */
final class LoopResources {

    private final Map<Integer, LdapConnection> shared = new HashMap<>();
    private final XMLInputFactory xml = Xml.readers();

    /** Returns what reads XML. */
    XMLInputFactory xml() {
        return xml;
    }

    /**
     * Returns the one connection to this target.
     *
     * @param making makes it where there is none
     */
    LdapConnection shared(int target, IntFunction<LdapConnection> making) {
        return shared.computeIfAbsent(target, making::apply);
    }
}
