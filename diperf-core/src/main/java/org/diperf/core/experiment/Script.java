package org.diperf.core.experiment;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;

/**
 * What clients do besides what their plugin's parameters say.
 *
 * @param requests of the mix; empty: all calls make the same request
 * @param before steps that each client takes before its first call, in this order
 * @param data files whose rows calls use
 * @param columns of the data files, as used in texts: {@code users.name}
 * @param secrets that texts use
 * @param capture which calls are shown whole
 */
public record Script(
        List<RequestChoice> requests,
        List<RequestChoice> before,
        List<DataChoice> data,
        List<String> columns,
        Secrets secrets,
        CaptureChoice capture)
        implements Names {

    /** All calls are alike. */
    public static final Script NONE = new Script(List.of(), List.of(), List.of(), List.of(), Secrets.NONE);

    /** Makes one of whose calls none is shown. */
    public Script(
            List<RequestChoice> requests,
            List<RequestChoice> before,
            List<DataChoice> data,
            List<String> columns,
            Secrets secrets) {
        this(requests, before, data, columns, secrets, CaptureChoice.NONE);
    }

    public Script {
        requests = List.copyOf(requests);
        before = List.copyOf(before);
        data = List.copyOf(data);
        columns = List.copyOf(columns);
    }

    /** Returns the same with other requests. */
    public Script with(List<RequestChoice> others) {
        return new Script(others, before, data, columns, secrets, capture);
    }

    /** Returns the same with other data files. */
    public Script withData(List<DataChoice> others) {
        return new Script(requests, before, others, columns, secrets, capture);
    }

    /** Returns the same without the values of its secrets. */
    public Script withoutSecrets() {
        return new Script(requests, before, data, columns, Secrets.NONE, capture);
    }

    /** Returns the same with other calls shown. */
    public Script with(CaptureChoice other) {
        return new Script(requests, before, data, columns, secrets, other);
    }

    /** Returns whether a data file may be used up, so that clients end before their time. */
    public boolean mayRunOut() {
        return data.stream().anyMatch(each -> each.give() == DataChoice.Give.PER_CALL && !each.repeats());
    }

    /** Makes it for a rehearsal: it asks nobody for values and takes no row; its texts find all names empty. */
    public Script rehearsed() {
        return new Script(requests, List.of(), List.of(), List.copyOf(values()), secrets, capture);
    }

    /**
     * Reads the parameters of what calls may be, in the order of their numbers.
     *
     * @param declared by the plugin
     * @param with of all calls, as written in the file; used where there is no mix
     * @param seed of the experiment
     * @throws Parameters.Unusable for the first value that cannot be used
     */
    public List<Parameters> parameters(List<Parameter> declared, Map<String, Object> with, long seed) {
        List<Map<String, Object>> raw = new ArrayList<>();
        requests.forEach(request -> raw.add(request.with()));
        if (requests.isEmpty()) {
            raw.add(with);
        }
        before.forEach(request -> raw.add(request.with()));
        List<Parameters> parameters = new ArrayList<>();
        for (Map<String, Object> each : raw) {
            // Random values at the same place of two requests shall not be the same ones.
            parameters.add(Parameters.read(declared, each, seed + parameters.size() * 0xD6E8FEB86659FD93L, this));
        }
        return List.copyOf(parameters);
    }

    /** Lists the names of what calls may be, in the order of their numbers: the mix, then what comes before it. */
    public List<String> requestNames() {
        List<String> names = new ArrayList<>();
        requests.forEach(request -> names.add(request.name()));
        if (requests.isEmpty()) {
            names.add("all");
        }
        before.forEach(request -> names.add(request.name()));
        return List.copyOf(names);
    }

    @Override
    public Set<String> values() {
        Set<String> values = new LinkedHashSet<>(columns);
        before.forEach(request -> values.addAll(request.capture().keySet()));
        return values;
    }

    @Override
    public String secret(String reference) {
        String value = secrets.values().get(reference);
        if (value == null) {
            throw new IllegalArgumentException("wanted the secret '" + reference + "', found that nobody has sent it");
        }
        return value;
    }
}
