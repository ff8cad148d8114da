package org.diperf.controller.experiment;

import java.util.Collection;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A mapping of the file that becomes one value: its keys, and what is made of them.
 *
 * @param fields its keys
 * @param maker makes the value; {@code null} where there are problems, which it has said
 * @param <C> what must be known besides the mapping
 * @param <T> what is made of it
 */
record Form<C, T>(Fields fields, BiFunction<FormValues, C, @Nullable T> maker) implements Shape<Form.Filled<C, T>> {

    /** A form that has been filled in: nothing is made of it before all of the file has been read. */
    record Filled<C, T>(FormValues given, BiFunction<FormValues, C, @Nullable T> maker) {

        /** Makes the value; {@code null} where there are problems. Used once. */
        @Nullable
        T make(C context) {
            int before = given.problems();
            T made = maker.apply(given, context);
            return given.problems() == before ? made : null;
        }
    }

    @Override
    public @Nullable Filled<C, T> read(Node node, String path, Problems problems) {
        FormValues given = fields.read(node, path, problems);
        return given == null ? null : new Filled<>(given, maker);
    }

    @Override
    public Map<String, Object> schema() {
        return fields.schema();
    }

    @Override
    public Object write(Filled<C, T> value) {
        return value.given.written();
    }

    @Override
    public String expected() {
        return fields.expected();
    }

    @Override
    public Collection<String> keyNames() {
        return fields.names();
    }
}
