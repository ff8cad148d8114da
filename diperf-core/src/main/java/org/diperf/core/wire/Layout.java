package org.diperf.core.wire;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.spi.Url;

/**
 * How values of a type lie on the wire, derived from the type itself: a record as its components in their order, one of a
 * sealed interface as u8 place among those that it permits and then as that record, a constant of an enum as u8 place.
 * Long and int are big-endian, a boolean is u8, text is i32 length and UTF-8, lists and maps are i32 count and items. So
 * what is added to a record of the plan is on the wire, and {@link #toString} says how all of it lies: two builds
 * understand each other only where that is equal. Immutable.
 *
 * @param <T> the type
 */
abstract class Layout<T> {

    private static final Map<Type, Layout<?>> BUILT_IN = Map.of(
            int.class,
            new Simple<Integer>("i32", WireOutput::int32, WireInput::int32),
            long.class,
            new Simple<Long>("i64", WireOutput::int64, WireInput::int64),
            Long.class,
            new Simple<Long>("i64", WireOutput::int64, WireInput::int64),
            double.class,
            new Simple<Double>("f64", WireOutput::decimal, WireInput::decimal),
            boolean.class,
            new Simple<Boolean>("bool", WireOutput::bool, WireInput::bool),
            String.class,
            new Simple<String>("text", WireOutput::text, WireInput::text),
            byte[].class,
            new Simple<byte[]>("bytes", Layout::writeBytes, in -> in.bytes(in.int32())),
            Url.class,
            new Simple<Url>("uri", (out, url) -> out.text(url.text()), in -> url(in.text())),
            Secrets.class,
            new Simple<Secrets>(
                    "secrets",
                    (out, secrets) -> texts().write(secrets.values(), out),
                    in -> new Secrets(texts().read(in))));

    /** What an experiment file holds. */
    private static final Layout<Map<String, Object>> TREE =
            new Simple<>("tree", (out, map) -> new ValueCodec().writeMap(map, out), in -> new ValueCodec().readMap(in));

    /** Lays out a value. */
    abstract void write(T value, WireOutput out);

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException when the value refuses what was read
     */
    abstract T read(WireInput in) throws WireException;

    /** Returns the layout of a type. */
    static <T> Layout<T> of(Class<T> type) {
        return ofType(type);
    }

    @SuppressWarnings("unchecked") // A layout is made of the type that it is asked for.
    static <T> Layout<T> ofType(Type type) {
        Layout<?> builtIn = BUILT_IN.get(type);
        if (builtIn != null) {
            return (Layout<T>) builtIn;
        }
        if (type instanceof ParameterizedType generic) {
            Type[] of = generic.getActualTypeArguments();
            if (generic.getRawType() == List.class) {
                return (Layout<T>) new Listed<>(ofType(of[0]));
            }
            if (generic.getRawType() == Map.class && of[0] == String.class) {
                return (Layout<T>) (of[1] == Object.class ? TREE : new Mapped<>(ofType(of[1])));
            }
        }
        if (type instanceof Class<?> known) {
            if (known.isRecord()) {
                return (Layout<T>) new Composed<>(known);
            }
            if (known.isEnum()) {
                return (Layout<T>) new Constant<>(known);
            }
            if (known.isSealed()) {
                return (Layout<T>) new OneOf<>(known);
            }
        }
        throw new IllegalArgumentException("Expected a type with a wire layout, got " + type);
    }

    private static Layout<Map<String, String>> texts() {
        return new Mapped<>(of(String.class));
    }

    private static void writeBytes(WireOutput out, byte[] bytes) {
        out.int32(bytes.length);
        out.raw(ByteBuffer.wrap(bytes));
    }

    private static Url url(String text) throws WireException {
        try {
            return Url.of(text);
        } catch (IllegalArgumentException e) {
            throw new WireException("Expected a target's URL, got '" + text + "'", e);
        }
    }

    /** A value that is not made of others. */
    private static final class Simple<T> extends Layout<T> {

        private interface Writer<T> {
            void write(WireOutput out, T value);
        }

        private interface Reader<T> {
            T read(WireInput in) throws WireException;
        }

        private final String name;
        private final Writer<T> writer;
        private final Reader<T> reader;

        Simple(String name, Writer<T> writer, Reader<T> reader) {
            this.name = name;
            this.writer = writer;
            this.reader = reader;
        }

        @Override
        void write(T value, WireOutput out) {
            writer.write(out, value);
        }

        @Override
        T read(WireInput in) throws WireException {
            return reader.read(in);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static final class Listed<T> extends Layout<List<T>> {

        private final Layout<T> item;

        Listed(Layout<T> item) {
            this.item = item;
        }

        @Override
        void write(List<T> value, WireOutput out) {
            out.list(value, each -> item.write(each, out));
        }

        @Override
        List<T> read(WireInput in) throws WireException {
            return in.list(() -> item.read(in));
        }

        @Override
        public String toString() {
            return "[" + item + "]";
        }
    }

    private static final class Mapped<T> extends Layout<Map<String, T>> {

        private final Layout<T> item;

        Mapped(Layout<T> item) {
            this.item = item;
        }

        @Override
        void write(Map<String, T> value, WireOutput out) {
            out.int32(value.size());
            value.forEach((name, each) -> {
                out.text(name);
                item.write(each, out);
            });
        }

        @Override
        Map<String, T> read(WireInput in) throws WireException {
            int count = in.count();
            Map<String, T> entries = new LinkedHashMap<>();
            for (int i = 0; i < count; i++) {
                String name = in.text();
                if (entries.put(name, item.read(in)) != null) {
                    throw new WireException("Expected unique map keys, got '" + name + "' twice");
                }
            }
            return entries;
        }

        @Override
        public String toString() {
            return "{text: " + item + "}";
        }
    }

    private static final class Constant<T> extends Layout<T> {

        private final List<T> constants;

        Constant(Class<T> type) {
            this.constants = List.of(Objects.requireNonNull(type.getEnumConstants(), "constants"));
        }

        @Override
        void write(T value, WireOutput out) {
            out.int8(constants.indexOf(value));
        }

        @Override
        T read(WireInput in) throws WireException {
            return constants.get(in.choice(constants.size()));
        }

        @Override
        public String toString() {
            return constants.toString();
        }
    }

    private static final class OneOf<T> extends Layout<T> {

        private final List<Class<?>> permitted;
        private final List<Layout<T>> layouts = new ArrayList<>();

        OneOf(Class<T> type) {
            this.permitted = List.of(type.getPermittedSubclasses());
            permitted.forEach(each -> layouts.add(ofType(each)));
        }

        @Override
        void write(T value, WireOutput out) {
            int place = permitted.indexOf(value.getClass());
            out.int8(place);
            layouts.get(place).write(value, out);
        }

        @Override
        T read(WireInput in) throws WireException {
            return layouts.get(in.choice(layouts.size())).read(in);
        }

        @Override
        public String toString() {
            return layouts.toString();
        }
    }

    private static final class Composed<T> extends Layout<T> {

        /** A component. */
        private record Part(String name, Method accessor, Layout<Object> layout) {}

        private final Class<T> type;
        private final List<Part> parts = new ArrayList<>();
        /** By reflection: for method handles of so many shapes a JVM makes a hundred classes before its first message. */
        private final Constructor<T> constructor;

        Composed(Class<T> type) {
            this.type = type;
            RecordComponent[] components = type.getRecordComponents();
            Class<?>[] types = new Class<?>[components.length];
            for (int i = 0; i < components.length; i++) {
                RecordComponent component = components[i];
                types[i] = component.getType();
                parts.add(new Part(component.getName(), component.getAccessor(), ofType(component.getGenericType())));
            }
            try {
                this.constructor = type.getDeclaredConstructor(types);
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException("Every record has a constructor for its components", e);
            }
            if (!constructor.canAccess(null)) {
                throw new IllegalArgumentException("Expected a record that the wire layer can access, got " + type);
            }
        }

        @Override
        void write(T value, WireOutput out) {
            for (Part part : parts) {
                try {
                    part.layout.write(part.accessor.invoke(value), out);
                } catch (ReflectiveOperationException e) {
                    throw refused(e);
                }
            }
        }

        @Override
        T read(WireInput in) throws WireException {
            Object[] values = new Object[parts.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = parts.get(i).layout.read(in);
            }
            try {
                return constructor.newInstance(values);
            } catch (ReflectiveOperationException e) {
                throw refused(e);
            }
        }

        /** Returns, or throws, what a constructor threw at its arguments. */
        private static RuntimeException refused(ReflectiveOperationException thrown) {
            if (thrown.getCause() instanceof Error error) {
                throw error;
            }
            return thrown.getCause() instanceof RuntimeException own
                    ? own
                    : new IllegalStateException(
                            "A record's constructor and accessors throw no checked exceptions", thrown);
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(type.getSimpleName()).append('(');
            for (Part part : parts) {
                text.append(part.name).append(": ").append(part.layout).append(", ");
            }
            return parts.isEmpty()
                    ? text.append(')').toString()
                    : text.replace(text.length() - 2, text.length(), ")").toString();
        }
    }
}
