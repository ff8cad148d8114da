package org.diperf.plugins.mds;

import java.util.Map;

/** The contract for what is published. */
class PublishContractTests extends SubscribeContractTests {

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of("operation", "publish", "topic", "Entry", "message", "<q><id>${client}-${call}</id></q>");
    }

    @Override
    protected String firstStep() {
        return "publish";
    }
}
