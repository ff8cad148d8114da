package org.diperf.plugins.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Int64Value;
import com.google.protobuf.StringValue;
import com.google.protobuf.Timestamp;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages, against another implementation. */
@Timeout(60)
class MessageTests {

    private final Schema schema = Described.schema();

    private DynamicMessage written(String json) throws Exception {
        Map<?, ?> values = (Map<?, ?>) Json.read(json);
        byte[] bytes =
                MessageWriter.message(Described.all(schema), values, "message").toByteArray();
        return DynamicMessage.parseFrom(Described.descriptor("All"), bytes);
    }

    private static Object value(DynamicMessage message, String field) {
        return message.getField(message.getDescriptorForType().findFieldByName(field));
    }

    @Test
    void valuesOfEveryTypeAreWrittenAsTheyAreMeant() throws Exception {
        DynamicMessage message = written("""
                {"one_double": 1.5, "one_float": "-0.25", "one_int64": "-9223372036854775808", "one_uint64": 18446744073709551615,
                 "one_int32": -1, "one_fixed64": 5, "one_fixed32": 4294967295, "one_bool": true, "one_string": "grüße\\u0021",
                 "one_bytes": "AAEC", "one_uint32": 7, "one_enum": "LARGE", "one_sfixed32": -4, "one_sfixed64": -8, "one_sint32": -3,
                 "oneSint64": 12, "many_int32": [1, 2, 300], "many_string": ["a", ""], "many_enum": ["ODD", 0],
                 "one_message": {"one_message": {"one_int32": 9}}, "many_message": [{}, {"one_bool": false}], "sizes": {"5": "LARGE"},
                 "many_double": null}""");
        assertThat(value(message, "one_double")).isEqualTo(1.5);
        assertThat(value(message, "one_float")).isEqualTo(-0.25f);
        assertThat(value(message, "one_int64")).isEqualTo(Long.MIN_VALUE);
        assertThat(value(message, "one_uint64")).isEqualTo(-1L);
        assertThat(value(message, "one_int32")).isEqualTo(-1);
        assertThat(value(message, "one_fixed32")).isEqualTo(-1);
        assertThat(value(message, "one_bool")).isEqualTo(true);
        assertThat(value(message, "one_string")).isEqualTo("grüße!");
        assertThat(value(message, "one_bytes")).isEqualTo(ByteString.copyFrom(new byte[] {0, 1, 2}));
        assertThat(String.valueOf(value(message, "one_enum"))).isEqualTo("LARGE");
        assertThat(value(message, "one_sfixed64")).isEqualTo(-8L);
        assertThat(value(message, "one_sint32")).isEqualTo(-3);
        assertThat(value(message, "one_sint64")).isEqualTo(12L);
        assertThat(String.valueOf(value(message, "many_int32"))).isEqualTo("[1, 2, 300]");
        assertThat(String.valueOf(value(message, "many_enum"))).isEqualTo("[ODD, SMALL]");
        assertThat(message.toString()).contains("one_int32: 9").contains("key: 5");
        assertThat(message.getUnknownFields().asMap()).isEmpty();
    }

    @Test
    void whatDoesNotFitIsToldWithItsPlace() {
        refused("{\"name\": 1}", "message: expected fields of shop.All [", "got 'name'");
        refused(
                "{\"one_int32\": 2147483648}",
                "message.one_int32: expected a whole number of 32 bits, got '2147483648'");
        refused(
                "{\"one_uint32\": -1}",
                "message.one_uint32: expected a whole number of 32 bits that is not negative, got '-1'");
        refused("{\"one_int64\": 1.5}", "message.one_int64: expected a whole number of 64 bits");
        refused("{\"one_bool\": 1}", "message.one_bool: expected true or false, got '1'");
        refused("{\"one_enum\": \"HUGE\"}", "message.one_enum: expected one of [SMALL, LARGE, ODD], got 'HUGE'");
        refused("{\"one_bytes\": \"*\"}", "message.one_bytes: expected bytes in base64");
        refused("{\"one_message\": 5}", "message.one_message: expected an object with fields of shop.All, got '5'");
        refused("{\"many_int32\": 5}", "message.many_int32: expected a list, got '5'");
        refused("{\"one_string\": {}}", "message.one_string: expected a string");
        refused("{\"one_message\": {\"one_message\": {\"x\": 1}}}", "message.one_message.one_message: expected fields");
        for (String none : List.of("{\"a\": }", "[1, 2", "[".repeat(200), "", "1 2")) {
            assertThatThrownBy(() -> Json.read(none)).hasMessageStartingWith("expected JSON, got ");
        }
    }

    private void refused(String json, String... parts) {
        var thrown = assertThatThrownBy(() -> written(json));
        for (String part : parts) {
            thrown.hasMessageContaining(part);
        }
    }

    private static DynamicMessage random(Descriptor type, Random random, int depth) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        for (FieldDescriptor field : type.getFields()) {
            if (random.nextInt(3) > 0
                    || field.isMapField()
                    || (depth == 0 && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE)) {
                continue;
            }
            if (field.isRepeated()) {
                for (int i = random.nextInt(4); i > 0; i--) {
                    message.addRepeatedField(field, value(field, random, depth));
                }
            } else {
                message.setField(field, value(field, random, depth));
            }
        }
        return message.build();
    }

    private static Object value(FieldDescriptor field, Random random, int depth) {
        return switch (field.getJavaType()) {
            case INT -> random.nextInt() >> random.nextInt(32);
            case LONG -> random.nextLong() >> random.nextInt(64);
            case FLOAT -> random.nextFloat() * 1_000;
            case DOUBLE -> random.nextGaussian() * 1e20;
            case BOOLEAN -> random.nextBoolean();
            case STRING -> "t\"\\\n\u00e9" + random.nextInt();
            case BYTE_STRING -> ByteString.copyFromUtf8("b" + random.nextInt());
            case ENUM -> field.getEnumType().getValues().get(random.nextInt(3));
            case MESSAGE -> random(field.getMessageType(), random, depth - 1);
        };
    }

    @Test
    void anyMessageIsReadAndWrittenAgainAsItWas() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Descriptor all = Described.all(schema);
        for (int i = 0; i < 500; i++) {
            DynamicMessage message = random(Described.descriptor("All"), random, 3);
            String json = MessageReader.json(all, message.toByteArray());
            byte[] again = MessageWriter.message(all, (Map<?, ?>) Json.read(json), "message")
                    .toByteArray();
            assertThat(DynamicMessage.parseFrom(message.getDescriptorForType(), again)
                            .toByteString())
                    .as("seed %d: %s", seed, json)
                    .isEqualTo(message.toByteString());
        }
    }

    @Test
    void aMethodThatIsNotThereIsToldWithThoseThatAre() {
        assertThat(schema.method("shop.Shop/Watch").isServerStreaming()).isTrue();
        assertThatThrownBy(() -> schema.method("shop.Shop/Buy"))
                .hasMessage("method: expected one of shop.Shop's methods [Get, Watch, Add, Talk], got 'Buy'");
        assertThatThrownBy(() -> schema.method("shop.Sop/Get"))
                .hasMessage("method: expected one of the services [shop.Shop], got 'shop.Sop'");
    }

    private static Object wellKnown(Descriptor type, Object given) {
        DynamicMessage made = WellKnown.message(type, given, "message.at");
        return made == null ? "none" : MessageReader.json(type, made.toByteArray());
    }

    /** The forms of protobuf's JSON mapping, which grpcurl and ghz take. */
    @Test
    void instantsDurationsAndWrappedValuesHaveFormsOfTheirOwn() {
        Descriptor timestamp = Timestamp.getDescriptor();
        Descriptor duration = com.google.protobuf.Duration.getDescriptor();
        assertThat(wellKnown(timestamp, "2026-01-31T10:00:00Z")).isEqualTo("\"2026-01-31T10:00:00Z\"");
        assertThat(wellKnown(timestamp, "1969-12-31T23:59:59.25+01:00")).isEqualTo("\"1969-12-31T22:59:59.250Z\"");
        assertThat(wellKnown(duration, "1.5s")).isEqualTo("\"1.5s\"");
        assertThat(wellKnown(duration, "-0.000000001s")).isEqualTo("\"-0.000000001s\"");
        assertThat(wellKnown(StringValue.getDescriptor(), "x")).isEqualTo("\"x\"");
        assertThat(wellKnown(Int64Value.getDescriptor(), "7")).isEqualTo("\"7\"");
        assertThat(wellKnown(timestamp, Map.of("seconds", 5))).isEqualTo("none");
        assertThatThrownBy(() -> wellKnown(timestamp, "tomorrow"))
                .hasMessage("message.at: expected an instant such as 2026-01-31T10:00:00Z, got 'tomorrow'");
        assertThatThrownBy(() -> wellKnown(duration, "1.5"))
                .hasMessage("message.at: expected seconds such as 1.5s, got '1.5'");
    }
}
