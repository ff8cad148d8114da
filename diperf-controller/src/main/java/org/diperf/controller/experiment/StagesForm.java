package org.diperf.controller.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.LoadTemplate;
import org.jspecify.annotations.Nullable;

/** {@code load: {stages: [{for: 2m, clients: 100}, {for: 10m}]}}: a number that moves from stage to stage. */
final class StagesForm {

    private static final Key<Duration> FOR = Key.required("for", Quantities.duration(true), "duration of the stage");
    private static final Key<Long> CLIENTS = Key.optional(
            "clients",
            Scalar.whole("clients", 0, LoadForms.MAX_CLIENTS),
            "number of clients at its end, reached linearly; default: unchanged");
    private static final Key<Double> RATE = Key.optional(
            "rate", Quantities.rate(false), "arrival rate at its end, reached linearly; default: unchanged");

    static final Key<List<FormValues>> STAGES = Key.required(
            "stages",
            new Shapes.ListOf<>(
                    "a list of at least one stage such as {for: 2m, clients: 100}",
                    Fields.of("a stage such as {for: 2m, clients: 100} or {for: 2m, rate: 500/s}", FOR, CLIENTS, RATE)
                            .hinting(besideHints()),
                    1),
            "stages, one after another; the first starts from 0");

    private StagesForm() {}

    private static Map<String, String> besideHints() {
        List<Key<?>> beside = new ArrayList<>(LoadTemplateKeys.keys());
        beside.add(LoadForms.ON_FAILURE);
        return LoadForms.besideHints("stages", beside);
    }

    static Form<Integer, LoadForms.Offered> form() {
        List<Key<?>> keys = new ArrayList<>(List.of(STAGES));
        keys.addAll(LoadTemplateKeys.keys());
        return LoadForms.form("a load", keys, StagesForm::load);
    }

    private static @Nullable LoadSettings load(FormValues load, int testers) {
        List<LoadSettings.Stages.Move> moves = new ArrayList<>();
        String of = "";
        double highest = 0;
        Duration whole = Duration.ZERO;
        for (FormValues stage : load.get(STAGES)) {
            Long clients = stage.find(CLIENTS);
            Double rate = stage.find(RATE);
            String found = clients != null ? CLIENTS.name() : rate != null ? RATE.name() : of;
            if (clients != null && rate != null || !of.isEmpty() && !found.equals(of)) {
                stage.problem("expected all stages with 'clients' or all with 'rate', got both");
                return null;
            }
            of = found;
            Double value = clients != null ? (Double) (double) clients : rate;
            highest = Math.max(highest, value == null ? 0 : value);
            whole = whole.plus(stage.get(FOR));
            moves.add(new LoadSettings.Stages.Move(value, stage.get(FOR)));
        }
        LoadForms.isTooLong(load, STAGES, whole, 1);
        if (highest == 0) {
            load.problem(STAGES, "expected a stage with 'clients' or a 'rate' above 0, got none");
            return null;
        }
        LoadTemplate template = LoadTemplateKeys.template(load, load, of, highest, testers);
        return template == null ? null : new LoadSettings.Stages(template, moves);
    }
}
