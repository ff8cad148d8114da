package org.diperf.plugins.grpc;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;

/** A service in two files, the second of which refers to the first. */
final class Described {

    static final FileDescriptorProto TYPES = FileDescriptorProto.newBuilder()
            .setName("shop/types.proto")
            .setPackage("shop")
            .setSyntax("proto3")
            .addEnumType(EnumDescriptorProto.newBuilder()
                    .setName("Size")
                    .addValue(EnumValueDescriptorProto.newBuilder()
                            .setName("SMALL")
                            .setNumber(0))
                    .addValue(EnumValueDescriptorProto.newBuilder()
                            .setName("LARGE")
                            .setNumber(7))
                    .addValue(
                            EnumValueDescriptorProto.newBuilder().setName("ODD").setNumber(-2)))
            .addMessageType(all())
            .build();

    static final FileDescriptorProto SERVICE = FileDescriptorProto.newBuilder()
            .setName("shop/shop.proto")
            .setPackage("shop")
            .setSyntax("proto3")
            .addDependency("shop/types.proto")
            .addMessageType(DescriptorProto.newBuilder()
                    .setName("Ask")
                    .addField(field("name", 1, Type.TYPE_STRING))
                    .addField(field("how_many", 2, Type.TYPE_INT32))
                    .addField(field("all", 3, Type.TYPE_MESSAGE).setTypeName(".shop.All")))
            .addMessageType(DescriptorProto.newBuilder().setName("Say").addField(field("text", 1, Type.TYPE_STRING)))
            .addService(ServiceDescriptorProto.newBuilder()
                    .setName("Shop")
                    .addMethod(method("Get", false, false))
                    .addMethod(method("Watch", false, true))
                    .addMethod(method("Add", true, false))
                    .addMethod(method("Talk", true, true)))
            .build();

    private Described() {}

    private static MethodDescriptorProto method(String name, boolean clientStreams, boolean serverStreams) {
        return MethodDescriptorProto.newBuilder()
                .setName(name)
                .setInputType(".shop.Ask")
                .setOutputType(".shop.Say")
                .setClientStreaming(clientStreams)
                .setServerStreaming(serverStreams)
                .build();
    }

    private static FieldDescriptorProto.Builder field(String name, int number, Type type) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setType(type)
                .setLabel(Label.LABEL_OPTIONAL);
    }

    /** A message with a field of each type, once and repeated, itself, and maps. */
    private static DescriptorProto all() {
        DescriptorProto.Builder all = DescriptorProto.newBuilder().setName("All");
        int number = 1;
        for (Type type : Type.values()) {
            if (type == Type.TYPE_GROUP) {
                continue;
            }
            String name = type.name().substring(5).toLowerCase(java.util.Locale.ROOT);
            for (Label label : new Label[] {Label.LABEL_OPTIONAL, Label.LABEL_REPEATED}) {
                FieldDescriptorProto.Builder field = field(
                                (label == Label.LABEL_REPEATED ? "many_" : "one_") + name, number++, type)
                        .setLabel(label);
                if (type == Type.TYPE_MESSAGE) {
                    field.setTypeName(".shop.All");
                } else if (type == Type.TYPE_ENUM) {
                    field.setTypeName(".shop.Size");
                }
                all.addField(field);
            }
        }
        all.addField(field("sizes", 100, Type.TYPE_MESSAGE)
                .setTypeName(".shop.All.SizesEntry")
                .setLabel(Label.LABEL_REPEATED));
        all.addNestedType(DescriptorProto.newBuilder()
                .setName("SizesEntry")
                .setOptions(MessageOptions.newBuilder().setMapEntry(true))
                .addField(field("key", 1, Type.TYPE_INT64))
                .addField(field("value", 2, Type.TYPE_ENUM).setTypeName(".shop.Size")));
        return all.build();
    }

    static byte[] set() {
        return FileDescriptorSet.newBuilder()
                .addFile(TYPES)
                .addFile(SERVICE)
                .build()
                .toByteArray();
    }

    static Schema schema() {
        Schema schema = new Schema();
        schema.addSet(set());
        return schema;
    }

    /** Returns the message with a field of each type, as a schema has it. */
    static Descriptor all(Schema schema) {
        return schema.method("shop.Shop/Get")
                .getInputType()
                .findFieldByName("all")
                .getMessageType();
    }

    /** Returns another implementation's idea of a message. */
    static Descriptor descriptor(String name) throws DescriptorValidationException {
        FileDescriptor types = FileDescriptor.buildFrom(TYPES, new FileDescriptor[0]);
        FileDescriptor service = FileDescriptor.buildFrom(SERVICE, new FileDescriptor[] {types});
        Descriptor found = types.findMessageTypeByName(name);
        return found != null ? found : service.findMessageTypeByName(name);
    }
}
