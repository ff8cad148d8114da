package org.diperf.controller.run;

import java.util.Map;

/**
 * A tester that can take part.
 *
 * @param tester its number
 * @param labels of its node; none where the testbed does not tell
 */
record Recruit(int tester, Map<String, String> labels) {}
