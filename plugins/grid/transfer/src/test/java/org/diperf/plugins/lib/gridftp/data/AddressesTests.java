package org.diperf.plugins.lib.gridftp.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.util.List;
import org.diperf.plugins.lib.gridftp.control.DataTransferException;
import org.diperf.plugins.lib.gridftp.control.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTests {

    private static final InetSocketAddress SERVER = new InetSocketAddress("127.0.0.7", 2811);

    private static List<InetSocketAddress> in(String... lines) throws DataTransferException {
        return Addresses.in(new Reply(227, List.of(lines)), SERVER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "227 Entering Passive Mode (127,0,0,1,4,210)",
                "227 =127,0,0,1,4,210",
                "227 try 1,2,3 or 127,0,0,1,4,210.",
            })
    void anAddressIsFoundWhereverItStands(String line) throws Exception {
        assertThat(in(line)).containsExactly(new InetSocketAddress("127.0.0.1", 1234));
    }

    @Test
    void aPortAloneIsAtTheServer() throws Exception {
        assertThat(in("229 Entering Extended Passive Mode (|||1234|)"))
                .containsExactly(new InetSocketAddress("127.0.0.7", 1234));
        assertThat(in("227 (0,0,0,0,4,210)")).containsExactly(new InetSocketAddress("127.0.0.7", 1234));
    }

    @Test
    void stripesHaveALineEach() throws Exception {
        assertThat(in("229-Striped", " 127,0,0,1,4,210", " 127,0,0,2,4,211", "229 End"))
                .containsExactly(new InetSocketAddress("127.0.0.1", 1234), new InetSocketAddress("127.0.0.2", 1235));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"227 (127,0,0,1,4)", "227 127.0.0.1", "229 (||1234|)", "229 (||||)", "229 (|||12a4|)", "227"})
    void whatIsNoneIsToldSo(String line) {
        assertThatThrownBy(() -> in(line))
                .isInstanceOf(DataTransferException.class)
                .hasMessage("PASV: no address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"227 (127,0,0,999,4,210)", "227 (127,0,0,1,0,0)", "229 (|||70000|)"})
    void numbersThatAreTooLargeAreRefused(String line) {
        assertThatThrownBy(() -> in(line))
                .isInstanceOf(DataTransferException.class)
                .hasMessage("PASV: wrong address");
    }
}
