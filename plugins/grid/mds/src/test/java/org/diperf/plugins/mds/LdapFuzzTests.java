package org.diperf.plugins.mds;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.core.fuzz.Memory;
import org.diperf.plugins.mds.LdapReader.MalformedMessageException;
import org.junit.jupiter.params.provider.MethodSource;

/** What a server sends as LDAP. */
class LdapFuzzTests {

    /** Two readings, each with a result that it may promise. */
    private static final long MAX_BYTES = 8 << 20;

    static Stream<byte[]> answers() {
        return Stream.of(
                        "300c020101 6507 0a0100 0400 0400",
                        "300c020101 7807 0a0100 0400 0400 300c020102 6107 0a0131 0400 0400",
                        "3024020100781f0a0134040004008a16312e332e362e312e342e312e313436362e3230303336",
                        "300d020101 6508 0a020fa0 0400 0400",
                        "30847fffffff0201016584",
                        "30820010 020101 640b 0403 613d62 3000 0400 0400")
                .map(hex -> HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    private static List<Object> read(byte[] input, int piece) {
        List<Object> read = new ArrayList<>();
        LdapReader reader = new LdapReader((id, operation, bytes, result) -> {
            read.add(List.of(id, operation, bytes, HexFormat.of().formatHex(result)));
            if (result.length > 0) {
                read.add(LdapReader.named(LdapReader.code(result)));
            }
        });
        try {
            for (int at = 0; at < input.length; at += piece) {
                reader.read(Unpooled.wrappedBuffer(input, at, Math.min(piece, input.length - at)));
            }
            read.add(reader.isWithinMessage());
        } catch (MalformedMessageException refused) {
            read.add(String.valueOf(refused.getMessage()));
        }
        return read;
    }

    @MethodSource("answers")
    @Fuzz
    void messagesAreReadOrRefusedTheSameHoweverTheyCome(byte[] input) {
        byte[] bounded = input.length > 4_096 ? Arrays.copyOf(input, 4_096) : input;
        Memory.atMost(MAX_BYTES, () -> {
            List<Object> whole = read(bounded, Math.max(1, bounded.length));
            assertThat(read(bounded, 1)).isEqualTo(whole);
        });
    }
}
