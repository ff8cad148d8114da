package org.diperf.core.run;

import java.util.List;

/**
 * A monitor of the service.
 *
 * @param number of its blocks, from 1
 * @param name unique in the run
 * @param kind of monitor
 * @param periodNanos time between samples
 * @param samples that it delivered
 * @param failed samples that it could not deliver
 * @param notes what readers of its samples need to know
 */
public record MonitorRecord(
        int number, String name, String kind, long periodNanos, long samples, long failed, List<String> notes) {}
