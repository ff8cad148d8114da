package org.diperf.controller.collect;

/**
 * What the spool of a tester has brought.
 *
 * @param blocks that are in it
 * @param fresh blocks that had not come before
 */
public record ImportedSpool(int tester, long blocks, long fresh) {}
