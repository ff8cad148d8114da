package org.diperf.core.contract;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Dialogue;

/** Keeps what is said in one call, up to 16 KiB. Thread-safe. */
final class DialogueProbe implements Dialogue {

    private static final int MAX_BYTES = 16 << 10;

    private record Stretch(char mark, ByteArrayOutputStream bytes) {}

    private final List<Stretch> stretches = new ArrayList<>();
    private int left = MAX_BYTES;

    @Override
    public void sent(byte[] bytes, int from, int length) {
        add('>', bytes, from, length);
    }

    @Override
    public void sent(ByteBuffer bytes) {
        add('>', bytes);
    }

    @Override
    public void received(byte[] bytes, int from, int length) {
        add('<', bytes, from, length);
    }

    @Override
    public void received(ByteBuffer bytes) {
        add('<', bytes);
    }

    @Override
    public void note(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        add('*', bytes, 0, bytes.length);
    }

    private void add(char mark, ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(bytes.position(), copy);
        add(mark, copy, 0, copy.length);
    }

    private synchronized void add(char mark, byte[] bytes, int from, int length) {
        if (stretches.isEmpty() || stretches.get(stretches.size() - 1).mark != mark || mark == '*') {
            stretches.add(new Stretch(mark, new ByteArrayOutputStream()));
        }
        int kept = Math.min(left, length);
        stretches.get(stretches.size() - 1).bytes.write(bytes, from, kept);
        left -= kept;
    }

    /** Returns it as text, as {@code diperf try} shows it. */
    synchronized String text(ClientPlugin plugin) {
        StringBuilder text = new StringBuilder();
        for (Stretch each : stretches) {
            byte[] bytes = each.bytes.toByteArray();
            String words = each.mark == '*'
                    ? new String(bytes, StandardCharsets.UTF_8)
                    : plugin.shown(each.mark == '>', bytes);
            words.lines()
                    .forEach(line ->
                            text.append(each.mark).append(' ').append(line).append('\n'));
        }
        return text.toString();
    }
}
