import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import javax.imageio.ImageIO;

/**
 * Draws panels of medians with their quartiles side by side. Usage: examples/papers/shapes.py STUDY NUMBERS --panels | java Panels.java TO.png TITLE. Lines of
 * words with tabs between: {@code bars}, {@code lines} (over a logarithmic axis), {@code proportions} (over a linear one from 0) or {@code times} (over a linear one,
 * without quartiles) begins a panel with its title and the names of its axes; {@code bar NAME}, {@code line NAME} followed by {@code at X}, and {@code level NAME} have median and quartiles behind them.
 */
public final class Panels {

    private static final int SCALE = 2;
    private static final int WIDTH = 500;
    private static final int HEIGHT = 250;
    private static final int TOP = 44;
    private static final Color INK = new Color(0x22, 0x22, 0x22);
    private static final Color FAINT = new Color(0xDD, 0xDD, 0xDD);
    private static final Color[] COLOURS = {
        new Color(0x00, 0x60, 0xA8), new Color(0xB3, 0x4A, 0x00), new Color(0x2E, 0x7D, 0x32), new Color(0x7B, 0x1F, 0xA2)
    };

    private record Spread(double x, double median, double low, double high) {}

    private record Named(String kind, String name, List<Spread> values) {}

    private record Panel(String kind, String title, String across, String up, List<Named> all) {

        boolean bars() {
            return kind.equals("bars");
        }

        boolean overTime() {
            return kind.equals("times");
        }

        boolean linear() {
            return overTime() || kind.equals("proportions");
        }

        /** Whether names stand next to what is drawn: one line alone needs none. */
        boolean named() {
            return !bars() && all.size() > 1;
        }

        double most() {
            return all.stream().flatMap(each -> each.values().stream()).mapToDouble(Spread::high).max().orElse(1);
        }
    }

    public static void main(String[] args) throws IOException {
        List<Panel> panels = read();
        // Three quantities of a probe, or kinds of transfers, are next to one another, else two panels are.
        int columns = panels.size() >= 6 ? 3 : Math.min(2, panels.size());
        int rows = (panels.size() + columns - 1) / columns;
        int width = columns == 3 ? WIDTH * 2 / 3 : WIDTH;
        BufferedImage image =
                new BufferedImage(columns * width * SCALE, (TOP + rows * HEIGHT) * SCALE, BufferedImage.TYPE_INT_RGB);
        Graphics2D g = image.createGraphics();
        g.scale(SCALE, SCALE);
        g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        g.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        g.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        g.setColor(Color.WHITE);
        g.fillRect(0, 0, columns * width, TOP + rows * HEIGHT);
        g.setColor(INK);
        g.setFont(new Font("DejaVu Sans", Font.BOLD, 15));
        g.drawString(args[1], 12, 26);
        for (int i = 0; i < panels.size(); i++) {
            draw(g, panels.get(i), i % columns * width, TOP + i / columns * HEIGHT, width);
        }
        ImageIO.write(image, "png", new File(args[0]));
    }

    private static List<Panel> read() throws IOException {
        List<Panel> panels = new ArrayList<>();
        Panel panel = null;
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split("\t", -1);
            switch (words[0]) {
                case "bars", "lines", "proportions", "times" -> {
                    panel = new Panel(words[0], words[1], words[2], words[3], new ArrayList<>());
                    panels.add(panel);
                }
                case "line" -> panel.all().add(new Named(words[0], words[1], new ArrayList<>()));
                case "at" -> panel.all().get(panel.all().size() - 1).values().add(spread(Double.parseDouble(words[1]), words));
                case "bar", "level" -> panel.all().add(new Named(words[0], words[1], List.of(spread(0, words))));
                default -> throw new IOException("expected bars, lines, proportions, times, bar, line, at or level, got '" + line + "'");
            }
        }
        return panels;
    }

    private static Spread spread(double x, String[] words) {
        return new Spread(x, Double.parseDouble(words[2]), Double.parseDouble(words[3]), Double.parseDouble(words[4]));
    }

    private static void draw(Graphics2D g, Panel panel, int left, int top, int width) {
        double most = step(panel.most()) * Math.ceil(panel.most() * 1.02 / step(panel.most()));
        Rectangle2D area = new Rectangle2D.Double(left + 58, top + 24, width - 70 - (panel.named() ? 92 : 0), HEIGHT - 68);
        g.setFont(new Font("DejaVu Sans", Font.BOLD, 11));
        g.setColor(INK);
        g.drawString(panel.title(), (float) area.getX(), top + 14);
        g.setFont(new Font("DejaVu Sans", Font.PLAIN, 10));
        for (double at = 0; at <= most * 1.0001; at += step(panel.most())) {
            double y = area.getMaxY() - at / most * area.getHeight();
            g.setColor(FAINT);
            g.draw(new Line2D.Double(area.getX(), y, area.getMaxX(), y));
            g.setColor(INK);
            String text = words(at);
            g.drawString(text, (float) (area.getX() - 6 - g.getFontMetrics().stringWidth(text)), (float) y + 4);
        }
        AffineTransform before = g.getTransform();
        g.rotate(-Math.PI / 2, left + 14, area.getCenterY());
        centred(g, panel.up(), left + 14, area.getCenterY());
        g.setTransform(before);
        centred(g, panel.across(), area.getCenterX(), area.getMaxY() + 34);
        if (panel.bars()) {
            bars(g, panel, area, most);
        } else {
            lines(g, panel, area, most);
        }
    }

    private static void bars(Graphics2D g, Panel panel, Rectangle2D area, double most) {
        double each = area.getWidth() / panel.all().size();
        for (int i = 0; i < panel.all().size(); i++) {
            Named bar = panel.all().get(i);
            Spread value = bar.values().get(0);
            double x = area.getX() + (i + 0.5) * each;
            double height = value.median() / most * area.getHeight();
            g.setColor(COLOURS[i % COLOURS.length]);
            g.fill(new Rectangle2D.Double(x - each / 4, area.getMaxY() - height, each / 2, height));
            whisker(g, x, value, area, most, INK);
            g.setColor(INK);
            centred(g, bar.name(), x, area.getMaxY() + 15);
            centred(g, words(value.median()), x, area.getMaxY() - value.high() / most * area.getHeight() - 5);
        }
    }

    /** Says a number as people do: 64Ki where it is a multiple of 1,024, else 64k. */
    private static String size(double x) {
        boolean binary = x >= 1024 && x % 1024 == 0 && x % 1000 != 0;
        double thousand = binary ? 1024 : 1000;
        String mark = binary ? "i" : "";
        return x >= thousand * thousand * thousand
                ? words(x / thousand / thousand / thousand) + "G" + mark
                : x >= thousand * thousand
                ? words(x / thousand / thousand) + "M" + mark
                : x >= thousand ? words(x / thousand) + (binary ? "K" : "k") + mark : words(x);
    }

    private static void lines(Graphics2D g, Panel panel, Rectangle2D area, double most) {
        List<Double> xs = panel.all().stream().filter(each -> each.kind().equals("line")).flatMap(each -> each.values().stream()).map(Spread::x).sorted().distinct().toList();
        DoubleUnaryOperator scale = panel.linear() ? x -> x : Math::log;
        double from = panel.kind().equals("proportions") ? 0 : xs.get(0);
        double least = scale.applyAsDouble(from);
        double span = Math.max(1e-9, scale.applyAsDouble(xs.get(xs.size() - 1)) - least);
        DoubleUnaryOperator across = x -> area.getX() + 12 + (scale.applyAsDouble(x) - least) / span * (area.getWidth() - 24);
        DoubleUnaryOperator up = value -> area.getMaxY() - value / most * area.getHeight();
        double after = Double.NEGATIVE_INFINITY;
        for (double x : panel.linear() ? steps(from, xs.get(xs.size() - 1)) : xs) {
            double at = across.applyAsDouble(x);
            String text = size(x);
            double half = g.getFontMetrics().stringWidth(text) / 2.0;
            if (at - half > after + 4) {
                g.setColor(INK);
                centred(g, text, at, area.getMaxY() + 15);
                after = at + half;
            }
        }
        List<Label> labels = new ArrayList<>();
        int colour = 0;
        for (Named each : panel.all()) {
            if (each.kind().equals("level")) {
                g.setColor(COLOURS[1 + Math.floorMod(List.of("FTP", "GridFTP", "SCP").indexOf(each.name().split(" ")[0]), 3)]);
                double y = up.applyAsDouble(each.values().get(0).median());
                g.setStroke(new BasicStroke(1.2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[] {5, 3}, 0));
                g.draw(new Line2D.Double(area.getX(), y, area.getMaxX(), y));
                labels.add(new Label(each.name(), y, g.getColor()));
            } else {
                g.setColor(COLOURS[colour++ % COLOURS.length]);
                Path2D path = new Path2D.Double();
                for (Spread value : each.values()) {
                    double x = across.applyAsDouble(value.x());
                    double y = up.applyAsDouble(value.median());
                    if (path.getCurrentPoint() == null) {
                        path.moveTo(x, y);
                    } else {
                        path.lineTo(x, y);
                    }
                    if (!panel.overTime()) {
                        g.setStroke(new BasicStroke(1));
                        whisker(g, x, value, area, most, g.getColor());
                        g.fill(new Ellipse2D.Double(x - 3, y - 3, 6, 6));
                    }
                }
                g.setStroke(new BasicStroke(1.6f));
                g.draw(path);
                labels.add(new Label(each.name(), path.getCurrentPoint().getY(), g.getColor()));
            }
        }
        g.setStroke(new BasicStroke(1));
        if (panel.named()) {
            name(g, labels, area);
        }
    }

    private record Label(String name, double y, Color colour) {}

    /** Names what is drawn at its right end; names that would lie on one another give way, with a line to what they name. */
    private static void name(Graphics2D g, List<Label> labels, Rectangle2D area) {
        labels.sort(Comparator.comparingDouble(Label::y));
        double room = area.getHeight() + 14;
        double apart = Math.min(11, room / labels.size());
        double[] at = new double[labels.size()];
        double last = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < at.length; i++) {
            last = at[i] = Math.max(labels.get(i).y(), last + apart);
        }
        double next = area.getMaxY() + 7 + apart;
        for (int i = at.length - 1; i >= 0; i--) {
            next = at[i] = Math.min(at[i], next - apart);
        }
        for (int i = 0; i < at.length; i++) {
            Label label = labels.get(i);
            g.setColor(label.colour());
            g.draw(new Line2D.Double(area.getMaxX(), label.y(), area.getMaxX() + 8, at[i]));
            g.drawString(label.name(), (float) area.getMaxX() + 10, (float) at[i] + 4);
        }
    }

    private static List<Double> steps(double from, double to) {
        double step = step(to - from);
        List<Double> steps = new ArrayList<>();
        for (double at = Math.ceil(from / step) * step; at <= to; at += step) {
            steps.add(at);
        }
        return steps;
    }

    private static void whisker(Graphics2D g, double x, Spread value, Rectangle2D area, double most, Color colour) {
        double low = area.getMaxY() - value.low() / most * area.getHeight();
        double high = area.getMaxY() - value.high() / most * area.getHeight();
        g.setColor(colour);
        g.draw(new Line2D.Double(x, low, x, high));
        g.draw(new Line2D.Double(x - 3, low, x + 3, low));
        g.draw(new Line2D.Double(x - 3, high, x + 3, high));
    }

    /** A step of 1, 2 or 5 times a power of ten, of which four or more lead to a value. */
    private static double step(double most) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(1e-9, most) / 4)));
        double part = Math.max(1e-9, most) / 4 / power;
        return power * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
    }

    private static String words(double value) {
        return value == 0 || value >= 100 || value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.3g", value).replaceAll("\\.?0+$", "");
    }

    private static void centred(Graphics2D g, String text, double x, double y) {
        g.drawString(text, (float) (x - g.getFontMetrics().stringWidth(text) / 2.0), (float) y);
    }
}
