package org.diperf.plugins.mds;

import java.util.Map;

/** The contract for a call that waits for a notification. */
class NotifyContractTests extends SubscribeContractTests {

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of("operation", "notify", "topic", "Entry", "message", "<q><id>${client}-${call}</id></q>");
    }
}
