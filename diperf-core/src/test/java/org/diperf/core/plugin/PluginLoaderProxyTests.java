package org.diperf.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.JavaJourney;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a jar is wrapped by hand is asked everything that a bundled one is. */
class PluginLoaderProxyTests {

    @ParameterizedTest
    @ValueSource(classes = {AsyncClient.class, BlockingClient.class, JavaJourney.class})
    void noMethodOfThePluginIsLeftToItsDefault(Class<?> type) {
        Class<?>[] wrappers = PluginLoaderProxy.class.getDeclaredClasses();
        assertThat(wrappers).isNotEmpty();
        Class<?> wrapper = Arrays.stream(wrappers)
                .filter(type::isAssignableFrom)
                .findFirst()
                .orElseThrow();
        for (Method method : type.getDeclaredMethods()) {
            if (!method.isSynthetic()) {
                assertThat(wrapper.getDeclaredMethods())
                        .as("%s passes on %s", wrapper.getSimpleName(), method)
                        .anyMatch(own -> own.getName().equals(method.getName())
                                && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
            }
        }
    }
}
