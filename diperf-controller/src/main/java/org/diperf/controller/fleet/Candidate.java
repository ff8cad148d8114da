package org.diperf.controller.fleet;

import org.diperf.core.spi.Node;

/**
 * A node that a run may use, judged.
 *
 * @param node as it was found
 * @param chosen whether testers were placed there
 * @param reason why not, with what to do; empty where it was chosen
 */
public record Candidate(Node node, boolean chosen, String reason) {}
