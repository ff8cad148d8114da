package org.diperf.plugins.srm;

import java.util.Map;

/** The contract for a file that the manager copies, where nothing is transferred by the client. */
class SrmCopyContractTests extends SrmContractTests {

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of(
                "operation", "copy", "copy-to", "new", "overwrite", "ALWAYS", "poll", "20ms", "most-poll", "20ms");
    }

    @Override
    protected String firstOperation() {
        return "Copy";
    }
}
