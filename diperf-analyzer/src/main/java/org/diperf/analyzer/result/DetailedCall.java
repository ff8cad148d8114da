package org.diperf.analyzer.result;

/**
 * A call that is shown whole.
 *
 * @param outcome how it ended, with the mark for whose fault it was, see {@link org.diperf.core.sample.Outcome}
 * @param endSeconds when it ended, after the start of the run
 * @param tester from 1
 * @param client in the whole run, from 0
 * @param call its number among those of its client, from 0
 * @param request its kind of request, from 0
 * @param responseMillis response time
 * @param text lines that begin with {@code > } for what was sent, {@code < } for what came, {@code * } for a remark
 */
public record DetailedCall(
        String outcome,
        double endSeconds,
        int tester,
        int client,
        long call,
        int request,
        double responseMillis,
        String text) {}
