package org.diperf.plugins.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.io.StringWriter;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

/** Reads messages of Protocol Buffers into JSON, for answers that somebody looks at. */
final class MessageReader {

    private MessageReader() {}

    /**
     * Returns a message as JSON.
     *
     * @throws IllegalArgumentException when the bytes are none
     */
    static String json(Descriptor type, byte[] bytes) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = Json.FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            write(DynamicMessage.parseFrom(type, bytes), json);
        } catch (InvalidProtocolBufferException | JacksonException e) {
            throw new IllegalArgumentException("bytes that are not a message of type " + type.getFullName(), e);
        }
        return text.toString();
    }

    private static void write(Message message, JsonGenerator json) {
        FieldDescriptor wrapped = WellKnown.wrapped(message.getDescriptorForType());
        String text = WellKnown.text(message);
        if (wrapped != null) {
            write(wrapped, message.getField(wrapped), json);
            return;
        }
        if (text != null) {
            json.writeString(text);
            return;
        }
        json.writeStartObject();
        for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
            FieldDescriptor field = entry.getKey();
            json.writeName(field.getJsonName());
            if (!field.isRepeated()) {
                write(field, entry.getValue(), json);
            } else if (field.isMapField()) {
                json.writeStartObject();
                for (Object each : (List<?>) entry.getValue()) {
                    Message pair = (Message) each;
                    Descriptor of = field.getMessageType();
                    FieldDescriptor value = of.findFieldByNumber(2);
                    json.writeName(String.valueOf(pair.getField(of.findFieldByNumber(1))));
                    write(value, pair.getField(value), json);
                }
                json.writeEndObject();
            } else {
                json.writeStartArray();
                ((List<?>) entry.getValue()).forEach(each -> write(field, each, json));
                json.writeEndArray();
            }
        }
        json.writeEndObject();
    }

    private static void write(FieldDescriptor field, Object value, JsonGenerator json) {
        boolean unsigned = field.getType().name().startsWith("UINT")
                || field.getType().name().startsWith("FIXED");
        switch (field.getJavaType()) {
            case INT -> json.writeNumber(unsigned ? Integer.toUnsignedLong((int) value) : (int) value);
            case LONG -> json.writeString(unsigned ? Long.toUnsignedString((long) value) : Long.toString((long) value));
            case FLOAT, DOUBLE -> real(((Number) value).doubleValue(), json);
            case BOOLEAN -> json.writeBoolean((boolean) value);
            case STRING -> json.writeString((String) value);
            case BYTE_STRING ->
                json.writeString(Base64.getEncoder().encodeToString(((ByteString) value).toByteArray()));
            case ENUM -> {
                EnumValueDescriptor constant = (EnumValueDescriptor) value;
                if (constant.getIndex() < 0) {
                    json.writeNumber(constant.getNumber());
                } else {
                    json.writeString(constant.getName());
                }
            }
            case MESSAGE -> write((Message) value, json);
        }
    }

    private static void real(double value, JsonGenerator json) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            json.writeNumber((long) value);
        } else if (Double.isNaN(value) || Double.isInfinite(value)) {
            json.writeString(String.valueOf(value));
        } else {
            json.writeNumber(value);
        }
    }
}
