package org.diperf.plugins.formats;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * Histograms by number of a quantum and tag, of which only those that were used last are ready for use: the others are kept
 * compressed, at some hundred bytes each. Confined to one thread.
 */
final class CompressedHistograms {

    private static final int READY = 128;
    private static final int DIGITS = 3;

    /** Which histogram; ordered by quantum and tag. */
    private record Key(int tag, int at) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return at != other.at ? Integer.compare(at, other.at) : Integer.compare(tag, other.tag);
        }
    }

    private final LinkedHashMap<Key, Histogram> ready = new LinkedHashMap<>(2 * READY, 0.75f, true);
    private TreeMap<Key, byte[]> packed = new TreeMap<>();
    private ByteBuffer room = ByteBuffer.allocate(1 << 16);
    private Key lastKey = new Key(Integer.MIN_VALUE, 0);
    private Histogram last = new Histogram(DIGITS);

    /** Returns a histogram, empty at first; it may be used until the next one is asked for. */
    Histogram at(int tag, int at) {
        if (lastKey.tag == tag && lastKey.at == at) {
            return last;
        }
        Key key = new Key(tag, at);
        Histogram found = ready.get(key);
        if (found == null) {
            byte[] bytes = packed.remove(key);
            found = bytes == null ? new Histogram(DIGITS) : unpacked(bytes);
            ready.put(key, found);
            if (ready.size() > READY) {
                packEldest();
            }
        }
        lastKey = key;
        last = found;
        return found;
    }

    private void packEldest() {
        Iterator<Map.Entry<Key, Histogram>> entries = ready.entrySet().iterator();
        Map.Entry<Key, Histogram> eldest = entries.next();
        packed.put(eldest.getKey(), packed(eldest.getValue()));
        entries.remove();
    }

    private byte[] packed(Histogram histogram) {
        int most = histogram.getNeededByteBufferCapacity();
        if (room.capacity() < most) {
            room = ByteBuffer.allocate(2 * most);
        }
        room.clear();
        int length = histogram.encodeIntoCompressedByteBuffer(room);
        byte[] bytes = new byte[length];
        room.flip().get(bytes);
        return bytes;
    }

    private static Histogram unpacked(byte[] bytes) {
        try {
            Histogram histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 1);
            histogram.setAutoResize(true);
            return histogram;
        } catch (DataFormatException e) {
            throw new IllegalStateException("A histogram that was compressed here cannot be decompressed", e);
        }
    }

    /** Joins each quantum of an even number with the one behind it. */
    void halve() {
        while (!ready.isEmpty()) {
            packEldest();
        }
        lastKey = new Key(Integer.MIN_VALUE, 0);
        TreeMap<Key, byte[]> joined = new TreeMap<>();
        packed.forEach((key, bytes) -> joined.merge(new Key(key.tag, key.at / 2), bytes, (one, other) -> {
            Histogram sum = unpacked(one);
            sum.add(unpacked(other));
            return packed(sum);
        }));
        packed = joined;
    }

    /** Lists the tags of a quantum, rising. */
    List<Integer> tags(int at) {
        while (!ready.isEmpty()) {
            packEldest();
        }
        lastKey = new Key(Integer.MIN_VALUE, 0);
        List<Integer> tags = new ArrayList<>();
        packed.subMap(new Key(Integer.MIN_VALUE, at), new Key(Integer.MIN_VALUE, at + 1))
                .keySet()
                .forEach(key -> tags.add(key.tag));
        return tags;
    }
}
