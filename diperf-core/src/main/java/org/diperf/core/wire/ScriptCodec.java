package org.diperf.core.wire;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.experiment.DataChoice;
import org.diperf.core.experiment.RequestChoice;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.Secrets;

/** Lays out scripts. The numbers that stand for alternatives are the wire's own, not an enum's order. */
final class ScriptCodec {

    private static final List<DataChoice.Give> GIVES =
            List.of(DataChoice.Give.ONE_PER_CLIENT, DataChoice.Give.PER_CALL, DataChoice.Give.RANDOM);

    private ScriptCodec() {}

    static void write(Script script, WireOutput out) {
        out.list(script.requests(), request -> writeRequest(request, out));
        out.list(script.before(), request -> writeRequest(request, out));
        out.list(script.data(), data -> {
            out.text(data.name());
            out.text(data.file());
            out.int8(GIVES.indexOf(data.give()));
            out.bool(data.repeats());
        });
        out.list(script.columns(), out::text);
        writeTexts(script.secrets().values(), out);
        out.int32(script.slice());
        out.int32(script.slices());
        out.int32(script.host());
    }

    static Script read(WireInput in) throws WireException {
        List<RequestChoice> requests = in.list(() -> readRequest(in));
        List<RequestChoice> before = in.list(() -> readRequest(in));
        List<DataChoice> data =
                in.list(() -> new DataChoice(in.text(), in.text(), GIVES.get(in.choice(GIVES.size())), in.bool()));
        List<String> columns = in.list(in::text);
        Secrets secrets = new Secrets(readTexts(in));
        int slice = in.int32();
        int slices = in.int32();
        int host = in.int32();
        if (slice < 0 || slice >= slices || host < 0) {
            throw new WireException(
                    "Wanted a slice below " + slices + " on a machine from 0, found " + slice + " on " + host);
        }
        return new Script(requests, before, data, columns, secrets, slice, slices, host);
    }

    private static void writeRequest(RequestChoice request, WireOutput out) {
        out.text(request.name());
        out.decimal(request.weight());
        new ValueCodec().writeMap(request.with(), out);
        writeTexts(request.capture(), out);
    }

    private static RequestChoice readRequest(WireInput in) throws WireException {
        String name = in.text();
        double weight = in.decimal();
        return new RequestChoice(name, weight, new ValueCodec().readMap(in), readTexts(in));
    }

    private static void writeTexts(Map<String, String> texts, WireOutput out) {
        out.int32(texts.size());
        texts.forEach((name, text) -> {
            out.text(name);
            out.text(text);
        });
    }

    private static Map<String, String> readTexts(WireInput in) throws WireException {
        int count = in.count();
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            texts.put(in.text(), in.text());
        }
        return texts;
    }
}
