import crawlercommons.robots.SimpleRobotRulesParser;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers queries with crawler-commons, one agent each. The protocol is that of package driver. */
public final class Driver {
    // The texts of a query are base64, so they contain no quotes.
    private static final Pattern QUERY =
        Pattern.compile("\"body\":\"([^\"]*)\",\"agents\":\\[\"([^\"]*)\"\\],\"url\":\"([^\"]*)\"");

    public static void main(String[] arguments) throws Exception {
        System.out.println("{\"version\":\"1.5\"}");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = in.readLine()) != null;) {
            System.out.println(answer(line));
        }
    }

    private static String answer(String line) {
        Matcher query = QUERY.matcher(line);
        if (!query.find()) {
            return "{\"error\":\"the query has no agent, or several\"}";
        }
        try {
            byte[] body = Base64.getDecoder().decode(query.group(1));
            String agent = text(query.group(2)).toLowerCase(Locale.ROOT);
            String url = text(query.group(3));
            String address = url.startsWith("/") ? "https://shop.example" + url : url; // it takes no paths
            boolean allowed = new SimpleRobotRulesParser()
                .parseContent(address, body, "text/plain", List.of(agent)).isAllowed(address);
            return "{\"allowed\":" + allowed + "}";
        } catch (RuntimeException error) { // any exception means that there is no verdict
            return "{\"error\":\"" + error.getClass().getName() + "\"}";
        }
    }

    private static String text(String encoded) {
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    }
}
