import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

public class Client {
    public static void main(String[] arguments) throws Exception {
        URI uri = URI.create("https://api.attentivemobile.com/v1/me");
        String key = "Bearer sandpiper-demo-key";
        var request = HttpRequest.newBuilder(uri).header("authorization", key).build();
        System.out.println("HttpClient " + HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode());
        var connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setRequestProperty("authorization", key);
        System.out.println("HttpURLConnection " + connection.getResponseCode());
        try {
            URI.create("https://api.sendgrid.com/v3/mail").toURL().openStream();
        } catch (java.io.IOException refused) {
            System.out.println(refused.getMessage());
        }
    }
}
