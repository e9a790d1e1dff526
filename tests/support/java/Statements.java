import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.net.InetSocketAddress;

/** What a program with the Java driver 4 does, one line of output for each thing; arguments: address and port. */
public class Statements {
    public static void main(String[] args) {
        InetSocketAddress node = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
        try (CqlSession session = CqlSession.builder().addContactPoint(node).withLocalDatacenter("dc1")
                .withAuthCredentials("me", "secret").build()) {
            System.out.println("protocol " + session.getContext().getProtocolVersion());
            System.out.println("nodes " + session.getMetadata().getNodes().size());
            session.execute("CREATE KEYSPACE j WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2}");
            session.execute("CREATE TABLE j.t (a int, b text, c double, PRIMARY KEY (a, b))");
            PreparedStatement insert = session.prepare("INSERT INTO j.t (a, b, c) VALUES (?, ?, ?)");
            for (int i = 0; i < 100; i++) {
                session.execute(insert.bind(i, "x", (double) i));
            }
            double sum = 0;
            for (Row row : session.execute(SimpleStatement.newInstance("SELECT * FROM j.t").setPageSize(7))) {
                sum += row.getDouble("c");
            }
            System.out.println("sum " + sum);
            PreparedStatement select = session.prepare("SELECT * FROM j.t WHERE a = ?");
            session.execute("ALTER TABLE j.t ADD d int");
            System.out.println("columns " + session.execute(select.bind(5)).one().getColumnDefinitions().size());
            System.out.println("applied "
                    + session.execute("INSERT INTO j.t (a, b) VALUES (5, 'x') IF NOT EXISTS").wasApplied());
            session.execute(BatchStatement.newInstance(BatchType.LOGGED, insert.bind(200, "y", 1.0),
                    insert.bind(201, "y", 1.0)));
            System.out.println("count " + session.execute("SELECT count(*) FROM j.t").one().getLong(0));
        }
    }
}
