package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.controller.cli.JUnitXml.Case;
import org.diperf.controller.cli.JUnitXml.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class JUnitXmlTests {

    private static Case named(String group, String name) {
        return new Case(group, name, Outcome.PASSED, "", 0);
    }

    @Test
    void equalThresholdsOfOneRunAreCasesOfDifferentNames() {
        String xml = JUnitXml.xml(
                "suite",
                List.of(
                        named("orders", "failed < 1%"),
                        named("orders", "failed < 1% (2)"),
                        named("orders", "failed < 1%"),
                        named("orders", "failed < 1%"),
                        named("others", "failed < 1%")));
        Matcher names =
                Pattern.compile("classname=\"(\\w+)\" name=\"([^\"]+)\"").matcher(xml);
        assertThat(names.results().map(found -> found.group(1) + ": " + found.group(2)))
                .containsExactly(
                        "orders: failed &lt; 1%",
                        "orders: failed &lt; 1% (2)",
                        "orders: failed &lt; 1% (3)",
                        "orders: failed &lt; 1% (4)",
                        "others: failed &lt; 1%");
    }
}
