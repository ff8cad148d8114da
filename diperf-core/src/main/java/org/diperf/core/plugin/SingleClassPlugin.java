package org.diperf.core.plugin;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Param;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Text;
import org.diperf.core.spi.Url;

/** Makes a plugin of a client class whose parameters are its fields marked {@link Param}, and whose metrics its constants. Immutable. */
final class SingleClassPlugin implements ClientPlugin {

    private static final Map<Class<?>, Parameter.Type> TYPES = Map.of(
            String.class, Parameter.Type.STRING,
            Text.class, Parameter.Type.TEXT,
            int.class, Parameter.Type.INTEGER,
            long.class, Parameter.Type.INTEGER,
            double.class, Parameter.Type.NUMBER,
            boolean.class, Parameter.Type.BOOLEAN,
            Duration.class, Parameter.Type.DURATION);

    private final String id;
    private final Class<? extends Client> kind;
    private final Constructor<? extends Client> constructor;
    private final Map<Parameter, Field> fields;
    private final List<Metric> metrics;

    /**
     * @throws IllegalArgumentException when the class cannot be a plugin, with the reason
     */
    SingleClassPlugin(Class<? extends Client> type) {
        if (!Modifier.isPublic(type.getModifiers()) || Modifier.isAbstract(type.getModifiers())) {
            throw new IllegalArgumentException(
                    "class " + type.getName() + ": expected a public class that is not abstract; make it public");
        }
        boolean async = AsyncClient.class.isAssignableFrom(type);
        if (async && BlockingClient.class.isAssignableFrom(type)) {
            throw new IllegalArgumentException("class " + type.getName()
                    + ": expected a BlockingClient or an AsyncClient, got both; implement one of them");
        }
        kind = async ? AsyncClient.class : BlockingClient.class;
        try {
            constructor = type.getConstructor();
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(
                    "class " + type.getName() + ": expected a public constructor without arguments, got none; add one",
                    e);
        }
        fields = fields(type);
        try {
            id = instance().id();
        } catch (Exception e) {
            throw new IllegalArgumentException("class " + type.getName() + ": its constructor threw " + e, e);
        }
        metrics = metrics(type);
    }

    /** Returns whether another plugin makes the same clients. */
    boolean isOfSameClass(ClientPlugin other) {
        return other instanceof SingleClassPlugin one
                && one.constructor.getDeclaringClass() == constructor.getDeclaringClass();
    }

    private static Map<Parameter, Field> fields(Class<?> type) {
        Map<Parameter, Field> found = new LinkedHashMap<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                Param param = field.getAnnotation(Param.class);
                if (param != null) {
                    found.put(parameter(field, param), field);
                    field.setAccessible(true);
                }
            }
        }
        return found;
    }

    private static List<Metric> metrics(Class<?> type) {
        Map<String, Metric> found = new LinkedHashMap<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (field.getType() != Metric.class || !Modifier.isStatic(field.getModifiers())) {
                    continue;
                }
                Metric metric = constant(field);
                Metric before = found.putIfAbsent(metric.name(), metric);
                if (before != null && !before.equals(metric)) {
                    throw new IllegalArgumentException("class " + type.getName() + ": two metrics are named '"
                            + metric.name() + "'; give each a unique name");
                }
            }
        }
        return List.copyOf(found.values());
    }

    private static Metric constant(Field field) {
        String where = "field " + field.getDeclaringClass().getName() + "." + field.getName() + ": ";
        if (!Modifier.isFinal(field.getModifiers())) {
            throw new IllegalArgumentException(
                    where + "expected a constant, because a metric is declared only once; make it final");
        }
        field.setAccessible(true);
        try {
            return (Metric) field.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(where + "cannot be read; make it public", e);
        }
    }

    private static Parameter parameter(Field field, Param param) {
        String where = "field " + field.getDeclaringClass().getName() + "." + field.getName() + ": ";
        if (Modifier.isFinal(field.getModifiers()) || Modifier.isStatic(field.getModifiers())) {
            throw new IllegalArgumentException(where + "expected a field that can be set for each client, got '"
                    + Modifier.toString(field.getModifiers()) + "'; remove final and static");
        }
        String name = !param.name().isEmpty()
                ? param.name()
                : field.getName().replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
        Parameter.Type type = type(field.getGenericType());
        if (type == null) {
            throw new IllegalArgumentException(
                    where + "expected one of String, Text, int, long, double, boolean, Duration, List<String> or "
                            + "Map<String, String>, got "
                            + field.getGenericType().getTypeName());
        }
        boolean many = type == Parameter.Type.TEXTS || type == Parameter.Type.TEXT_MAP;
        boolean required = param.or().equals(Param.REQUIRED);
        if (type == Parameter.Type.TEXT_MAP && !required && !param.or().isEmpty()) {
            throw new IllegalArgumentException(where
                    + "expected or = \"\" (an empty map) or no default for a map, got or = \"" + param.or() + "\"");
        }
        // An empty default of a list or a map is the empty one, which is what reading gives where nothing was given.
        String fallback = required || (many && param.or().isEmpty()) ? null : param.or();
        try {
            Parameter declared = (required
                            ? Parameter.required(name, type, param.help())
                            : fallback == null
                                    ? Parameter.optional(name, type, param.help())
                                    : Parameter.withDefault(name, type, fallback, param.help()))
                    .in(param.unit());
            return param.example().isEmpty() ? declared : declared.suchAs(param.example());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(where + e.getMessage(), e);
        }
    }

    private static Parameter.@org.jspecify.annotations.Nullable Type type(Type declared) {
        if (declared instanceof ParameterizedType generic) {
            List<Type> of = List.of(generic.getActualTypeArguments());
            if (generic.getRawType() == List.class && of.equals(List.of(String.class))) {
                return Parameter.Type.TEXTS;
            }
            if (generic.getRawType() == Map.class && of.equals(List.of(String.class, String.class))) {
                return Parameter.Type.TEXT_MAP;
            }
            return null;
        }
        return declared instanceof Class<?> plain ? TYPES.get(plain) : null;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String summary() {
        return "client of class " + constructor.getDeclaringClass().getSimpleName();
    }

    @Override
    public Set<String> schemes() {
        return Set.of(id);
    }

    @Override
    public List<Parameter> parameters() {
        return List.copyOf(fields.keySet());
    }

    @Override
    public List<Metric> metrics() {
        return metrics;
    }

    @Override
    public void check(Url target, Parameters with) {
        fields.forEach((parameter, field) -> value(parameter, field, with));
    }

    @Override
    public Session open(SessionContext context) {
        Map<Field, Object> values = new LinkedHashMap<>();
        fields.forEach((parameter, field) -> values.put(field, value(parameter, field, context.with())));
        return new Session() {
            @Override
            public Client newClient() throws Exception {
                Client client = instance();
                for (Map.Entry<Field, Object> entry : values.entrySet()) {
                    entry.getKey().set(client, entry.getValue());
                }
                return client;
            }

            @Override
            public Class<? extends Client> kind() {
                return kind;
            }
        };
    }

    private Client instance() throws Exception {
        try {
            return constructor.newInstance();
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    private static Object value(Parameter parameter, Field field, Parameters with) {
        String name = parameter.name();
        return switch (parameter.type()) {
            case TEXT -> with.text(name);
            case STRING -> with.string(name);
            case NUMBER -> with.number(name);
            case BOOLEAN -> with.bool(name);
            case DURATION -> with.duration(name);
            case TEXTS -> fixed(name, () -> strings(with.texts(name)));
            case TEXT_MAP -> fixed(name, () -> strings(with.textMap(name)));
            case INTEGER ->
                field.getType() == int.class ? (Object) narrow(name, with.integer(name)) : with.integer(name);
            case SIZE, MAPPING, MAPPINGS, NAMED, TREE ->
                throw new IllegalStateException("No field has type " + parameter.type());
        };
    }

    private static Integer narrow(String name, long value) {
        if (value != (int) value) {
            throw new Parameters.Unusable(
                    name,
                    "expected a whole number from " + Integer.MIN_VALUE + " to " + Integer.MAX_VALUE + ", got "
                            + value);
        }
        return (int) value;
    }

    private static Object fixed(String name, Supplier<Object> texts) {
        try {
            return texts.get();
        } catch (IllegalArgumentException e) {
            throw new Parameters.Unusable(name, String.valueOf(e.getMessage()));
        }
    }

    private static List<String> strings(List<Text> texts) {
        List<String> strings = new ArrayList<>();
        texts.forEach(text -> strings.add(text.fixed()));
        return List.copyOf(strings);
    }

    private static Map<String, String> strings(Map<String, Text> texts) {
        Map<String, String> strings = new LinkedHashMap<>();
        texts.forEach((key, text) -> strings.put(key, text.fixed()));
        return java.util.Collections.unmodifiableMap(strings);
    }
}
