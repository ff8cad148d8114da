package org.diperf.plugins.emulated.topology;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * A change of links while they are used. Ways stay as they are. Immutable.
 *
 * @param afterNanos after the start of the load, from 0
 * @param text what changes, in one line
 * @param parts the links that change, in each direction, as they are from then on
 */
public record Change(long afterNanos, String text, List<Part> parts) {

    private static final String COMMAND = "change";

    /**
     * A link in one direction, as it is from then on.
     *
     * @param step which
     * @param isDown whether nothing gets through
     * @param members its physical links, as many as before
     */
    public record Part(ShortestPaths.Step step, boolean isDown, List<Direction> members) {

        public Part {
            members = List.copyOf(members);
        }
    }

    /**
     * The order to make a change.
     *
     * @param number of the change
     * @param atNanos when, on the monotonic clock of this machine
     */
    public record Order(int number, long atNanos, List<Part> parts) {

        public Order {
            parts = List.copyOf(parts);
        }

        /** Returns it as one line, for a process that carries packets. */
        public String line() {
            List<String> words = new ArrayList<>(List.of(COMMAND, Integer.toString(number), Long.toString(atNanos)));
            for (Part part : parts) {
                words.add(Integer.toString(part.step().link()));
                words.add(Boolean.toString(part.step().isBack()));
                words.add(Boolean.toString(part.isDown()));
                words.add(Integer.toString(part.members().size()));
                part.members().forEach(member -> words.add(TopologyLines.words(member)));
            }
            return String.join(" ", words);
        }

        /**
         * Reads what {@link #line} wrote.
         *
         * @throws IllegalArgumentException if it is anything else
         */
        public static Order parse(String line) {
            Iterator<String> words = List.of(line.split(" ")).iterator();
            if (!words.next().equals(COMMAND)) {
                throw new IllegalArgumentException("Expected a link change, got '" + line + "'");
            }
            int number = Integer.parseInt(words.next());
            long atNanos = Long.parseLong(words.next());
            List<Part> parts = new ArrayList<>();
            while (words.hasNext()) {
                ShortestPaths.Step step =
                        new ShortestPaths.Step(Integer.parseInt(words.next()), Boolean.parseBoolean(words.next()));
                boolean isDown = Boolean.parseBoolean(words.next());
                int count = Integer.parseInt(words.next());
                List<Direction> members = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    members.add(TopologyLines.direction(words));
                }
                parts.add(new Part(step, isDown, members));
            }
            return new Order(number, atNanos, parts);
        }
    }

    public Change {
        parts = List.copyOf(parts);
        if (afterNanos < 0) {
            throw new IllegalArgumentException(
                    "Expected a change at or after the start of the load, got " + afterNanos);
        }
    }

    /** Returns the order to make this change in a load that starts at an instant. */
    public Order order(int number, long startNanos) {
        return new Order(number, startNanos + afterNanos, parts);
    }
}
