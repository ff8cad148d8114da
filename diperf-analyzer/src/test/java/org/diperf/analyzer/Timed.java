package org.diperf.analyzer;
import java.nio.file.Path;
final class Timed {
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < Integer.parseInt(a[2]); i++) {
            long t = System.nanoTime();
            Analysis x = Analyzer.analyze(Path.of(a[0]), Analyzer.Options.AS_RECORDED, Integer.parseInt(a[1]));
            double s = (System.nanoTime() - t) / 1e9;
            System.out.printf("%.2f s %.1f M/s p99 %s%n", s, x.summary().calls().ok() / s / 1e6, x.summary().responseTime().p99());
        }
    }
}
