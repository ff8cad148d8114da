package org.diperf.plugins.emulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.diperf.plugins.emulated.topology.Address;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is said where no emulated network can be made. */
@Timeout(60)
class RequirementsTests {

    @TempDir
    Path folder;

    private Path status(String user) throws Exception {
        return Files.writeString(folder.resolve("status"), "Name:\tjava\nUid:\t" + user + "\t" + user + "\t0\t0\n");
    }

    @Test
    void rootWithADeviceMissesNothing() throws Exception {
        Path tun = Files.createFile(folder.resolve("tun"));
        assertThat(Requirements.of(tun, status("0"))).isEmpty();
    }

    @Test
    void othersAreToldToBeRoot() throws Exception {
        Path tun = Files.createFile(folder.resolve("tun"));
        assertThat(Requirements.of(tun, status("1000"))).contains("needs root", "got user");
    }

    @Test
    void aMissingDeviceIsNamed() throws Exception {
        assertThat(Requirements.of(folder.resolve("none"), status("0"))).contains("none", "modprobe tun");
    }

    @Test
    void anotherSystemIsTold() {
        assertThat(Requirements.of(folder.resolve("tun"), folder.resolve("no-such-file")))
                .contains("needs Linux");
    }

    @Test
    void eachBlockOfTheManagementNetworkHasItsAddresses() {
        ManagementNetwork management = new ManagementNetwork(127);
        assertThat(management.controller()).isEqualTo("198.19.252.1");
        assertThat(management.host(0)).isEqualTo("198.19.252.2");
        assertThat(management.device()).isEqualTo("dpf-m127");
        assertThat(ManagementNetwork.isWithin(Address.parse("198.19.255.255"))).isTrue();
        assertThat(management.holds(Address.parse("198.19.251.255"))).isFalse();
    }

    @Test
    void hostsAndControllerReachOneAnotherByAddressesOfTheBlock() {
        EmulatedHost a = new EmulatedHost("a", "wan", Address.parse("10.99.0.1"));
        EmulatedHost head = new EmulatedHost("head", "", Address.parse("10.99.0.2"));
        Topology within = new ManagementNetwork(1).within(new Topology(3, List.of(a, head), List.of(), List.of()), 1);
        assertThat(within.hosts())
                .containsExactly(
                        new EmulatedHost("a", "wan", a.address(), OptionalInt.of(Address.parse("198.18.4.2"))),
                        new EmulatedHost("head", "", Address.parse("198.18.4.1")));
    }
}
