import java.util.Hashtable;
import java.util.concurrent.atomic.LongAdder;
import javax.naming.Context;
import javax.naming.NamingEnumeration;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;
import javax.naming.ldap.InitialLdapContext;

/**
 * Searches an index in loops, each with a kept connection and a thread of its own, by the JDK's JNDI.
 * Usage: Jndi URL THREADS SECONDS; prints the searches a second of the second half.
 */
public final class Jndi {

    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[1]);
        long nanos = Long.parseLong(arguments[2]) * 1_000_000_000L;
        long start = System.nanoTime();
        LongAdder searches = new LongAdder();
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            all[i] = new Thread(() -> {
                try {
                    loop(arguments[0], start, nanos, searches);
                } catch (Exception e) {
                    e.printStackTrace();
                    System.exit(1);
                }
            });
            all[i].start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        System.out.printf(java.util.Locale.ROOT, "%.1f%n", searches.sum() / (nanos / 2e9));
    }

    private static void loop(String url, long start, long nanos, LongAdder searches) throws Exception {
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.ldap.LdapCtxFactory");
        environment.put(Context.PROVIDER_URL, url);
        InitialLdapContext context = new InitialLdapContext(environment, null);
        SearchControls controls = new SearchControls();
        controls.setSearchScope(SearchControls.SUBTREE_SCOPE);
        while (System.nanoTime() - start < nanos) {
            NamingEnumeration<SearchResult> found =
                    context.search("Mds-Vo-name=local,o=grid", "(objectClass=GlueCE)", controls);
            int entries = 0;
            while (found.hasMore()) {
                found.next();
                entries++;
            }
            if (entries == 0) {
                throw new IllegalStateException("nothing found");
            }
            if (System.nanoTime() - start > nanos / 2) {
                searches.increment();
            }
        }
        context.close();
    }
}
