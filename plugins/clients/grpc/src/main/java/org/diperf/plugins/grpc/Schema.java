package org.diperf.plugins.grpc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What files of descriptors (descriptor.proto) say of services, messages and enumerations. Confined to one thread until it is complete. */
final class Schema {

    static final int DOUBLE = 1;
    static final int FLOAT = 2;
    static final int INT64 = 3;
    static final int UINT64 = 4;
    static final int INT32 = 5;
    static final int FIXED64 = 6;
    static final int FIXED32 = 7;
    static final int BOOL = 8;
    static final int STRING = 9;
    static final int GROUP = 10;
    static final int MESSAGE = 11;
    static final int BYTES = 12;
    static final int UINT32 = 13;
    static final int ENUM = 14;
    static final int SFIXED32 = 15;
    static final int SFIXED64 = 16;
    static final int SINT32 = 17;
    static final int SINT64 = 18;

    private static final int REPEATED = 3;
    private static final int DEEPEST = 100;

    /**
     * A field of a message.
     *
     * @param type one of the numbers above
     * @param typeName of a message or an enumeration, full, without a leading dot
     */
    record Field(String name, String jsonName, int number, int type, String typeName, boolean isRepeated) {}

    /** A message, with its fields by name and by number. */
    record Message(String name, boolean isMapEntry, Map<String, Field> byName, Map<Integer, Field> byNumber) {}

    /** An enumeration, both ways. */
    record Enumeration(String name, Map<String, Integer> numbers, Map<Integer, String> names) {}

    /** A method, whose types are full names. */
    record Method(String name, String input, String output, boolean clientStreams, boolean serverStreams) {}

    private final Map<String, Message> messages = new HashMap<>();
    private final Map<String, Enumeration> enumerations = new HashMap<>();
    private final Map<String, Map<String, Method>> services = new LinkedHashMap<>();
    private final Set<String> files = new HashSet<>();
    private final Set<String> wanted = new HashSet<>();

    /**
     * Adds a set of files, as {@code protoc --descriptor_set_out --include_imports} writes it.
     *
     * @throws IllegalArgumentException when it is none
     */
    void addSet(byte[] set) {
        WireReader in = new WireReader(set);
        while (in.next()) {
            if (in.field() == 1 && in.type() == WireReader.BYTES) {
                addFile(in.bytes());
            } else {
                in.skip();
            }
        }
    }

    /**
     * Adds a file.
     *
     * @throws IllegalArgumentException when it is none
     */
    void addFile(byte[] file) {
        String name = "";
        String scope = "";
        List<byte[]> ofMessages = new ArrayList<>();
        List<byte[]> ofEnumerations = new ArrayList<>();
        List<byte[]> ofServices = new ArrayList<>();
        WireReader in = new WireReader(file);
        while (in.next()) {
            switch (in.field()) {
                case 1 -> name = in.text();
                case 2 -> scope = in.text();
                case 3 -> wanted.add(in.text());
                case 4 -> ofMessages.add(in.bytes());
                case 5 -> ofEnumerations.add(in.bytes());
                case 6 -> ofServices.add(in.bytes());
                default -> in.skip();
            }
        }
        if (!files.add(name)) {
            return;
        }
        String prefix = scope.isEmpty() ? "" : scope + ".";
        ofMessages.forEach(each -> addMessage(prefix, each, 0));
        ofEnumerations.forEach(each -> addEnumeration(prefix, each));
        ofServices.forEach(each -> addService(prefix, each));
    }

    private void addMessage(String prefix, byte[] message, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("messages within more than " + DEEPEST + " others");
        }
        String name = "";
        boolean isMapEntry = false;
        List<byte[]> nested = new ArrayList<>();
        List<byte[]> nestedEnumerations = new ArrayList<>();
        Map<String, Field> byName = new LinkedHashMap<>();
        Map<Integer, Field> byNumber = new HashMap<>();
        WireReader in = new WireReader(message);
        while (in.next()) {
            switch (in.field()) {
                case 1 -> name = prefix + in.text();
                case 2 -> {
                    Field field = field(in.bytes());
                    byName.put(field.name, field);
                    byName.putIfAbsent(field.jsonName, field);
                    byNumber.put(field.number, field);
                }
                case 3 -> nested.add(in.bytes());
                case 4 -> nestedEnumerations.add(in.bytes());
                case 7 -> isMapEntry = isMapEntry(in.bytes());
                default -> in.skip();
            }
        }
        messages.put(name, new Message(name, isMapEntry, byName, byNumber));
        String inner = name + ".";
        nested.forEach(each -> addMessage(inner, each, depth + 1));
        nestedEnumerations.forEach(each -> addEnumeration(inner, each));
    }

    private static boolean isMapEntry(byte[] options) {
        boolean is = false;
        WireReader in = new WireReader(options);
        while (in.next()) {
            if (in.field() == 7 && in.type() == WireReader.VARINT) {
                is = in.varint() != 0;
            } else {
                in.skip();
            }
        }
        return is;
    }

    private static Field field(byte[] field) {
        String name = "";
        String jsonName = "";
        String typeName = "";
        int number = 0;
        int label = 0;
        int type = 0;
        WireReader in = new WireReader(field);
        while (in.next()) {
            switch (in.field()) {
                case 1 -> name = in.text();
                case 3 -> number = (int) in.varint();
                case 4 -> label = (int) in.varint();
                case 5 -> type = (int) in.varint();
                case 6 -> typeName = withoutDot(in.text());
                case 10 -> jsonName = in.text();
                default -> in.skip();
            }
        }
        return new Field(name, jsonName.isEmpty() ? camel(name) : jsonName, number, type, typeName, label == REPEATED);
    }

    private static String camel(String name) {
        StringBuilder camel = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            boolean upper = i > 0 && name.charAt(i - 1) == '_';
            if (name.charAt(i) != '_') {
                camel.append(upper ? Character.toUpperCase(name.charAt(i)) : name.charAt(i));
            }
        }
        return camel.toString();
    }

    private void addEnumeration(String prefix, byte[] enumeration) {
        String name = "";
        Map<String, Integer> numbers = new LinkedHashMap<>();
        Map<Integer, String> names = new HashMap<>();
        WireReader in = new WireReader(enumeration);
        while (in.next()) {
            switch (in.field()) {
                case 1 -> name = prefix + in.text();
                case 2 -> {
                    String value = "";
                    int number = 0;
                    WireReader of = new WireReader(in.bytes());
                    while (of.next()) {
                        switch (of.field()) {
                            case 1 -> value = of.text();
                            case 2 -> number = (int) of.varint();
                            default -> of.skip();
                        }
                    }
                    numbers.put(value, number);
                    names.putIfAbsent(number, value);
                }
                default -> in.skip();
            }
        }
        enumerations.put(name, new Enumeration(name, numbers, names));
    }

    private void addService(String prefix, byte[] service) {
        String name = "";
        Map<String, Method> methods = new LinkedHashMap<>();
        WireReader in = new WireReader(service);
        while (in.next()) {
            switch (in.field()) {
                case 1 -> name = prefix + in.text();
                case 2 -> {
                    Method method = method(in.bytes());
                    methods.put(method.name, method);
                }
                default -> in.skip();
            }
        }
        services.put(name, methods);
    }

    private static Method method(byte[] method) {
        String name = "";
        String input = "";
        String output = "";
        boolean clientStreams = false;
        boolean serverStreams = false;
        WireReader in = new WireReader(method);
        while (in.next()) {
            switch (in.field()) {
                case 1 -> name = in.text();
                case 2 -> input = withoutDot(in.text());
                case 3 -> output = withoutDot(in.text());
                case 5 -> clientStreams = in.varint() != 0;
                case 6 -> serverStreams = in.varint() != 0;
                default -> in.skip();
            }
        }
        return new Method(name, input, output, clientStreams, serverStreams);
    }

    private static String withoutDot(String name) {
        return name.startsWith(".") ? name.substring(1) : name;
    }

    /** Returns a file that others refer to and that is not here; {@code null}: none. */
    @Nullable
    String missingFile() {
        return wanted.stream()
                .filter(name -> !files.contains(name))
                .sorted()
                .findFirst()
                .orElse(null);
    }

    /** Forgets that a file is missing, because nobody has it. */
    void doWithout(String file) {
        files.add(file);
    }

    /**
     * Finds a method.
     *
     * @param path as {@code pkg.Service/Method}
     * @throws IllegalArgumentException when there is none; names what there is
     */
    Method method(String path) {
        int slash = path.indexOf('/');
        Map<String, Method> methods = services.get(path.substring(0, slash));
        if (methods == null) {
            throw new IllegalArgumentException("method: expected one of the services "
                    + new TreeSet<>(services.keySet()) + ", got '" + path.substring(0, slash) + "'");
        }
        Method method = methods.get(path.substring(slash + 1));
        if (method == null) {
            throw new IllegalArgumentException("method: expected one of " + path.substring(0, slash) + "'s methods "
                    + methods.keySet() + ", got '" + path.substring(slash + 1) + "'");
        }
        return method;
    }

    /**
     * @throws IllegalArgumentException when it is not described
     */
    Message message(String name) {
        Message message = messages.get(name);
        if (message == null) {
            throw new IllegalArgumentException("descriptors: expected the message " + name
                    + ", got none; write the set of descriptors with --include_imports");
        }
        return message;
    }

    /**
     * @throws IllegalArgumentException when it is not described
     */
    Enumeration enumeration(String name) {
        Enumeration enumeration = enumerations.get(name);
        if (enumeration == null) {
            throw new IllegalArgumentException("descriptors: expected the enumeration " + name
                    + ", got none; write the set of descriptors with --include_imports");
        }
        return enumeration;
    }
}
