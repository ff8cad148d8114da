package org.diperf.plugins.gram;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.diperf.plugins.lib.netty.Addresses;
import org.diperf.plugins.lib.netty.TargetAddress;
import org.junit.jupiter.api.Test;

class TesterJobTests {

    private static TesterJob job() {
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 2119);
        Contact contact = new Contact(new TargetAddress("head", 2119), "jobmanager", null);
        return new TesterJob(
                1, new Gatekeeper(contact, Addresses.of(at), at.getAddress()), Path.of("ticket"), System::nanoTime);
    }

    @Test
    void aJobThatIsGoneAndToldNothingPointsToTheAddressForCallbacks() {
        TesterJob job = job();
        job.lost();
        assertThat(job.view().words())
                .isEqualTo("ended without contacting this controller; can its job manager reach"
                        + " testbed.callback-host?");
    }

    @Test
    void oneThatToldSomethingIsUnknownThere() {
        TesterJob job = job();
        job.told(GramStandIn.stateMessage("https://127.0.0.1:1/1/", JobState.ACTIVE.code(), 0));
        job.lost();
        assertThat(job.view().words()).isEqualTo("ended: the job manager no longer has a record of it");
    }
}
