package org.diperf.plugins.parquet;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ExportPlugin;
import org.diperf.core.spi.ExportedCall;
import org.diperf.core.spi.ExportedRun;
import org.jspecify.annotations.Nullable;

/** One row a call, with the columns of the CSV export; what is not known is null. */
public final class ParquetExport implements ExportPlugin {

    /** Calls that are gathered before they are written. */
    static final int GROUP_ROWS = 1 << 17;

    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final long SECOND = 1_000_000_000;

    @Override
    public String id() {
        return "parquet";
    }

    @Override
    public String summary() {
        return "one row per call, with all measured values, for DuckDB, pandas and Spark";
    }

    @Override
    public CallExport begin(ExportedRun run, OutputStream to) throws IOException {
        CountingOutputStream counted = new CountingOutputStream(to);
        counted.write(MAGIC);
        return new File(run, counted);
    }

    private static final class File implements CallExport {

        private final ExportedRun run;
        private final CountingOutputStream to;
        private final long startEpochNanos;
        private final List<ColumnData> columns = new ArrayList<>();
        private final List<RowGroup> groups = new ArrayList<>();
        private final ColumnData epoch = column("intended_epoch_ns", Type.INT64, false);
        private final ColumnData intended = column("intended_ns", Type.INT64, false);
        private final ColumnData lag = column("send_lag_ns", Type.INT64, true);
        private final ColumnData response = column("response_ns", Type.INT64, false);
        private final ColumnData outcome = column("outcome", Type.BYTE_ARRAY, false);
        private final ColumnData tester = column("tester", Type.INT32, false);
        private final ColumnData client = column("client", Type.INT32, false);
        private final ColumnData number = column("call", Type.INT64, true);
        private final ColumnData stage = column("stage", Type.INT32, false);
        private final ColumnData request = column("request", Type.BYTE_ARRAY, false);
        private final ColumnData target = column("target", Type.BYTE_ARRAY, false);
        private final ColumnData bytes = column("bytes", Type.INT64, true);
        private final ColumnData first = column("first", Type.BOOLEAN, false);
        private final List<ColumnData> metrics = new ArrayList<>();
        /** {@code null}: calls have no trace ids. */
        private final @Nullable ColumnData trace;

        private int rows;
        private long allRows;

        File(ExportedRun run, CountingOutputStream to) {
            this.run = run;
            this.to = to;
            this.startEpochNanos =
                    run.startedAt().getEpochSecond() * SECOND + run.startedAt().getNano();
            for (ExportedRun.ExportedMetric metric : run.metrics()) {
                String unit = metric.unit().isEmpty() ? "" : " (" + metric.unit() + ")";
                metrics.add(column(metric.name() + unit, Type.DOUBLE, true));
            }
            trace = run.traced() ? column("trace", Type.BYTE_ARRAY, false) : null;
        }

        private ColumnData column(String name, Type type, boolean optional) {
            ColumnData column = new ColumnData(name, type, optional);
            columns.add(column);
            return column;
        }

        @Override
        public void add(ExportedCall call) throws IOException {
            epoch.add(startEpochNanos + call.intendedNanos());
            intended.add(call.intendedNanos());
            known(lag, call.lagNanos());
            response.add(call.responseNanos());
            outcome.add(call.outcome());
            tester.add(call.tester());
            client.add(call.client());
            known(number, call.call());
            stage.add(call.stage());
            request.add(run.request(call.request()));
            target.add(run.target(call.target()));
            known(bytes, call.bytes());
            first.add(call.first() ? 1 : 0);
            for (int i = 0; i < metrics.size(); i++) {
                double value = call.metric(i);
                if (Double.isNaN(value)) {
                    metrics.get(i).none();
                } else {
                    metrics.get(i).add(value);
                }
            }
            if (trace != null) {
                trace.add(call.trace());
            }
            if (++rows == GROUP_ROWS) {
                writeGroup();
            }
        }

        private static void known(ColumnData column, long value) {
            if (value == ExportedCall.UNKNOWN) {
                column.none();
            } else {
                column.add(value);
            }
        }

        private void writeGroup() throws IOException {
            List<ColumnChunk> chunks = new ArrayList<>();
            long plain = 0;
            for (ColumnData column : columns) {
                ColumnChunk chunk = column.write(to);
                plain += chunk.getMeta_data().getTotal_uncompressed_size();
                chunks.add(chunk);
            }
            groups.add(new RowGroup(chunks, plain, rows));
            allRows += rows;
            rows = 0;
        }

        @Override
        public void close() throws IOException {
            if (rows > 0) {
                writeGroup();
            }
            List<SchemaElement> schema = new ArrayList<>();
            schema.add(new SchemaElement("call").setNum_children(columns.size()));
            columns.forEach(column -> schema.add(column.schema()));
            long footer = to.position();
            Util.writeFileMetaData(new FileMetaData(1, schema, allRows, groups).setCreated_by("DiPerF"), to);
            long length = to.position() - footer;
            for (int i = 0; i < Integer.BYTES; i++) {
                to.write((int) (length >>> 8 * i));
            }
            to.write(MAGIC);
        }
    }
}
