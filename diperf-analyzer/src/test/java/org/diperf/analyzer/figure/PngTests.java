package org.diperf.analyzer.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PngTests {

    @Test
    void othersReadEveryPixelAsItWas() throws IOException {
        long seed = 20061127;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        BufferedImage image = new BufferedImage(61, 47, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                // Whatever may be, and as in a chart what is above.
                boolean any = y == 0 || random.nextInt(3) == 0;
                image.setRGB(x, y, any ? random.nextInt(1 << 24) : image.getRGB(x, y - 1));
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Png.write(image, bytes);
        BufferedImage read = ImageIO.read(new ByteArrayInputStream(bytes.toByteArray()));
        assertThat(read.getWidth()).isEqualTo(image.getWidth());
        assertThat(read.getHeight()).isEqualTo(image.getHeight());
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                assertThat(read.getRGB(x, y)).as("at %d, %d", x, y).isEqualTo(image.getRGB(x, y));
            }
        }
    }
}
