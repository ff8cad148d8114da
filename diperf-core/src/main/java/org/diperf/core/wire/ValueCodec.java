package org.diperf.core.wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Trees of null, boolean, long, double, text, list and map: what an experiment file holds. Depth and number of values
 * are bounded. One object reads or writes one tree.
 */
final class ValueCodec {

    static final int MAX_DEPTH = 32;
    static final int MAX_VALUES = 100_000;

    private static final int NULL = 0;
    private static final int FALSE = 1;
    private static final int TRUE = 2;
    private static final int LONG = 3;
    private static final int DOUBLE = 4;
    private static final int TEXT = 5;
    private static final int LIST = 6;
    private static final int MAP = 7;

    private int values;

    void writeMap(Map<?, ?> map, WireOutput out) {
        writeEntries(map, out, 1);
    }

    private void write(@Nullable Object value, WireOutput out, int depth) {
        if (depth > MAX_DEPTH || ++values > MAX_VALUES) {
            throw new IllegalArgumentException("Expected values of at most " + MAX_DEPTH + " levels and " + MAX_VALUES
                    + " values in total, got more");
        }
        if (value == null) {
            out.int8(NULL);
        } else if (value instanceof Boolean bool) {
            out.int8(bool ? TRUE : FALSE);
        } else if (value instanceof Long
                || value instanceof Integer
                || value instanceof Short
                || value instanceof Byte) {
            out.int8(LONG);
            out.int64(((Number) value).longValue());
        } else if (value instanceof Double || value instanceof Float) {
            out.int8(DOUBLE);
            out.decimal(((Number) value).doubleValue());
        } else if (value instanceof String text) {
            out.int8(TEXT);
            out.text(text);
        } else if (value instanceof List<?> list) {
            out.int8(LIST);
            out.int32(list.size());
            for (Object item : list) {
                write(item, out, depth + 1);
            }
        } else if (value instanceof Map<?, ?> map) {
            out.int8(MAP);
            writeEntries(map, out, depth + 1);
        } else {
            throw new IllegalArgumentException(
                    "Expected null, a boolean, a number of at most 64 bits, text, a list or a map; got "
                            + value.getClass().getSimpleName() + " " + value);
        }
    }

    private void writeEntries(Map<?, ?> map, WireOutput out, int depth) {
        out.int32(map.size());
        map.forEach((name, value) -> {
            if (!(name instanceof String text)) {
                throw new IllegalArgumentException("Expected text as a map's key, got " + name);
            }
            out.text(text);
            write(value, out, depth);
        });
    }

    Map<String, Object> readMap(WireInput in) throws WireException {
        return readEntries(in, 1);
    }

    private @Nullable Object read(WireInput in, int depth) throws WireException {
        if (depth > MAX_DEPTH || ++values > MAX_VALUES) {
            throw new WireException("Expected values of at most " + MAX_DEPTH + " levels and " + MAX_VALUES
                    + " values in total, got more");
        }
        int tag = in.uint8();
        return switch (tag) {
            case NULL -> null;
            case FALSE -> Boolean.FALSE;
            case TRUE -> Boolean.TRUE;
            case LONG -> in.int64();
            case DOUBLE -> in.decimal();
            case TEXT -> in.text();
            case LIST -> readItems(in, depth + 1);
            case MAP -> readEntries(in, depth + 1);
            default -> throw new WireException("Expected a value type from 0 to " + MAP + ", got " + tag);
        };
    }

    private List<@Nullable Object> readItems(WireInput in, int depth) throws WireException {
        int count = in.count();
        List<@Nullable Object> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(read(in, depth));
        }
        return items;
    }

    @SuppressWarnings("NullAway") // A null is a value of the experiment file; the contract names them Object.
    private Map<String, Object> readEntries(WireInput in, int depth) throws WireException {
        int count = in.count();
        Map<String, Object> entries = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String name = in.text();
            if (entries.containsKey(name)) {
                throw new WireException("Expected unique map keys, got '" + name + "' twice");
            }
            entries.put(name, read(in, depth));
        }
        return entries;
    }
}
