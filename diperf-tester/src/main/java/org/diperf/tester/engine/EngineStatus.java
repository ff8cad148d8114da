package org.diperf.tester.engine;

/**
 * What the engine is doing, as of about now; the numbers are read one after another while the work goes on.
 *
 * @param activeClients clients within their life in closed load, calls in flight in open load
 * @param inFlight calls sent and neither ended nor timed out, and those whose client has not let go yet
 * @param sent calls begun, ended or not; those of a client that could not be opened included
 * @param ok that succeeded
 * @param failed that failed, timeouts included
 * @param dropped arrivals in open load for which no call was free; not among {@code sent}
 */
public record EngineStatus(int activeClients, int inFlight, long sent, long ok, long failed, long dropped) {}
