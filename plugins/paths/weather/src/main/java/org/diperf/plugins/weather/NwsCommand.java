package org.diperf.plugins.weather;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.CommandContext;
import org.diperf.core.spi.CommandPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.jspecify.annotations.Nullable;

/** Runs a part of the Network Weather Service, or asks it. */
public final class NwsCommand implements CommandPlugin {

    private static final int MAX_PORT = 65_535;
    private static final int MAX_KEPT = 100_000;
    private static final String ADDRESS = "HOST[:PORT]";
    private static final String WHAT = "what";
    private static final String NAME_SERVER = "name-server";

    @Override
    public String id() {
        return "nws";
    }

    @Override
    public String summary() {
        return "runs a name server, memory or sensor of the Network Weather Service, or asks one";
    }

    @Override
    public String help() {
        return "Runs a part of the Network Weather Service until stopped: nameserver, memory or sensor. clique and stop "
                + "start and stop a clique of sensors, which probe each other one at a time. search lists what is "
                + "registered; extract prints a series with forecasts. Servers answer anyone who can reach their port.";
    }

    @Override
    public List<String> examples() {
        return List.of(
                "nws nameserver --listen 10.0.0.1",
                "nws memory --listen 10.0.0.1 --dir series --name-server 10.0.0.1",
                "nws sensor --listen 10.0.0.2 --memory 10.0.0.1 --name-server 10.0.0.1",
                "nws clique wan --members 10.0.0.2,10.0.0.3 --period 60s",
                "nws search series --name-server 10.0.0.1",
                "nws extract latencyTcp --from 10.0.0.2 --to 10.0.0.3 --name-server 10.0.0.1");
    }

    @Override
    public String exitCodes() {
        return "0 done; 2 bad usage; 3 a server did not answer, or the port is not available.";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.required(
                                "action",
                                Type.STRING,
                                "What to do: nameserver, memory, sensor, clique, stop, search or extract")
                        .oneOf("nameserver", "memory", "sensor", "clique", "stop", "search", "extract"),
                Parameter.optional(
                        WHAT,
                        Type.STRING,
                        "The clique's name; for search a filter such as '(resource=freeMemory)' or one of "
                                + String.join(", ", Directory.words())
                                + "; for extract a series' name, or a resource with --from"),
                Parameter.withDefault("listen", Type.STRING, "127.0.0.1", "Address that a server listens on")
                        .in("HOST"),
                Parameter.optional(
                        "port", Type.INTEGER, "Port of a server. Default: 8090, of a memory 8050, of a sensor 8060"),
                Parameter.optional("name", Type.STRING, "How others reach a server; default: where it listens")
                        .in(ADDRESS),
                Parameter.withDefault(NAME_SERVER, Type.STRING, "127.0.0.1:8090", "The name server")
                        .in(ADDRESS),
                Parameter.withDefault("memory", Type.STRING, "127.0.0.1:8050", "The memory that a sensor reports to")
                        .in(ADDRESS),
                Parameter.withDefault("dir", Type.STRING, "nws-series", "Folder of a memory's series")
                        .in("DIR"),
                Parameter.withDefault("records", Type.INTEGER, "2000", "Values to keep, or to print, of a series"),
                Parameter.withDefault("disk", Type.STRING, "/", "Folder on the disk whose free space is measured")
                        .in("DIR"),
                Parameter.optional("log", Type.STRING, "File to which a sensor appends each probe, with its times")
                        .in("FILE"),
                Parameter.optional("members", Type.TEXTS, "Sensors of a clique, at least two")
                        .in(ADDRESS),
                Parameter.withDefault("period", Type.DURATION, "120s", "Time between rounds of a clique"),
                Parameter.withDefault("size", Type.SIZE, "64KiB", "Bytes sent to measure bandwidth, up to 64MiB"),
                Parameter.withDefault("buffer", Type.SIZE, "32KiB", "Socket buffers of probes, 1KiB to 64MiB"),
                Parameter.withDefault("message", Type.SIZE, "16KiB", "Bytes per write of probes"),
                Parameter.optional("from", Type.STRING, "The sensor that probes")
                        .in(ADDRESS),
                Parameter.optional("to", Type.STRING, "The sensor that is probed")
                        .in(ADDRESS),
                Parameter.withDefault("json", Type.BOOLEAN, "false", "Print JSON, for scripts"));
    }

    @Override
    public List<String> arguments() {
        return List.of("action", WHAT);
    }

    @Override
    public int run(CommandContext context) throws IOException {
        Parameters with = context.with();
        return switch (with.string("action")) {
            case "nameserver" -> nameServer(context);
            case "memory" -> memory(context);
            case "sensor" -> sensor(context);
            case "clique" -> clique(context);
            case "stop" -> stop(context);
            case "search" -> search(context);
            default -> extract(context);
        };
    }

    private static InetSocketAddress address(Parameters with, String option, int usual) {
        try {
            return Clique.address(with.string(option), usual);
        } catch (IllegalArgumentException e) {
            throw new Parameters.Unusable(option, String.valueOf(e.getMessage()));
        }
    }

    private static InetSocketAddress listen(Parameters with, int usual) {
        long port = with.has("port") ? with.integer("port") : usual;
        if (port < 0 || port > MAX_PORT) {
            throw new Parameters.Unusable("port", "expected 0 to " + MAX_PORT + ", got " + port);
        }
        InetSocketAddress address = new InetSocketAddress(with.string("listen"), (int) port);
        if (address.isUnresolved()) {
            throw new Parameters.Unusable(
                    "listen", "expected an address of this machine, got '" + with.string("listen") + "'");
        }
        return address;
    }

    private static Host host(CommandContext context, Host.Kind kind, int usual, Host.Service service)
            throws IOException {
        InetSocketAddress listen = listen(context.with(), usual);
        try {
            return new Host(kind, listen, service);
        } catch (IOException e) {
            throw new IOException(
                    "expected port " + listen.getPort() + " of " + listen.getHostString() + " to be free, got: "
                            + e.getMessage() + ". Choose another one with --listen and --port",
                    e);
        }
    }

    private static int await(CommandContext context, String what) {
        context.tell(what + "; press Ctrl-C to stop");
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            // That is how it ends.
        }
        return DONE;
    }

    private static String name(Parameters with, Host host) {
        InetSocketAddress named = with.has("name")
                ? address(with, "name", host.port())
                : InetSocketAddress.createUnresolved(with.string("listen"), host.port());
        return named.getHostString() + ":" + named.getPort();
    }

    private static int kept(Parameters with) {
        long records = with.integer("records");
        if (records < 1 || records > MAX_KEPT) {
            throw new Parameters.Unusable("records", "expected 1 to " + MAX_KEPT + ", got " + records);
        }
        return (int) records;
    }

    private static int nameServer(CommandContext context) throws IOException {
        try (Host host =
                host(context, Host.Kind.NAMESERVER, NameServer.PORT, new NameServer(new Registry(NanoClock.SYSTEM)))) {
            String name = name(context.with(), host);
            host.named(name, name);
            return await(context, "name server at " + name);
        }
    }

    private static Attributes registered(String name, String type) {
        int colon = name.lastIndexOf(':');
        return Attributes.of(
                "name",
                name,
                "objectclass",
                "nwsHost",
                "hostType",
                type,
                "ipAddress",
                name.substring(0, colon),
                "port",
                name.substring(colon + 1),
                "started",
                Instant.now().toString().replace(":", "."));
    }

    private static int memory(CommandContext context) throws IOException {
        Parameters with = context.with();
        InetSocketAddress nameServer = address(with, NAME_SERVER, NameServer.PORT);
        SeriesStore store = new SeriesStore(context.path(with.string("dir")), kept(with));
        try (Host host = host(context, Host.Kind.MEMORY, Memory.PORT, new Memory(store));
                Registrar registrar = new Registrar(nameServer)) {
            String name = name(with, host);
            host.named(name, with.string(NAME_SERVER));
            registrar.add(registered(name, "memory"));
            return await(context, "memory at " + name);
        }
    }

    private static int sensor(CommandContext context) throws IOException {
        Parameters with = context.with();
        InetSocketAddress nameServer = address(with, NAME_SERVER, NameServer.PORT);
        InetSocketAddress memory = address(with, "memory", Memory.PORT);
        Path disk = context.path(with.string("disk"));
        try (ProbeLog log = new ProbeLog(with.has("log") ? context.path(with.string("log")) : null);
                Registrar registrar = new Registrar(nameServer);
                Reporter reporter = new Reporter(memory, registrar, context::tell)) {
            LateSensor late = new LateSensor();
            try (Host host = host(context, Host.Kind.SENSOR, Sensor.PORT, late)) {
                String name = name(with, host);
                host.named(name, with.string(NAME_SERVER));
                try (Sensor sensor =
                        new Sensor(name, names(name, host.port()), reporter, registrar, log, NanoClock.SYSTEM)) {
                    late.is(sensor);
                    registrar.add(registered(name, "sensor"));
                    sensor.registerSkills();
                    sensor.measureItself(disk);
                    return await(context, "sensor at " + name);
                }
            }
        }
    }

    /** Its port, which its names have in them, is known only when it listens. */
    private static final class LateSensor implements Host.Service {

        private final CompletableFuture<Sensor> sensor = new CompletableFuture<>();

        void is(Sensor made) {
            sensor.complete(made);
        }

        @Override
        public @Nullable Message answer(Message request, Link link) throws IOException {
            return sensor.join().answer(request, link);
        }
    }

    private static Set<String> names(String name, int port) throws IOException {
        Set<String> all = new LinkedHashSet<>(List.of(name, "localhost:" + port));
        for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InetAddress address : Collections.list(each.getInetAddresses())) {
                String host = address.getHostAddress().replaceFirst("%.*", "");
                all.add((host.contains(":") ? "[" + host + "]" : host) + ":" + port);
            }
        }
        return all;
    }

    private static String what(Parameters with, String expected) {
        if (!with.has(WHAT)) {
            throw new Parameters.Unusable(WHAT, "expected " + expected + ", got nothing");
        }
        return with.string(WHAT);
    }

    private static int clique(CommandContext context) throws IOException {
        Parameters with = context.with();
        String name = what(with, "a name for the clique");
        List<String> members = new ArrayList<>();
        if (!with.has("members")) {
            throw new Parameters.Unusable("members", "expected at least two sensors, got none");
        }
        with.texts("members").forEach(each -> {
            InetSocketAddress member = Clique.address(each.fixed(), Sensor.PORT);
            members.add(member.getHostString() + ":" + member.getPort());
        });
        Clique clique = new Clique(
                name,
                0,
                members,
                with.duration("period"),
                new NetProbe.Settings(bytes(with, "size"), bytes(with, "buffer"), bytes(with, "message")));
        byte[] data = (name + "\0clique\0tcpMessageMonitor\0" + clique.options() + "\t\0")
                .getBytes(StandardCharsets.ISO_8859_1);
        List<String> refused = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            try {
                Message answer = Link.ask(clique.member(i), new Message(Message.ACTIVITY_START, data), Host.PATIENCE);
                if (answer.type() == Message.ACTIVITY_STARTED) {
                    context.print("clique " + name + " started at " + members.get(i));
                    return DONE;
                }
                refused.add(members.get(i) + " refused");
            } catch (IOException e) {
                refused.add(members.get(i) + ": " + e.getMessage());
            }
        }
        throw new IOException("expected a member that starts the clique, got: " + String.join("; ", refused));
    }

    private static int bytes(Parameters with, String option) {
        return (int) Math.min(Integer.MAX_VALUE, with.integer(option));
    }

    private static int stop(CommandContext context) throws IOException {
        Parameters with = context.with();
        String name = what(with, "the name of a clique");
        Attributes activity = new Directory(address(with, NAME_SERVER, NameServer.PORT)).named(name);
        InetSocketAddress sensor = Clique.address(activity.get("host"), Sensor.PORT);
        Message answer = Link.ask(sensor, Message.of(Message.ACTIVITY_STOP, name), Host.PATIENCE);
        if (answer.type() != Message.ACTIVITY_STOPPED) {
            throw new IOException("expected " + activity.get("host") + " to stop clique " + name + ", got a refusal");
        }
        context.print("clique " + name + " stopped");
        return DONE;
    }

    private static int search(CommandContext context) throws IOException {
        Parameters with = context.with();
        String filter = what(with, "a filter or one of " + String.join(", ", Directory.words()));
        if (!Directory.words().contains(filter)) {
            Filter.read(filter);
        }
        List<Attributes> found = new Directory(address(with, NAME_SERVER, NameServer.PORT)).search(filter);
        if (with.bool("json")) {
            context.print(
                    Map.of("objects", found.stream().map(Attributes::values).toList()));
            return DONE;
        }
        for (Attributes each : found) {
            context.print(each.values().entrySet().stream()
                    .map(attribute -> attribute.getKey() + ":" + attribute.getValue())
                    .collect(Collectors.joining(" ")));
        }
        return DONE;
    }

    private static int extract(CommandContext context) throws IOException {
        Parameters with = context.with();
        String what = what(with, "the name of a series, or a resource with --from");
        int most = Math.min(kept(with), State.MAX_RECORDS);
        Directory directory = new Directory(address(with, NAME_SERVER, NameServer.PORT));
        Attributes series;
        if (with.has("from") && with.has("to")) {
            String from = sensor(with, "from");
            String to = sensor(with, "to");
            Directory.Found found = directory.between(from, to, what);
            if (!found.from().equals(from) || !found.to().equals(to)) {
                context.tell(from + " and " + to + " do not probe each other; " + found.from() + " and " + found.to()
                        + " stand for them");
            }
            series = found.series();
        } else if (with.has("from")) {
            series = directory.named(Series.local(sensor(with, "from"), what).name());
        } else {
            series = directory.named(what);
        }
        Postcasts postcasts =
                new Postcasts(Memory.fetch(Clique.address(series.get("memory"), Memory.PORT), series.name(), most));
        if (with.bool("json")) {
            context.print(tree(series, postcasts));
        } else {
            lines(context, series, postcasts);
        }
        return DONE;
    }

    private static String sensor(Parameters with, String option) {
        InetSocketAddress address = address(with, option, Sensor.PORT);
        return address.getHostString() + ":" + address.getPort();
    }

    private static String cell(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.6g", value);
    }

    private static void lines(CommandContext context, Attributes series, Postcasts postcasts) {
        context.print("series " + series.name() + ", " + series.get("label"));
        context.print("time value mae-forecast mae mse-forecast rmse");
        for (Postcasts.Postcast each : postcasts.all()) {
            context.print(String.join(
                    " ",
                    String.format(Locale.ROOT, "%.0f", each.measured().unixSeconds()),
                    cell(each.measured().value()),
                    cell(each.absolute()),
                    cell(each.absoluteError()),
                    cell(each.square()),
                    cell(each.squareError())));
        }
        context.print("next " + cell(postcasts.next(false)) + " by " + postcasts.method(false) + ", "
                + cell(postcasts.next(true)) + " by " + postcasts.method(true));
    }

    private static Map<String, ?> tree(Attributes series, Postcasts postcasts) {
        List<Map<String, ?>> values = new ArrayList<>();
        for (Postcasts.Postcast each : postcasts.all()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("time", each.measured().unixSeconds());
            row.put("value", each.measured().value());
            if (!Double.isNaN(each.square())) {
                row.put("maeForecast", each.absolute());
                row.put("mae", each.absoluteError());
                row.put("mseForecast", each.square());
                row.put("rmse", each.squareError());
            }
            values.add(row);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("format", "diperf-nws/1");
        all.put("series", series.values());
        all.put("values", values);
        return all;
    }
}
