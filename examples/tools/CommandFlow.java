import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;

/**
 * Draws what was said on the control channels of GridFTP sessions, as record-dialogue writes it, from top to bottom in the order in
 * which it was said. Channel 1 is that of the source, channel 2 that of the destination. Usage: java CommandFlow.java FROM.txt TO.png TITLE
 */
public final class CommandFlow {

    private static final Pattern LINE = Pattern.compile("([0-9.]+) #([0-9]+) (C>|S<) (.*)");
    private static final int SCALE = 2;
    private static final int ROW = 19;
    private static final int TOP = 92;
    private static final int SPAN = 390;
    private static final int MARGIN = 86;
    private static final Color INK = new Color(0x22, 0x22, 0x22);
    private static final Color FAINT = new Color(0x88, 0x88, 0x88);
    private static final Color COMMAND = new Color(0x00, 0x60, 0xA8);
    private static final Color REPLY = new Color(0xB3, 0x4A, 0x00);
    private static final Color DATA = new Color(0x2E, 0x7D, 0x32);

    private record Said(double millis, int channel, boolean byClient, String text) {}

    public static void main(String[] args) throws IOException {
        List<Said> all = read(Path.of(args[0]));
        boolean two = all.stream().anyMatch(said -> said.channel() == 2);
        int width = 2 * MARGIN + (two ? 2 : 1) * SPAN;
        int height = TOP + (all.size() + 2) * ROW;
        BufferedImage image = new BufferedImage(width * SCALE, height * SCALE, BufferedImage.TYPE_INT_RGB);
        Graphics2D g = image.createGraphics();
        g.scale(SCALE, SCALE);
        g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        g.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        g.setColor(Color.WHITE);
        g.fillRect(0, 0, width, height);
        g.setFont(new Font("DejaVu Sans", Font.BOLD, 17));
        g.setColor(INK);
        g.drawString(args[2], MARGIN - 70, 28);
        g.setFont(new Font("DejaVu Sans", Font.PLAIN, 11));
        g.setColor(COMMAND);
        g.drawString("commands", MARGIN - 70, 46);
        g.setColor(REPLY);
        g.drawString("replies", MARGIN, 46);
        g.setColor(DATA);
        g.drawString("data under way (150 to 226)", MARGIN + 50, 46);
        g.setColor(FAINT);
        g.drawString("left: milliseconds since the first command", MARGIN + 230, 46);
        int client = two ? MARGIN + SPAN : MARGIN;
        int[] x = {client, two ? MARGIN : MARGIN + SPAN, MARGIN + 2 * SPAN};
        String[] names = {"client", two ? "source" : "server", "destination"};
        for (int i = 0; i < (two ? 3 : 2); i++) {
            g.setFont(new Font("DejaVu Sans", Font.BOLD, 13));
            g.setColor(INK);
            centre(g, names[i], x[i], TOP - 18);
            g.setColor(FAINT);
            g.drawLine(x[i], TOP - 10, x[i], height - ROW);
        }
        g.setFont(new Font("DejaVu Sans", Font.PLAIN, 11));
        transfers(g, all, x, two);
        for (int i = 0; i < all.size(); i++) {
            Said said = all.get(i);
            int y = TOP + i * ROW + 12;
            g.setColor(FAINT);
            g.drawString(String.format(Locale.ROOT, "%.1f", said.millis() - all.get(0).millis()), 8, y);
            int server = x[said.channel()];
            arrow(g, said.byClient() ? client : server, said.byClient() ? server : client, y, said.byClient() ? COMMAND : REPLY);
            String text = cut(g, said.text(), SPAN - 40);
            int middle = (client + server) / 2;
            int wide = g.getFontMetrics().stringWidth(text);
            g.setColor(Color.WHITE);
            g.fillRect(middle - wide / 2 - 3, y - 8, wide + 6, 13);
            g.setColor(said.byClient() ? COMMAND : REPLY);
            centre(g, text, middle, y + 3);
        }
        g.dispose();
        ImageIO.write(image, "png", new File(args[1]));
    }

    /** Reads what follows the log-in; of replies over several lines the first, and no markers. */
    private static List<Said> read(Path file) throws IOException {
        List<Said> all = new ArrayList<>();
        boolean within = false;
        boolean[] loggedIn = new boolean[3];
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                continue;
            }
            int channel = Math.min(2, Integer.parseInt(matcher.group(2)));
            boolean byClient = matcher.group(3).equals("C>");
            String text = matcher.group(4);
            if (!byClient) {
                boolean begins = text.matches("[0-9]{3}-.*");
                boolean ends = text.matches("[0-9]{3} .*");
                boolean skipped = within || text.startsWith("11");
                within = begins || (within && !ends);
                if (skipped || !loggedIn[channel]) {
                    loggedIn[channel] |= text.startsWith("230");
                    continue;
                }
            } else if (!loggedIn[channel] || text.equals("<EOF>")) {
                continue;
            }
            all.add(new Said(Double.parseDouble(matcher.group(1)) * 1e3, channel, byClient, shorter(text)));
        }
        return all;
    }

    /** Keeps of a path its last part. */
    private static String shorter(String text) {
        return text.replaceAll("/\\S*/(\\S*)", "$1").strip();
    }

    /** Marks each server while it says that a transfer is under way. */
    private static void transfers(Graphics2D g, List<Said> all, int[] x, boolean two) {
        for (int channel = 1; channel <= (two ? 2 : 1); channel++) {
            int from = -1;
            for (int i = 0; i < all.size(); i++) {
                Said said = all.get(i);
                if (said.channel() != channel || said.byClient()) {
                    continue;
                }
                if (said.text().startsWith("150") || said.text().startsWith("125")) {
                    from = i;
                } else if (said.text().startsWith("226") && from >= 0) {
                    g.setColor(DATA);
                    g.fillRect(x[channel] - 4, TOP + from * ROW + 12, 8, (i - from) * ROW);
                    from = -1;
                }
            }
        }
    }

    private static void arrow(Graphics2D g, int from, int to, int y, Color colour) {
        int way = to > from ? 1 : -1;
        g.setColor(colour);
        g.setStroke(new BasicStroke(1.1f));
        g.drawLine(from + 5 * way, y, to - 5 * way, y);
        Path2D head = new Path2D.Double();
        head.moveTo(to - 5 * way, y);
        head.lineTo(to - 13 * way, y - 4);
        head.lineTo(to - 13 * way, y + 4);
        head.closePath();
        g.fill(head);
    }

    private static void centre(Graphics2D g, String text, int x, int y) {
        g.drawString(text, x - g.getFontMetrics().stringWidth(text) / 2, y);
    }

    private static String cut(Graphics2D g, String text, int most) {
        FontMetrics metrics = g.getFontMetrics();
        String shown = text;
        while (metrics.stringWidth(shown) > most) {
            shown = shown.substring(0, shown.length() - 2).strip() + "…";
        }
        return shown;
    }
}
