package org.diperf.plugins.srm;

import java.util.List;
import java.util.Map;

/** The contract for a file that the manager brings online. */
class SrmBringOnlineContractTests extends SrmContractTests {

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of("operation", "bring-online", "protocols", List.of("ftp"), "poll", "20ms", "most-poll", "20ms");
    }

    @Override
    protected String firstOperation() {
        return "BringOnline";
    }
}
