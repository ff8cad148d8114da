package org.diperf.plugins.formats;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls as lines of a CSV file. */
@Timeout(60)
class CsvFormatTests {

    @Test
    void everyCallIsALineInGlobalTimeWithAllThatWasMeasured() throws IOException {
        MadeCalls run = new MadeCalls(1_000_000_000L, "browse", "order, by \"mail\"")
                .call(1, 0, 0, 1000, 1001, 1012.5, "ok", 300)
                .call(2, 1, 1, 2000, 2000, 2030, "status 503", 0)
                .call(1, 0, 0, 3000, 3000, 3001, "ok", 7);

        List<String> lines = run.written(new CsvFormat()).lines().toList();

        assertThat(lines.get(0))
                .isEqualTo("intended_epoch_ns,intended_ns,send_lag_ns,response_ns,outcome,tester,client,call,stage,"
                        + "request,target,bytes,first");
        assertThat(lines.subList(1, lines.size()))
                .containsExactlyInAnyOrder(
                        "1795255201123000000,1000000000,1000000,12500000,ok,1,0,0,0,browse,http://127.0.0.1:8080/,300,0",
                        "1795255203123000000,3000000000,0,1000000,ok,1,0,1,0,browse,http://127.0.0.1:8080/,7,0",
                        "1795255202123000000,2000000000,0,30000000,status 503,2,1,0,0,\"order, by \"\"mail\"\"\","
                                + "http://127.0.0.1:8080/,0,0");
    }
}
