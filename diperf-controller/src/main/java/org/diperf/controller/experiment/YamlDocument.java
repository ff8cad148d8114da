package org.diperf.controller.experiment;

import java.util.List;
import java.util.Map;

/** YAML and JSON as plain maps, lists, texts, numbers and booleans: for files that are no experiments, and for drafts of those. */
public final class YamlDocument {

    private YamlDocument() {}

    /**
     * Reads a mapping.
     *
     * @param source name of the file, for messages
     * @throws ExperimentException when the text is none
     */
    public static Map<String, Object> read(String text, String source) throws ExperimentException {
        Problems problems = new Problems();
        Node node = new YamlReader(source, true, name -> null, problems).read(text);
        problems.check();
        if (!(node instanceof Node.Mapping mapping)) {
            throw ExperimentException.of(
                    source + ": expected a mapping, got " + (node == null ? "nothing" : node.found()));
        }
        return mapping.plain();
    }

    /**
     * Writes a mapping in block style.
     *
     * @param comments lines to stand before it
     */
    public static String write(List<String> comments, Map<String, Object> tree) {
        StringBuilder text = new StringBuilder();
        comments.forEach(
                line -> text.append(line.isEmpty() ? "#" : "# ").append(line).append('\n'));
        return text.append(comments.isEmpty() ? "" : "\n")
                .append(YamlWriter.write(tree))
                .toString();
    }
}
