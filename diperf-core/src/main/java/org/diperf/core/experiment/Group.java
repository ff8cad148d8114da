package org.diperf.core.experiment;

import java.time.Duration;

/**
 * Testers with their own load, side by side with those of other groups.
 *
 * @param name unique in the experiment
 * @param where an expression over the labels of a node, such as {@code site == lan}; empty: any tester that no earlier
 *     group uses
 * @param testers how many, at least 1
 * @param startAfter the start of the run, when its load begins
 * @param load known before the run: neither levels nor a search
 * @param spread of its clients over its testers
 */
public record Group(
        String name, String where, int testers, Duration startAfter, LoadSettings load, TesterPlacement spread) {}
