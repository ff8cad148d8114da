package org.diperf.plugins.parquet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;

/** Reads a Parquet file by the format's own description, value by value; {@code null} where a row has none. */
record ParquetFile(FileMetaData footer, Map<String, List<Object>> columns) {

    static ParquetFile of(byte[] file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        String begin = new String(file, 0, 4, StandardCharsets.US_ASCII);
        String end = new String(file, file.length - 4, 4, StandardCharsets.US_ASCII);
        if (!begin.equals("PAR1") || !end.equals("PAR1")) {
            throw new IOException("Expected PAR1 at both ends, got " + begin + " and " + end);
        }
        int length = bytes.getInt(file.length - 8);
        FileMetaData footer = Util.readFileMetaData(new ByteArrayInputStream(file, file.length - 8 - length, length));
        Map<String, List<Object>> columns = new LinkedHashMap<>();
        for (RowGroup group : footer.getRow_groups()) {
            for (int i = 0; i < group.getColumnsSize(); i++) {
                SchemaElement schema = footer.getSchema().get(i + 1);
                columns.computeIfAbsent(schema.getName(), name -> new ArrayList<>())
                        .addAll(values(file, group.getColumns().get(i), schema));
            }
        }
        return new ParquetFile(footer, columns);
    }

    private static List<Object> values(byte[] file, ColumnChunk chunk, SchemaElement schema) throws IOException {
        ColumnMetaData meta = chunk.getMeta_data();
        List<Object> dictionary = new ArrayList<>();
        if (meta.isSetDictionary_page_offset()) {
            Page page = Page.at(file, meta.getDictionary_page_offset());
            int count = page.header.getDictionary_page_header().getNum_values();
            for (int i = 0; i < count; i++) {
                dictionary.add(plain(page.data, schema.getType()));
            }
        }
        Page page = Page.at(file, meta.getData_page_offset());
        int rows = page.header.getData_page_header().getNum_values();
        int[] present = new int[rows];
        Arrays.fill(present, 1);
        if (schema.getRepetition_type() == FieldRepetitionType.OPTIONAL) {
            int length = page.data.getInt();
            ByteBuffer levels = page.data.slice().order(ByteOrder.LITTLE_ENDIAN);
            present = hybrid(levels, 1, rows);
            page.data.position(page.data.position() + length);
        }
        int held = Arrays.stream(present).sum();
        boolean words = page.header.getData_page_header().getEncoding() == Encoding.RLE_DICTIONARY;
        int[] places = words ? hybrid(page.data, page.data.get(), held) : new int[0];
        boolean bits = schema.getType() == Type.BOOLEAN;
        int first = page.data.position();
        List<Object> values = new ArrayList<>(rows);
        int at = 0;
        for (int row = 0; row < rows; row++) {
            if (present[row] == 0) {
                values.add(null);
            } else if (words) {
                values.add(dictionary.get(places[at++]));
            } else if (bits) {
                values.add((page.data.get(first + at / 8) >> at++ % 8 & 1) == 1);
            } else {
                values.add(plain(page.data, schema.getType()));
            }
        }
        return values;
    }

    private static Object plain(ByteBuffer data, Type type) {
        return switch (type) {
            case INT32 -> data.getInt();
            case INT64 -> data.getLong();
            case DOUBLE -> data.getDouble();
            case BYTE_ARRAY -> {
                byte[] word = new byte[data.getInt()];
                data.get(word);
                yield new String(word, StandardCharsets.UTF_8);
            }
            default -> throw new IllegalArgumentException("no column has type " + type);
        };
    }

    /** Decodes runs and packed groups of eight. */
    private static int[] hybrid(ByteBuffer data, int width, int count) {
        int[] values = new int[count];
        int at = 0;
        while (at < count) {
            int header = varint(data);
            if ((header & 1) == 0) {
                int value = 0;
                for (int i = 0; i < (width + 7) / 8; i++) {
                    value |= (data.get() & 0xFF) << 8 * i;
                }
                for (int i = 0; i < header >>> 1 && at < count; i++) {
                    values[at++] = value;
                }
            } else {
                byte[] packed = new byte[(header >>> 1) * width];
                data.get(packed);
                for (int i = 0; i < (header >>> 1) * 8 && at < count; i++) {
                    int value = 0;
                    for (int bit = 0; bit < width; bit++) {
                        int position = i * width + bit;
                        value |= (packed[position / 8] >> position % 8 & 1) << bit;
                    }
                    values[at++] = value;
                }
            }
        }
        return values;
    }

    private static int varint(ByteBuffer data) {
        int value = 0;
        int shift = 0;
        int next = data.get();
        while (next < 0) {
            value |= (next & 0x7F) << shift;
            shift += 7;
            next = data.get();
        }
        return value | next << shift;
    }

    private record Page(PageHeader header, ByteBuffer data) {

        static Page at(byte[] file, long offset) throws IOException {
            ByteArrayInputStream from = new ByteArrayInputStream(file, (int) offset, file.length - (int) offset);
            PageHeader header = Util.readPageHeader(from);
            byte[] data = new GZIPInputStream(
                            new ByteArrayInputStream(from.readNBytes(header.getCompressed_page_size())))
                    .readAllBytes();
            if (data.length != header.getUncompressed_page_size()) {
                throw new IOException(
                        "Expected a page of " + header.getUncompressed_page_size() + " bytes, got " + data.length);
            }
            return new Page(header, ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN));
        }
    }
}
