package org.diperf.plugins.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;

/** The values of one column in the row group that is being gathered. Confined to one thread. */
final class ColumnData {

    private final String name;
    private final Type type;
    private final boolean optional;
    private final int[] present = new int[ParquetExport.GROUP_ROWS];
    private final int[] places;
    private final Map<String, Integer> dictionary = new LinkedHashMap<>();
    private final ByteArrayOutputStream values = new ByteArrayOutputStream();
    private int rows;
    private int held;

    /** @param type {@code INT32}, {@code INT64}, {@code DOUBLE}, {@code BOOLEAN}, or {@code BYTE_ARRAY} for words */
    ColumnData(String name, Type type, boolean optional) {
        this.name = name;
        this.type = type;
        this.optional = optional;
        this.places = new int[type == Type.BYTE_ARRAY || type == Type.BOOLEAN ? ParquetExport.GROUP_ROWS : 0];
    }

    SchemaElement schema() {
        SchemaElement schema = new SchemaElement(name)
                .setType(type)
                .setRepetition_type(optional ? FieldRepetitionType.OPTIONAL : FieldRepetitionType.REQUIRED);
        if (type == Type.BYTE_ARRAY) {
            schema.setConverted_type(ConvertedType.UTF8).setLogicalType(LogicalType.STRING(new StringType()));
        }
        return schema;
    }

    void none() {
        present[rows++] = 0;
    }

    void add(long value) {
        present[rows++] = 1;
        if (type == Type.BOOLEAN) {
            places[held] = (int) value;
        } else {
            Pages.little(values, value, type == Type.INT32 ? Integer.BYTES : Long.BYTES);
        }
        held++;
    }

    void add(double value) {
        present[rows++] = 1;
        Pages.little(values, Double.doubleToRawLongBits(value), Double.BYTES);
        held++;
    }

    void add(String word) {
        present[rows++] = 1;
        Integer place = dictionary.get(word);
        if (place == null) {
            place = dictionary.size();
            dictionary.put(word, place);
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            Pages.little(values, bytes.length, Integer.BYTES);
            values.writeBytes(bytes);
        }
        places[held++] = place;
    }

    /** Writes what was gathered, and starts again. */
    ColumnChunk write(CountingOutputStream to) throws IOException {
        long begin = to.position();
        ColumnMetaData data =
                new ColumnMetaData(type, encodings(), List.of(name), CompressionCodec.GZIP, rows, 0, 0, 0);
        long[] sizes = {0};
        ByteArrayOutputStream page = new ByteArrayOutputStream(values.size() + rows);
        if (optional) {
            ByteArrayOutputStream levels = new ByteArrayOutputStream();
            Pages.bitPacked(levels, present, rows, 1);
            Pages.little(page, levels.size(), Integer.BYTES);
            page.writeBytes(levels.toByteArray());
        }
        if (type == Type.BYTE_ARRAY) {
            data.setDictionary_page_offset(begin);
            DictionaryPageHeader header = new DictionaryPageHeader(dictionary.size(), Encoding.PLAIN);
            page(
                    to,
                    values.toByteArray(),
                    sizes,
                    (plain, packed) ->
                            new PageHeader(PageType.DICTIONARY_PAGE, plain, packed).setDictionary_page_header(header));
            int width = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, dictionary.size() - 1));
            page.write(width);
            Pages.bitPacked(page, places, held, width);
        } else if (type == Type.BOOLEAN) {
            booleans(page);
        } else {
            page.writeBytes(values.toByteArray());
        }
        data.setData_page_offset(to.position());
        DataPageHeader header = new DataPageHeader(
                rows, type == Type.BYTE_ARRAY ? Encoding.RLE_DICTIONARY : Encoding.PLAIN, Encoding.RLE, Encoding.RLE);
        page(
                to,
                page.toByteArray(),
                sizes,
                (plain, packed) -> new PageHeader(PageType.DATA_PAGE, plain, packed).setData_page_header(header));
        data.setTotal_uncompressed_size(sizes[0]).setTotal_compressed_size(to.position() - begin);
        clear();
        return new ColumnChunk(begin).setMeta_data(data);
    }

    private List<Encoding> encodings() {
        List<Encoding> encodings = new ArrayList<>(List.of(Encoding.PLAIN, Encoding.RLE));
        if (type == Type.BYTE_ARRAY) {
            encodings.add(Encoding.RLE_DICTIONARY);
        }
        return encodings;
    }

    private void booleans(ByteArrayOutputStream page) {
        for (int i = 0; i < held; i += 8) {
            int bits = 0;
            for (int j = i; j < Math.min(held, i + 8); j++) {
                bits |= places[j] << j - i;
            }
            page.write(bits);
        }
    }

    private interface Header {
        PageHeader of(int plain, int packed);
    }

    private static void page(CountingOutputStream to, byte[] plain, long[] sizes, Header header) throws IOException {
        byte[] packed = Pages.gzip(plain);
        long before = to.position();
        Util.writePageHeader(header.of(plain.length, packed.length), to);
        sizes[0] += to.position() - before + plain.length;
        to.write(packed);
    }

    private void clear() {
        rows = 0;
        held = 0;
        dictionary.clear();
        values.reset();
    }
}
