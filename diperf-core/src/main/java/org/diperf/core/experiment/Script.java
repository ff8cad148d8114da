package org.diperf.core.experiment;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.diperf.core.plan.CallGroup;
import org.diperf.core.plan.Journey;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;

/**
 * What clients do besides what their plugin's parameters say.
 *
 * @param requests of the mix, or the steps of all journeys; empty: all calls make the same request
 * @param journeys what an iteration does; empty: it makes one call, of the mix
 * @param groups of calls that are measured as a whole
 * @param before steps that each client takes before its first call, in this order
 * @param data files whose rows calls use
 * @param columns of the data files, as used in texts: {@code users.name}
 * @param secrets that texts use
 * @param capture which calls are shown whole
 * @param trace whether calls are known to a tracing system
 */
public record Script(
        List<RequestSettings> requests,
        List<Journey> journeys,
        List<CallGroup> groups,
        List<RequestSettings> before,
        List<DataSettings> data,
        List<String> columns,
        Secrets secrets,
        CaptureSettings capture,
        TraceSettings trace)
        implements Names {

    /** All calls are alike. */
    public static final Script NONE = new Script(List.of(), List.of(), List.of(), List.of(), Secrets.NONE);

    /** Makes one without journeys, whose calls are neither shown nor traced. */
    public Script(
            List<RequestSettings> requests,
            List<RequestSettings> before,
            List<DataSettings> data,
            List<String> columns,
            Secrets secrets) {
        this(requests, List.of(), List.of(), before, data, columns, secrets, CaptureSettings.NONE, TraceSettings.NONE);
    }

    public Script {
        requests = List.copyOf(requests);
        journeys = List.copyOf(journeys);
        groups = List.copyOf(groups);
        before = List.copyOf(before);
        data = List.copyOf(data);
        columns = List.copyOf(columns);
    }

    /** Returns the same with other requests, as a mix. */
    public Script with(List<RequestSettings> others) {
        return new Script(others, List.of(), List.of(), before, data, columns, secrets, capture, trace);
    }

    /** Returns the same with other data files. */
    public Script withData(List<DataSettings> others) {
        return new Script(requests, journeys, groups, before, others, columns, secrets, capture, trace);
    }

    /** Returns the same without the values of its secrets. */
    public Script withoutSecrets() {
        return new Script(requests, journeys, groups, before, data, columns, Secrets.NONE, capture, trace);
    }

    /** Returns the same with other calls shown. */
    public Script with(CaptureSettings other) {
        return new Script(requests, journeys, groups, before, data, columns, secrets, other, trace);
    }

    /** Returns the same with other traces. */
    public Script with(TraceSettings other) {
        return new Script(requests, journeys, groups, before, data, columns, secrets, capture, other);
    }

    /** Lists the classes that journeys are, each once. */
    public List<String> code() {
        return journeys.stream()
                .flatMap(journey -> journey.moves().stream())
                .filter(Journey.Move.Code.class::isInstance)
                .map(move -> ((Journey.Move.Code) move).type())
                .distinct()
                .toList();
    }

    /** Returns whether a data file may be used up, so that clients end before their time. */
    public boolean mayRunOut() {
        return data.stream().anyMatch(each -> each.give() == DataSettings.Give.PER_CALL && !each.repeats());
    }

    /**
     * Makes it for a rehearsal: it asks nobody for values, checks nothing and takes no row; its texts find all names empty. The
     * steps of journeys are a mix then.
     */
    public Script rehearsed() {
        List<RequestSettings> alike = requests.stream()
                .filter(request ->
                        request.plugin().isEmpty() && request.target().isEmpty())
                .map(request -> new RequestSettings(
                        request.name(), request.weight() > 0 ? request.weight() : 1, request.with(), Map.of()))
                .toList();
        return new Script(
                alike, List.of(), List.of(), List.of(), List.of(), List.copyOf(values()), secrets, capture, trace);
    }

    /** Lists what calls may be, in the order of their numbers: the mix or the steps of journeys, then what comes before it. */
    public List<RequestSettings> calls() {
        List<RequestSettings> calls = new ArrayList<>(requests);
        if (requests.isEmpty()) {
            calls.add(new RequestSettings("all", 1, Map.of(), Map.of()));
        }
        calls.addAll(before);
        return List.copyOf(calls);
    }

    /** Returns the number of the first call that the client's own plugin makes to the experiment's targets; below 0: there is none. */
    public int firstOwn() {
        List<RequestSettings> calls = calls();
        for (int i = 0; i < calls.size(); i++) {
            if (calls.get(i).plugin().isEmpty() && calls.get(i).target().isEmpty()) {
                return i;
            }
        }
        return -1;
    }

    /** Lists the ids of the plugins that calls need, the client's own first. */
    public List<String> plugins(String own) {
        Set<String> ids = new LinkedHashSet<>();
        ids.add(own);
        calls().forEach(call -> ids.add(call.plugin().isEmpty() ? own : call.plugin()));
        return List.copyOf(ids);
    }

    /**
     * Reads the parameters of what calls may be, in the order of their numbers.
     *
     * @param own id of the client's plugin
     * @param declared by a plugin, of its id
     * @param with of all calls, as written in the file; used where there is no mix
     * @param seed of the experiment
     * @throws Parameters.Unusable for the first value that cannot be used
     */
    public List<Parameters> parameters(
            String own, Function<String, List<Parameter>> declared, Map<String, Object> with, long seed) {
        List<Parameters> parameters = new ArrayList<>();
        for (RequestSettings call : calls()) {
            Map<String, Object> raw = requests.isEmpty() && parameters.isEmpty() ? with : call.with();
            // Random values at the same place of two requests shall not be the same ones.
            parameters.add(Parameters.read(
                    declared.apply(call.plugin().isEmpty() ? own : call.plugin()),
                    raw,
                    seed + parameters.size() * 0xD6E8FEB86659FD93L,
                    this));
        }
        return List.copyOf(parameters);
    }

    /** Lists the names of what calls may be, in the order of their numbers: the mix, then what comes before it. */
    public List<String> requestNames() {
        return calls().stream().map(RequestSettings::name).toList();
    }

    @Override
    public Set<String> values() {
        Set<String> values = new LinkedHashSet<>(columns);
        calls().forEach(request -> values.addAll(request.capture().keySet()));
        journeys.forEach(journey -> journey.moves().forEach(move -> {
            if (move instanceof Journey.Move.Set set) {
                values.add(set.name());
            } else if (move instanceof Journey.Move.Code code) {
                values.addAll(code.values());
            }
        }));
        return values;
    }

    @Override
    public String secret(String reference) {
        String value = secrets.values().get(reference);
        if (value == null) {
            throw new IllegalArgumentException("expected the secret '" + reference + "', got none");
        }
        return value;
    }
}
