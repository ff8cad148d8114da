package org.diperf.plugins.emulated;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.plugins.emulated.netem.DisciplineCounts;
import org.diperf.plugins.emulated.netem.Disciplines;
import org.diperf.plugins.emulated.netem.NetemCommands;
import org.diperf.plugins.emulated.topology.Topology;

/** Reads what the ends of links have done from the kernel, node by node. Confined to one thread at a time. */
final class LinkEndReader implements KernelStatistics.Ends, AutoCloseable {

    private static final DisciplineCounts NONE = new DisciplineCounts(0, 0, 0, 0);

    /** An end of a physical link. */
    private record Place(int pipe, String device, int index) {}

    private final Lab lab;
    private final Map<String, List<Place>> places = new LinkedHashMap<>();
    private final Map<String, Disciplines> sockets = new HashMap<>();
    private final int pipes;

    private LinkEndReader(Lab lab, int pipes) {
        this.lab = lab;
        this.pipes = pipes;
    }

    /** Opens it for a lab whose links are there. */
    static LinkEndReader open(Lab lab, Topology topology) throws IOException {
        List<Topology.Pipe> all = topology.pipes();
        LinkEndReader ends = new LinkEndReader(lab, all.size());
        Map<String, Map<Integer, String>> devices = new LinkedHashMap<>();
        for (int i = 0; i < all.size(); i++) {
            Topology.Pipe pipe = all.get(i);
            String node = pipe.isBack() ? pipe.link().to() : pipe.link().from();
            int link = topology.links().indexOf(pipe.link());
            devices.computeIfAbsent(node, name -> new LinkedHashMap<>())
                    .put(i, NetemCommands.device(link, pipe.member(), !pipe.isBack()));
        }
        try {
            for (Map.Entry<String, Map<Integer, String>> each : devices.entrySet()) {
                NetworkNamespace.within(lab.network(each.getKey()), () -> ends.add(each.getKey(), each.getValue()));
            }
            return ends;
        } catch (IOException | RuntimeException e) {
            ends.close();
            throw e;
        } catch (Exception e) {
            ends.close();
            throw new IOException("the links' ends cannot be inspected: " + e.getMessage(), e);
        }
    }

    /** Adds a node, in whose network the calling thread is. */
    private boolean add(String node, Map<Integer, String> devices) throws IOException {
        List<Place> here = new ArrayList<>();
        for (Map.Entry<Integer, String> each : devices.entrySet()) {
            here.add(new Place(each.getKey(), each.getValue(), Disciplines.device(each.getValue())));
        }
        places.put(node, here);
        sockets.put(node, Disciplines.open());
        return true;
    }

    @Override
    public List<KernelStatistics.End> read() throws IOException {
        KernelStatistics.End[] found = new KernelStatistics.End[pipes];
        for (Map.Entry<String, List<Place>> node : places.entrySet()) {
            Disciplines socket = sockets.get(node.getKey());
            if (socket == null) {
                throw new IOException("the network namespace of " + node.getKey() + " is no longer monitored");
            }
            List<DisciplineCounts> all = socket.read();
            List<String> lines = lab.devices(node.getKey());
            for (Place place : node.getValue()) {
                DeviceCounts device = DeviceCounts.of(lines, place.device);
                DisciplineCounts distance = of(all, place.index, NetemCommands.DISTANCE);
                DisciplineCounts rate = of(all, place.index, NetemCommands.RATE);
                found[place.pipe] = new KernelStatistics.End(
                        device.packets(),
                        device.bytes(),
                        device.dropped(),
                        distance.dropped(),
                        rate.dropped(),
                        rate.queued());
            }
        }
        return List.of(found);
    }

    private static DisciplineCounts of(List<DisciplineCounts> all, int device, int handle) {
        return all.stream()
                .filter(each -> each.device() == device && each.handle() == handle)
                .findFirst()
                .orElse(NONE);
    }

    @Override
    public void close() {
        sockets.values().forEach(Disciplines::close);
        sockets.clear();
    }
}
