package org.diperf.plugins.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import java.util.Arrays;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.core.fuzz.Memory;
import org.junit.jupiter.params.provider.MethodSource;

/** Descriptions of methods, and messages, that a service makes up: the first byte says which. */
class MessageFuzzTests {

    private static final long MAX_BYTES = 64 << 20;

    static Stream<byte[]> inputs() {
        return Stream.of(
                ByteString.copyFrom(new byte[] {0})
                        .concat(ByteString.copyFrom(Described.set()))
                        .toByteArray(),
                new byte[] {1, 8, 5, 18, 3, 'a', 'b', 'c'},
                ByteString.copyFrom(new byte[] {1})
                        .concat(FileDescriptorSet.getDefaultInstance().toByteString())
                        .toByteArray());
    }

    @MethodSource("inputs")
    @Fuzz
    void whatAServiceSendsIsReadOrRefused(byte[] input) {
        if (input.length == 0 || input.length > 10_000) {
            return;
        }
        byte[] rest = Arrays.copyOfRange(input, 1, input.length);
        Memory.atMost(MAX_BYTES, () -> {
            try {
                if (input[0] == 0) {
                    Schema schema = new Schema();
                    schema.addSet(rest);
                    if (schema.missingFile() == null) {
                        schema.method("shop.Shop/Watch");
                    }
                } else {
                    MessageReader.json(Described.all(Described.schema()), rest);
                }
            } catch (IllegalArgumentException refused) {
                // as documented
            }
        });
    }
}
