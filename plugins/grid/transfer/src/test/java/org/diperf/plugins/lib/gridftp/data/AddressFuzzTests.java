package org.diperf.plugins.lib.gridftp.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.plugins.lib.gridftp.control.DataTransferException;
import org.diperf.plugins.lib.gridftp.control.Reply;
import org.junit.jupiter.params.provider.MethodSource;

/** Replies by which a server says where its data is. */
class AddressFuzzTests {

    private static final InetSocketAddress SERVER = new InetSocketAddress("127.0.0.7", 2811);

    static Stream<byte[]> replies() {
        return Stream.of(
                        "227 Entering Passive Mode (127,0,0,1,4,210)",
                        "229 Entering Extended Passive Mode (|||1234|)",
                        "229-Striped\n 127,0,0,1,4,210\n 127,0,0,2,4,211\n229 End",
                        "227 try 1,2,3 or 127,0,0,1,255,255.")
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    @MethodSource("replies")
    @Fuzz
    void addressesAreFoundOrRefused(byte[] input) {
        Reply reply =
                new Reply(227, new String(input, StandardCharsets.UTF_8).lines().toList());
        List<InetSocketAddress> found;
        try {
            found = Addresses.in(reply, SERVER);
        } catch (DataTransferException refused) {
            return;
        }
        assertThat(found).isNotEmpty().allSatisfy(address -> {
            assertThat(address.isUnresolved()).isFalse();
            assertThat(address.getPort()).isBetween(1, 65_535);
        });
        for (InetSocketAddress address : found) {
            assertThat(Addresses.port(address)).startsWith("PORT ");
        }
    }
}
