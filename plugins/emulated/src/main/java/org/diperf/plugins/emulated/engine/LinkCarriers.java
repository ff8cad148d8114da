package org.diperf.plugins.emulated.engine;

import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.util.List;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.Wiring;

/**
 * Takes the carrier from both ends of a link that is cut in either direction, and gives it back: Ethernet tells the other end
 * when it receives nothing. Confined to one thread.
 */
final class LinkCarriers {

    private final List<FileDescriptor> devices;
    /** By number of the device: whether what leaves there is lost. */
    private final boolean[] isCut;

    /** @param devices at both ends of each link */
    LinkCarriers(List<FileDescriptor> devices) {
        this.devices = List.copyOf(devices);
        this.isCut = new boolean[devices.size()];
    }

    /** Follows a change of links that has been made. */
    void follow(List<Change.Part> parts) throws IOException {
        for (Change.Part part : parts) {
            int first = Wiring.device(part.step().link(), false);
            int second = Wiring.device(part.step().link(), true);
            boolean was = isCut[first] || isCut[second];
            isCut[part.step().isBack() ? second : first] = part.isDown();
            boolean is = isCut[first] || isCut[second];
            if (was != is) {
                Linux.carrier(devices.get(first), !is);
                Linux.carrier(devices.get(second), !is);
            }
        }
    }
}
