package org.diperf.plugins.emulated.netem;

/**
 * What a queueing discipline says of itself.
 *
 * @param device index of its device
 * @param handle its major number, as in {@code handle 2:}
 * @param dropped packets, since it is there
 * @param queued packets that it holds
 */
public record DisciplineCounts(int device, int handle, long dropped, long queued) {}
