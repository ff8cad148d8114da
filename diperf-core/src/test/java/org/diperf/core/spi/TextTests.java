package org.diperf.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.diperf.core.contract.CallProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class TextTests {

    private static final long SEED = 42;

    private static Call call(int client, long number) {
        return new CallProbe(client, number, Url.of("http://host/path"), 0);
    }

    private static String filled(String source) {
        return Text.parse(source, SEED).of(call(3, 17));
    }

    @Test
    void placeholdersAreFilledInForTheCall() {
        assertThat(filled("c${client}-${call} ${target}${client}!")).isEqualTo("c3-17 http://host/path3!");
    }

    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "plain, plain",
        "$5 and {x}, $5 and {x}",
        "$${client}, ${client}",
        "$$${client}, $${client}",
        "a$${b, a${b"
    })
    void aTextWithoutPlaceholdersIsConstantAndEscapesArePlain(String source, String wanted) {
        Text text = Text.parse(source, SEED);
        assertThat(text.isConstant()).isTrue();
        assertThat(text.of(call(0, 0))).isEqualTo(wanted);
        assertThat(text.of(call(1, 2))).isSameAs(text.of(call(0, 0)));
        assertThat(text).hasToString(source);
    }

    @Test
    void anEscapeMayStandBesideAPlaceholder() {
        assertThat(Text.parse("${call}", SEED).isConstant()).isFalse();
        assertThat(filled("$${${client}}")).isEqualTo("${3}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"${nope}", "${}", "${Client}", "${random}"})
    void aPlaceholderThatDoesNotExistIsTold(String source) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Text.parse(source, SEED))
                .withMessageStartingWith("expected one of ${client}, ${call}, ${target}, ${uuid} or ${random:A..B}")
                .withMessageContaining("got '" + source + "'");
    }

    @Test
    void aPlaceholderThatIsNotClosedIsTold() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Text.parse("a ${secret", SEED))
                .withMessage("expected a closing } for the ${ at character 3; write $${ for a literal ${");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5",
                "5..",
                "..5",
                "a..b",
                "6..5",
                "1..2..3",
                "0.5..1",
                "-9223372036854775808..9223372036854775807",
                "0..9223372036854775808"
            })
    void aRangeThatIsNoneIsTold(String range) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Text.parse("${random:" + range + "}", SEED))
                .withMessage("expected ${random:A..B} with whole numbers A <= B, got '${random:" + range + "}'");
    }

    @Test
    void randomNumbersTakeEveryValueOfTheirRangeAndNoOther() {
        Text text = Text.parse("${random:-2..4}", SEED);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            seen.add(text.of(call(i % 10, i)));
        }
        assertThat(seen).containsExactlyInAnyOrder("-2", "-1", "0", "1", "2", "3", "4");
        assertThat(filled("${random:7..7}")).isEqualTo("7");
        assertThat(Long.parseLong(filled("${random:0..9223372036854775807}"))).isNotNegative();
    }

    @Test
    void randomOnesAreAFunctionOfSeedClientCallAndPlaceAlone() {
        String source = "${random:0..1000000000} ${random:0..1000000000} ${uuid}";
        String once = Text.parse(source, SEED).of(call(3, 17));
        Text text = Text.parse(source, SEED);
        text.of(call(9, 9));
        assertThat(text.of(call(3, 17))).isEqualTo(once);
        assertThat(text.of(call(3, 18))).isNotEqualTo(once);
        assertThat(text.of(call(4, 17))).isNotEqualTo(once);
        assertThat(Text.parse(source, SEED + 1).of(call(3, 17))).isNotEqualTo(once);
        String[] parts = once.split(" ", -1);
        assertThat(parts[0]).isNotEqualTo(parts[1]);
    }

    @Test
    void uuidsAreOfVersionFourAndDiffer() {
        Text text = Text.parse("${uuid}", SEED);
        Set<UUID> all = new HashSet<>();
        IntStream.range(0, 1_000).forEach(i -> all.add(UUID.fromString(text.of(call(i % 7, i)))));
        assertThat(all).hasSize(1_000).allMatch(uuid -> uuid.version() == 4).allMatch(uuid -> uuid.variant() == 2);
    }

    private static final Names NAMES = new Names() {
        @Override
        public Set<String> values() {
            return Set.of("users.name", "token");
        }

        @Override
        public String secret(String reference) {
            return "<" + reference + ">";
        }
    };

    @Test
    void valuesOfTheCallAreFilledInByTheirNames() {
        Text text = Text.parse("${users.name}:${token}:${call}", SEED, NAMES);
        Call call = new ValuedCall();
        assertThat(text.of(call)).isEqualTo("[users.name]:[token]:17");
        assertThat(text.values()).containsExactlyInAnyOrder("users.name", "token");
        assertThat(text.isConstant()).isFalse();
    }

    @Test
    void aSecretIsFilledInOnceAndNeverShown() {
        Text text = Text.parse("Bearer ${secret:env:KEY}!", SEED, NAMES);
        assertThat(text.isConstant()).isTrue();
        assertThat(text.fixed()).isEqualTo("Bearer <env:KEY>!");
        assertThat(text.of(call(0, 0))).isSameAs(text.fixed());
        assertThat(text).hasToString("Bearer ${secret:env:KEY}!");
    }

    @Test
    void theNearestNameIsSuggested() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Text.parse("${user.name}", SEED, NAMES))
                .withMessageContaining(
                        "one of the names in the experiment: [token, users.name], got '${user.name}'. Did you mean 'users.name'? Or write $${ for a literal ${");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Text.parse("${rand:1..9}", SEED))
                .withMessageContaining("got '${rand:1..9}'. Did you mean 'random'? Or write");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Text.parse("${secret:env:X}", SEED))
                .withMessageContaining("expected text without secrets");
    }

    @Test
    void aTextThatChangesIsNotFixed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Text.parse("a ${call}", SEED).fixed())
                .withMessage(
                        "expected text that is fixed for the run, got 'a ${call}', which changes from call to call");
    }

    /** Has a value for every name. */
    private static final class ValuedCall implements Call {

        private final Call call = call(3, 17);

        @Override
        public String value(String name) {
            return "[" + name + "]";
        }

        @Override
        public long number() {
            return call.number();
        }

        @Override
        public int client() {
            return call.client();
        }

        @Override
        public Url target() {
            return call.target();
        }

        @Override
        public int targetIndex() {
            return 0;
        }

        @Override
        public long ticket() {
            return 0;
        }

        @Override
        public void bytes(long count) {}

        @Override
        public void firstOnConnection() {}

        @Override
        public void metric(Metric metric, double value) {}

        @Override
        public long event(int kind, int count) {
            return 0;
        }

        @Override
        public void ok(long ticket) {}

        @Override
        public void fail(long ticket, Failure failure) {}
    }
}
