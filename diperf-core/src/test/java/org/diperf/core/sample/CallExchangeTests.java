package org.diperf.core.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks of single calls with what was said in them. */
@Timeout(30)
class CallExchangeTests {

    private static CallExchange exchange(long end, String outcome, String text) {
        return new CallExchange(end, outcome, 7, 1L << 40, 2, 1, 12_345_678, 3, text);
    }

    private static ByteBuffer encoded(List<CallExchange> exchanges) {
        ExchangeWriter writer = new ExchangeWriter(4);
        exchanges.forEach(writer::add);
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength()).order(ByteOrder.LITTLE_ENDIAN);
        writer.encode(block, 9);
        assertThat(writer.rows()).isZero();
        return block.flip();
    }

    @Test
    void whatWasSaidIsReadAsItWasWritten() throws CorruptBlockException {
        List<CallExchange> written = List.of(
                exchange(-5, "status 500", "> GET / HTTP/1.1\n< HTTP/1.1 500\n< größer 🎈"),
                exchange(3, Outcome.OK, ""),
                exchange(2, "status 500", "> GET / HTTP/1.1\n< HTTP/1.1 500\n< größer 🎈"));

        ByteBuffer block = encoded(written);
        Block header = Block.read(block);

        assertThat(header.kind()).isEqualTo(Block.EXCHANGES);
        assertThat(header.number()).isEqualTo(9);
        assertThat(header.firstNanos()).isEqualTo(-5);
        assertThat(header.lastNanos()).isEqualTo(3);
        assertThat(CallExchanges.decode(block, header)).isEqualTo(written);
    }

    @Test
    void aBlockFullOfTheLongestTextsFits() throws CorruptBlockException {
        ExchangeWriter writer = new ExchangeWriter(1);
        List<CallExchange> written = new ArrayList<>();
        while (!writer.isFull()) {
            written.add(exchange(1, Outcome.OK, "€".repeat(CallExchange.MAX_TEXT - 2) + written.size()));
            writer.add(written.get(written.size() - 1));
        }
        assertThatThrownBy(() -> writer.add(written.get(0))).isInstanceOf(IllegalStateException.class);
        assertThat(writer.maxEncodedLength()).isLessThan(Block.MAX_LENGTH);
        ByteBuffer block = encoded(written);
        assertThat(CallExchanges.decode(block, Block.read(block))).isEqualTo(written);
    }

    @Test
    void aLongerTextIsCutOff() {
        assertThat(exchange(1, Outcome.OK, "x".repeat(CallExchange.MAX_TEXT + 1))
                        .text())
                .hasSize(CallExchange.MAX_TEXT)
                .endsWith("x\n* cut off here");
    }

    @Test
    void aBlockWithoutTextsOrWithImpossibleNumbersIsRefused() throws CorruptBlockException {
        ByteBuffer none = ByteBuffer.allocate(256);
        BlockEncoder encoder = new BlockEncoder(none, new IntegerCodec(), Block.EXCHANGES, 1, 1, 1, 0);
        encoder.integers(SampleColumn.EXCHANGE_CLIENT.id(), new long[] {1});
        encoder.finish(1, 0, 0);
        none.flip();
        assertThatThrownBy(() -> CallExchanges.decode(none, Block.read(none)))
                .isInstanceOf(CorruptBlockException.class)
                .hasMessageContaining("text column");

        ByteBuffer wrong = ByteBuffer.allocate(256);
        BlockEncoder negative = new BlockEncoder(wrong, new IntegerCodec(), Block.EXCHANGES, 2, 1, 1, 0);
        negative.integers(SampleColumn.EXCHANGE_CLIENT.id(), new long[] {-1});
        negative.words(SampleColumn.EXCHANGE_TEXT.id(), List.of("x"), new long[] {0});
        negative.finish(1, 0, 0);
        wrong.flip();
        assertThatThrownBy(() -> CallExchanges.decode(wrong, Block.read(wrong)))
                .isInstanceOf(CorruptBlockException.class)
                .hasMessageContaining("exchange-client");
    }
}
