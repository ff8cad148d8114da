package org.diperf.plugins.probe;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.diperf.core.spi.CommandContext;
import org.diperf.core.spi.CommandPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.plugins.lib.forecast.TransferForecast;

/** Predicts from the transfers of a run what others take. */
public final class TransferCommand implements CommandPlugin {

    private static final String RUN = "run";

    @Override
    public String id() {
        return "predict-transfers";
    }

    @Override
    public String partOf() {
        return "predict";
    }

    @Override
    public String summary() {
        return "predicts from a run of transfers how long a transfer of a given size will take: diperf predict "
                + "--bytes";
    }

    @Override
    public String help() {
        return "With --bytes, predicts how long a transfer of a given size will take, from a run that transferred "
                + "files of a few sizes, one after another.";
    }

    @Override
    public List<String> examples() {
        return List.of("predict runs/transfers --bytes 256MB,1GB");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.withDefault(RUN, Type.STRING, "", "A run folder").in("RUN_DIR"),
                Parameter.optional(
                                TransferSizes.BYTES,
                                Type.TEXTS,
                                "Predict how long transfers of these sizes take, such as 64MB,1GB")
                        .in("SIZE"));
    }

    @Override
    public List<String> arguments() {
        return List.of(RUN);
    }

    @Override
    public Map<String, String> letters() {
        return Map.of(TransferSizes.BYTES, "b");
    }

    @Override
    public int run(CommandContext context) throws IOException {
        List<Long> asked = TransferSizes.of(context.with());
        Path folder = context.run(context.with().string(RUN));
        RunTransfers run;
        try {
            run = RunTransfers.of(to -> context.calls(folder, to));
        } catch (RunTransfers.UnfitException e) {
            context.tell("diperf predict: this run does not show how long a transfer takes: " + e.getMessage());
            return NOT_CARRIED_OUT;
        }
        long[] sizes = run.sizes();
        context.print("transfers, from " + run.rounds() + (run.rounds() == 1 ? " round of " : " rounds of ")
                + LongStream.of(sizes).mapToObj(context::size).collect(Collectors.joining(", ")));
        context.print("");
        context.print(ProbeText.row("a transfer of", "takes", "9 of 10 within", ""));
        ProbeText text = new ProbeText(context);
        boolean told = false;
        for (long each : asked) {
            TransferForecast time = run.forecast(each);
            context.print(text.transfer(context.size(each), time, each, sizes[sizes.length - 1]));
            told |= time.reason() == null;
        }
        return told ? DONE : NOT_CARRIED_OUT;
    }
}
