import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.File;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/**
 * Makes figures small enough for the documentation: 1,000 pixels wide, 256 colours. Usage: java Shrink.java FROM.png TO.png [FROM.png
 * TO.png...]
 */
public final class Shrink {

    private static final int WIDTH = 1000;
    private static final int COLOURS = 256;

    public static void main(String[] args) throws IOException {
        for (int i = 0; i + 1 < args.length; i += 2) {
            shrink(new File(args[i]), new File(args[i + 1]));
        }
    }

    private static void shrink(File from, File to) throws IOException {
        BufferedImage large = ImageIO.read(from);
        int height = Math.round((float) large.getHeight() * WIDTH / large.getWidth());
        BufferedImage small = new BufferedImage(WIDTH, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D g2 = small.createGraphics();
        g2.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BICUBIC);
        g2.drawImage(large, 0, 0, WIDTH, height, null);
        g2.dispose();
        // The colours of a chart are few; the most frequent ones, coarsely told apart, stand for all.
        Map<Integer, Long> counts = new HashMap<>();
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < WIDTH; x++) {
                counts.merge(coarse(small.getRGB(x, y)), 1L, Long::sum);
            }
        }
        List<Integer> palette = counts.entrySet().stream()
                .sorted(Map.Entry.<Integer, Long>comparingByValue(Comparator.reverseOrder()))
                .limit(COLOURS)
                .map(Map.Entry::getKey)
                .toList();
        int n = palette.size();
        byte[] red = new byte[n];
        byte[] green = new byte[n];
        byte[] blue = new byte[n];
        for (int i = 0; i < n; i++) {
            red[i] = (byte) (palette.get(i) >> 16);
            green[i] = (byte) (palette.get(i) >> 8);
            blue[i] = (byte) (int) palette.get(i);
        }
        IndexColorModel model = new IndexColorModel(8, n, red, green, blue);
        BufferedImage indexed = new BufferedImage(WIDTH, height, BufferedImage.TYPE_BYTE_INDEXED, model);
        Map<Integer, Integer> nearest = new HashMap<>();
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < WIDTH; x++) {
                int colour = coarse(small.getRGB(x, y));
                int at = nearest.computeIfAbsent(colour, c -> nearest(palette, c));
                indexed.getRaster().setSample(x, y, 0, at);
            }
        }
        ImageIO.write(indexed, "png", to);
    }

    /** Keeps five bits a channel; white stays white. */
    private static int coarse(int rgb) {
        int colour = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            int channel = (rgb >> shift) & 0xF8;
            colour |= (channel | channel >> 5) << shift;
        }
        return colour;
    }

    private static int nearest(List<Integer> palette, int colour) {
        int best = 0;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < palette.size() && least > 0; i++) {
            int distance = 0;
            for (int shift = 16; shift >= 0; shift -= 8) {
                int difference = ((palette.get(i) >> shift) & 255) - ((colour >> shift) & 255);
                distance += difference * difference;
            }
            if (distance < least) {
                least = distance;
                best = i;
            }
        }
        return best;
    }
}
