package org.diperf.plugins.iperf;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one end says of a test.
 *
 * @param cpuPercent of one processor, {@code cpuUserPercent} and {@code cpuSystemPercent} are its parts
 * @param sendsWithRetransmits 1 if it sends and counts segments sent again, 0 if it does not count them, -1 if it receives
 * @param streams one each
 */
record Results(
        double cpuPercent,
        double cpuUserPercent,
        double cpuSystemPercent,
        int sendsWithRetransmits,
        List<OfStream> streams) {

    /**
     * What one end says of one stream.
     *
     * @param id the same on both ends
     * @param bytes sent or received, without those of the omitted time
     * @param retransmits segments sent again; -1 if not known
     * @param jitterSeconds of datagrams received, as RFC 1889 smooths it
     * @param lost datagrams that were not received, from the beginning
     * @param omittedLost of those, in the omitted time; -1 if not known
     * @param packets the highest number received or sent, from the beginning
     * @param omittedPackets of those, in the omitted time; -1 if not known
     * @param seconds in which the bytes went; 0 if not known
     */
    record OfStream(
            int id,
            long bytes,
            long retransmits,
            double jitterSeconds,
            long lost,
            long omittedLost,
            long packets,
            long omittedPackets,
            double seconds) {}

    Results {
        streams = List.copyOf(streams);
    }

    String toJson() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("cpu_util_total", cpuPercent);
        all.put("cpu_util_user", cpuUserPercent);
        all.put("cpu_util_system", cpuSystemPercent);
        all.put("sender_has_retransmits", sendsWithRetransmits);
        List<Map<String, Object>> each = new ArrayList<>();
        for (OfStream stream : streams) {
            Map<String, Object> of = new LinkedHashMap<>();
            of.put("id", stream.id());
            of.put("bytes", stream.bytes());
            of.put("retransmits", stream.retransmits());
            of.put("jitter", stream.jitterSeconds());
            of.put("errors", stream.lost());
            of.put("omitted_errors", stream.omittedLost());
            of.put("packets", stream.packets());
            of.put("omitted_packets", stream.omittedPackets());
            of.put("start_time", 0);
            of.put("end_time", stream.seconds());
            each.add(of);
        }
        all.put("streams", each);
        return Json.write(all);
    }

    /**
     * Reads what the other end says. Versions before 3.2 tell no times, those before 3.14 nothing of the omitted time.
     *
     * @throws MalformedMessageException when what all versions tell is missing
     */
    static Results parse(String json) throws MalformedMessageException {
        Map<String, Object> all = Json.read(json);
        if (!(all.get("streams") instanceof List<?> streams)
                || !(all.get("cpu_util_total") instanceof Double cpu)
                || !all.containsKey("sender_has_retransmits")) {
            throw new MalformedMessageException("malformed results");
        }
        List<OfStream> each = new ArrayList<>();
        for (Object stream : streams) {
            if (!(stream instanceof Map<?, ?> of)
                    || !(of.get("id") instanceof Double)
                    || !(of.get("bytes") instanceof Double)) {
                throw new MalformedMessageException("malformed results");
            }
            each.add(new OfStream(
                    (int) Json.whole(of, "id", 0),
                    Json.whole(of, "bytes", 0),
                    Json.whole(of, "retransmits", -1),
                    Json.number(of, "jitter", 0),
                    Json.whole(of, "errors", 0),
                    Json.whole(of, "omitted_errors", -1),
                    Json.whole(of, "packets", 0),
                    Json.whole(of, "omitted_packets", -1),
                    Json.number(of, "end_time", 0) - Json.number(of, "start_time", 0)));
        }
        return new Results(
                cpu,
                Json.number(all, "cpu_util_user", 0),
                Json.number(all, "cpu_util_system", 0),
                (int) Json.whole(all, "sender_has_retransmits", 0),
                each);
    }
}
