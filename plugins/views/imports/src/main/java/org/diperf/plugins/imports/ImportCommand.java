package org.diperf.plugins.imports;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.diperf.core.spi.CommandContext;
import org.diperf.core.spi.CommandPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Text;

/** Makes a run directory of what another program measured. */
public final class ImportCommand implements CommandPlugin {

    private static final String FILE = "file";
    private static final String COLUMNS = "columns";
    private static final String NO_HEADER = "no-header";
    private static final String SEPARATOR = "separator";
    private static final String NO_PROGRESS = "no-progress";
    private static final String JSON = "json";
    private static final String NAME = "name";
    private static final String OUT = "out";

    @Override
    public String id() {
        return "import";
    }

    @Override
    public String summary() {
        return "converts a CSV file of calls, such as JMeter's JTL, into a run directory";
    }

    @Override
    public String help() {
        return "Converts a CSV file of calls into a run directory that report, compare and export can use. "
                + "Reads the output of diperf export, JMeter's JTL, and any CSV file with a header and columns "
                + "for time and latency. Values that the file lacks are absent from the results, not zero.";
    }

    @Override
    public List<String> examples() {
        return List.of(
                "import results.jtl",
                "import calls.csv --out runs/yesterday",
                "import log.csv --columns time=timestamp,latency=took:ms,client=thread,code=status",
                "import log.tsv.gz --separator tab --no-header --columns time=1:s,latency=4:us,code=3");
    }

    @Override
    public String exitCodes() {
        return "0 done, even if some rows could not be read; 2 bad usage; 3 no row could be read.";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.required(
                                FILE,
                                Type.STRING,
                                "A CSV file or JMeter JTL file; gzip-compressed files are read directly")
                        .in("FILE"),
                Parameter.optional(
                                COLUMNS,
                                Type.TEXTS,
                                "Maps fields to columns whose names differ, e.g. latency=took:ms. Fields: time (since 1970 in s,"
                                        + " ms, us or ns, or ISO 8601), latency, lag, outcome, success, code, client, request,"
                                        + " target, bytes, tester. A column's unit (ns, us, ms, s) is the suffix of its name"
                                        + " (took_ms) or specified explicitly (latency=took:ms)")
                        .in("FIELD=COLUMN"),
                Parameter.withDefault(
                        NO_HEADER,
                        Type.BOOLEAN,
                        "false",
                        "The first row is a call, not a header; columns are named by number, from 1"),
                Parameter.optional(SEPARATOR, Type.STRING, "Field separator, e.g. ; or tab. Default: a comma")
                        .in("CHARACTER"),
                Parameter.withDefault(NO_PROGRESS, Type.BOOLEAN, "false", "Print the result without progress"),
                Parameter.withDefault(
                        JSON,
                        Type.BOOLEAN,
                        "false",
                        "Print the result as one JSON document; all other text goes to standard error"),
                Parameter.optional(NAME, Type.STRING, "Name of the experiment. Default: the file's name")
                        .in("NAME"),
                Parameter.optional(OUT, Type.STRING, "Run directory to write, new or empty. Default: runs/NAME-UTCTIME")
                        .in("DIR"));
    }

    @Override
    public List<String> arguments() {
        return List.of(FILE);
    }

    @Override
    public Map<String, String> letters() {
        return Map.of(OUT, "o");
    }

    @Override
    public int run(CommandContext context) throws Exception {
        Parameters with = context.with();
        Path file = context.path(with.string(FILE));
        if (!Files.isRegularFile(file)) {
            context.tell("Expected a CSV file, got " + (Files.exists(file) ? "none" : "nothing") + " at " + file
                    + "; specify the file that contains the calls");
            return USAGE;
        }
        Layout layout = new Layout(columns(with), !with.bool(NO_HEADER), separator(with));
        return context.importRun(
                new CommandContext.Imported(
                        file,
                        with.has(NAME) ? with.string(NAME) : nameOf(file),
                        with.has(OUT) ? Optional.of(context.path(with.string(OUT))) : Optional.empty(),
                        !with.bool(NO_PROGRESS),
                        with.bool(JSON)),
                new CsvCalls(file, layout));
    }

    private static Map<String, String> columns(Parameters with) {
        Map<String, String> columns = new LinkedHashMap<>();
        for (Text text : with.texts(COLUMNS)) {
            String given = text.fixed();
            int equals = given.indexOf('=');
            if (equals < 0) {
                throw new Parameters.Unusable(
                        COLUMNS, "expected FIELD=COLUMN, such as latency=took:ms, got '" + given + "'");
            }
            columns.put(given.substring(0, equals), given.substring(equals + 1));
        }
        return columns;
    }

    private static char separator(Parameters with) {
        String given = with.has(SEPARATOR) ? with.string(SEPARATOR) : ",";
        String character = given.equals("tab") || given.equals("\\t") ? "\t" : given;
        if (character.length() != 1 || "\"\r\n".contains(character)) {
            throw new Parameters.Unusable(
                    SEPARATOR, "expected a single character, e.g. ;, or the word tab, got '" + given + "'");
        }
        return character.charAt(0);
    }

    private static String nameOf(Path file) {
        String name = file.getFileName().toString().replaceFirst("\\.gz$", "").replaceFirst("\\.[A-Za-z0-9-]+$", "");
        String plain =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]+", "-").replaceAll("^-+|-+$", "");
        return plain.isEmpty() ? "import" : plain;
    }
}
