package org.diperf.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;

/** What the parameters of every plugin keep to, of whichever kind it is. */
public final class ParameterContract {

    private ParameterContract() {}

    /**
     * Checks parameters and those within them: each name once, each with a line of help, defaults that can be read, words and
     * parsers where they mean something, and keys of all mappings and of nothing else.
     */
    public static void check(List<Parameter> parameters) {
        assertThat(parameters.stream().map(Parameter::name)).doesNotHaveDuplicates();
        for (Parameter parameter : parameters) {
            Type type = parameter.type();
            boolean holdsMappings =
                    List.of(Type.MAPPING, Type.MAPPINGS, Type.NAMED).contains(type);
            assertThat(parameter.help())
                    .as("help of %s", parameter.name())
                    .isNotBlank()
                    .doesNotContain("\n");
            assertThat(parameter.keys().isEmpty())
                    .as("keys of %s", parameter.name())
                    .isEqualTo(!holdsMappings);
            assertThat(parameter.content().parser() == null
                            || List.of(Type.STRING, Type.INTEGER, Type.NUMBER, Type.DURATION, Type.SIZE, Type.TEXTS)
                                    .contains(type))
                    .as("parser of %s", parameter.name())
                    .isTrue();
            if (parameter.fallback() != null) {
                assertThat(Parameters.read(List.of(parameter), Map.of(), 1).has(parameter.name()))
                        .isTrue();
            }
            check(parameter.keys());
        }
    }
}
