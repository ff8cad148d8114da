package org.diperf.core.run;

import java.util.List;

/**
 * A monitor of the service.
 *
 * @param number of its blocks, from 1
 * @param name unique in the run
 * @param kind of monitor
 * @param periodNanos from one sample to the next
 * @param samples that it gave
 * @param failed samples that it could not give
 * @param notes what a reader of its samples must know
 */
public record MonitorRecord(
        int number, String name, String kind, long periodNanos, long samples, long failed, List<String> notes) {}
