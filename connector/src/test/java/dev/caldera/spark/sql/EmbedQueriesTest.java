package dev.caldera.spark.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.spark.LocalSpark;
import dev.caldera.spark.executor.FakeEncoders;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where calls may stand: values are right, and the model sees no text more often than it must. */
class EmbedQueriesTest {
  private FakeEncoders encoders;

  @BeforeEach
  void resetCounts() {
    encoders = LocalSpark.encoders();
  }

  @AfterEach
  void everyEncoderIsClosed() {
    assertThat(encoders.open()).isZero();
  }

  private static List<Row> rows(String sql) {
    return LocalSpark.rows(sql);
  }

  private static List<Integer> ids(String sql) {
    return rows(sql).stream().map(row -> ((Number) row.get(0)).intValue()).toList();
  }

  private static List<Float> vector(String text) {
    float[] vector = FakeEncoders.vector(text);
    return List.of(vector[0], vector[1], vector[2]);
  }

  @Test
  void projectionGivesTheVectorOfEachRow() {
    List<Row> rows = rows("SELECT id, ai_embed('fake', text) AS v FROM texts");
    assertThat(rows).hasSize(LocalSpark.ROWS);
    for (Row row : rows) {
      long id = row.getLong(0);
      if (id % 10 == 9) {
        assertThat(row.isNullAt(1)).isTrue();
      } else {
        assertThat(row.<Float>getList(1)).isEqualTo(vector("text" + id));
      }
    }
    assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS).doesNotHaveDuplicates();
  }

  @Test
  void theTypeIsArrayOfFloat() {
    assertThat(
            LocalSpark.session().sql("SELECT ai_embed('fake', text) v FROM texts").schema().sql())
        .isEqualTo("STRUCT<v: ARRAY<FLOAT>>");
  }

  @Test
  void theSameCallTwiceIsEvaluatedOnce() {
    List<Row> rows =
        rows("SELECT ai_embed('fake', text)[0], size(ai_embed('fake', text)) FROM texts");
    assertThat(rows).hasSize(LocalSpark.ROWS);
    assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS);
  }

  @Test
  void theSameCallInWhereAndSelectIsEvaluatedOnce() {
    assertThat(
            ids(
                "SELECT id, ai_embed('fake', text) FROM texts"
                    + " WHERE ai_embed('fake', text)[2] > 30 ORDER BY id"))
        .containsExactly(31, 32, 33, 34, 35, 36, 37, 38);
    assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS);
  }

  @Test
  void aSubquerysCallFilteredAboveIsEvaluatedOnce() {
    assertThat(
            ids(
                "SELECT id, v FROM (SELECT id, ai_embed('fake', text) AS v FROM texts)"
                    + " WHERE v[2] > 36 ORDER BY id"))
        .containsExactly(37, 38);
    assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS);
  }

  @Test
  void cheapConjunctsComeFirst() {
    assertThat(
            ids("SELECT id FROM texts WHERE ai_embed('fake', text)[2] > 5 AND id < 8 ORDER BY id"))
        .containsExactly(6, 7);
    assertThat(encoders.evaluated()).hasSize(8);
  }

  @Test
  void eachConjunctSeesOnlyRowsThatTheOnesBeforeLetThrough() {
    assertThat(
            ids(
                "SELECT id FROM texts WHERE ai_embed('fake', text)[2] >= 36"
                    + " AND ai_embed('fake', upper(text))[1] = 84 ORDER BY id"))
        .containsExactly(36, 37, 38);
    assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS + 3);
  }

  @Test
  void caseEvaluatesOnlyRowsThatTakeTheBranch() {
    List<Row> rows =
        rows(
            "SELECT id, CASE WHEN id < 3 THEN ai_embed('fake', text)"
                + " WHEN id < 5 THEN ai_embed('fake', upper(text)) END AS v FROM texts ORDER BY id");
    assertThat(rows.get(2).<Float>getList(1)).isEqualTo(vector("text2"));
    assertThat(rows.get(4).<Float>getList(1)).isEqualTo(vector("TEXT4"));
    assertThat(rows.get(5).isNullAt(1)).isTrue();
    assertThat(encoders.evaluated())
        .containsExactlyInAnyOrder("text0", "text1", "text2", "TEXT3", "TEXT4");
  }

  @Test
  void guardedInputsAreNotEvaluatedForOtherRows() {
    List<Row> rows =
        rows(
            "SELECT IF(id != 0, ai_embed('fake', CAST(10 div id AS STRING)), NULL) FROM texts"
                + " WHERE id < 3");
    assertThat(rows).hasSize(3);
    assertThat(encoders.evaluated()).containsExactlyInAnyOrder("10", "5");
  }

  @Test
  void ifAndCoalesceEvaluateOnlyWhatIsReached() {
    rows("SELECT IF(id < 2, ai_embed('fake', text), NULL) FROM texts");
    assertThat(encoders.evaluated()).containsExactlyInAnyOrder("text0", "text1");
    encoders.reset();
    rows(
        "SELECT coalesce(ai_embed('fake', text), ai_embed('fake', concat('id', id))) FROM texts"
            + " WHERE id < 10");
    assertThat(encoders.evaluated()).hasSize(10).contains("id9").doesNotContain("id1");
  }

  @Test
  void andAndOrEvaluateTheirRightSideOnlyWhereItMatters() {
    assertThat(
            ids(
                "SELECT id FROM texts WHERE id < 3 OR (id < 5 AND ai_embed('fake', text)[2] = 4)"
                    + " ORDER BY id"))
        .containsExactly(0, 1, 2, 4);
    assertThat(encoders.evaluated()).containsExactlyInAnyOrder("text3", "text4");
  }

  @Test
  void aGuardThatHoldsACallIsEvaluatedFirst() {
    List<Row> rows =
        rows(
            "SELECT id, CASE WHEN ai_embed('fake', text)[2] < 2 THEN"
                + " ai_embed('fake', upper(text)) END FROM texts ORDER BY id");
    assertThat(rows.get(1).<Float>getList(1)).isEqualTo(vector("TEXT1"));
    assertThat(rows.get(2).isNullAt(1)).isTrue();
    assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS + 2);
  }

  @Test
  void aCallThatIsGuardedInOnePlaceAndNotInAnotherIsEvaluatedOnce() {
    rows("SELECT IF(id < 2, ai_embed('fake', text), NULL), ai_embed('fake', text)[0] FROM texts");
    assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS);
  }

  @Test
  void aNondeterministicConditionGuardsNothing() {
    List<Row> rows =
        rows("SELECT CASE WHEN rand(7) < 0.5 THEN ai_embed('fake', text) END FROM texts");
    assertThat(rows).hasSize(LocalSpark.ROWS);
    assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS);
  }

  @Test
  void nestedCallsRunInnerFirst() {
    List<Row> rows =
        rows(
            "SELECT ai_embed('fake', concat('n', CAST(ai_embed('fake', text)[2] AS INT))) FROM texts"
                + " WHERE id < 3 ORDER BY id");
    assertThat(rows.get(2).<Float>getList(0)).isEqualTo(vector("n2"));
    assertThat(encoders.evaluated()).hasSize(6).contains("text0", "n0", "n2");
  }

  @Test
  void limitEvaluatesNoMoreRows() {
    assertThat(rows("SELECT ai_embed('fake', text) FROM texts WHERE text IS NOT NULL LIMIT 4"))
        .hasSize(4);
    assertThat(encoders.evaluated()).hasSize(4);
  }

  @Test
  void limitWithOffset() {
    assertThat(ids("SELECT id, ai_embed('fake', text) FROM texts ORDER BY id LIMIT 3 OFFSET 2"))
        .containsExactly(2, 3, 4);
    assertThat(encoders.evaluated()).hasSize(3);
  }

  @Test
  void orderByWithLimitEvaluatesTheRowsThatAreLeft() {
    assertThat(ids("SELECT id, ai_embed('fake', text) FROM texts ORDER BY id DESC LIMIT 4"))
        .containsExactly(39, 38, 37, 36);
    assertThat(encoders.evaluated()).containsExactlyInAnyOrder("text38", "text37", "text36");
  }

  @Test
  void orderByTheCallWithLimit() {
    assertThat(ids("SELECT id FROM texts ORDER BY ai_embed('fake', text)[2] DESC LIMIT 2"))
        .containsExactly(38, 37);
    assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS);
  }

  @Test
  void globalOrderByEvaluatesARowOnce() {
    assertThat(ids("SELECT id, ai_embed('fake', text) FROM texts ORDER BY id DESC")).hasSize(40);
    assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS);
    encoders.reset();
    assertThat(
            ids(
                "SELECT id FROM texts WHERE text IS NOT NULL"
                    + " ORDER BY ai_embed('fake', text)[2] DESC"))
        .startsWith(38, 37, 36);
    assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS);
  }

  @Test
  void joinConditionOnOneSide() {
    assertThat(
            ids(
                "SELECT a.id FROM texts a JOIN texts b ON a.id = b.id"
                    + " AND ai_embed('fake', a.text)[2] > 36 ORDER BY 1"))
        .containsExactly(37, 38);
    assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS);
  }

  @Test
  void joinOnEqualVectors() {
    assertThat(
            ids(
                "SELECT a.id FROM texts a JOIN texts b"
                    + " ON ai_embed('fake', a.text) = ai_embed('fake', b.text) WHERE a.id < 5"
                    + " ORDER BY 1"))
        .containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void innerJoinOnBothSidesFiltersAbove() {
    assertThat(
            ids(
                "SELECT a.id FROM texts a JOIN texts b ON a.id = b.id AND a.id < 4"
                    + " AND ai_embed('fake', concat(a.text, b.grp))[2] = 22 ORDER BY 1"))
        .containsExactly(2);
    assertThat(encoders.evaluated()).hasSize(4);
  }

  @Test
  void outerJoinWithACallOnOneSide() {
    assertThat(
            ids(
                "SELECT count(b.id) FROM texts a LEFT JOIN texts b ON a.id = b.id"
                    + " AND ai_embed('fake', b.text)[2] < 3"))
        .containsExactly(3);
  }

  @Test
  void groupingByACall() {
    List<Row> rows =
        rows(
            "SELECT ai_embed('fake', text)[0] AS l, count(*) FROM texts WHERE text IS NOT NULL"
                + " GROUP BY ai_embed('fake', text)[0] ORDER BY l");
    assertThat(rows.toString()).isEqualTo("[[5.0,9], [6.0,27]]");
    assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS);
  }

  @Test
  void aggregatesOfCallsAndCallsOfAggregates() {
    List<Row> rows =
        rows(
            "SELECT grp, max(ai_embed('fake', text)[2]), ai_embed('fake', concat(max(text), grp))[0]"
                + " FROM texts GROUP BY grp HAVING max(ai_embed('fake', text)[2]) > 36 ORDER BY grp");
    assertThat(rows.toString()).isEqualTo("[[1,37.0,6.0], [2,38.0,6.0]]");
    assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS + 4);
  }

  @Test
  void callsOnAGroupingColumnAreEvaluatedForEachGroup() {
    rows("SELECT ai_embed('fake', concat('g', grp)), count(*) FROM texts GROUP BY grp");
    assertThat(encoders.evaluated()).containsExactlyInAnyOrder("g0", "g1", "g2", "g3");
  }

  @Test
  void distinctAggregatesAndFilters() {
    assertThat(
            rows("SELECT count(DISTINCT ai_embed('fake', text)[0]), count(DISTINCT grp),"
                    + " sum(id) FILTER (WHERE ai_embed('fake', text)[2] < 3) FROM texts")
                .toString())
        .isEqualTo("[[2,4,3]]");
  }

  @Test
  void windows() {
    List<Row> rows =
        rows(
            "SELECT id, rank() OVER (PARTITION BY grp ORDER BY ai_embed('fake', text)[2] DESC) r"
                + " FROM texts WHERE text IS NOT NULL ORDER BY id");
    assertThat(rows).hasSize(LocalSpark.TEXTS);
    assertThat(rows.get(35).get(1)).isEqualTo(1);
    assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS);
  }

  @Test
  void explodeAndLateralView() {
    assertThat(rows("SELECT id, explode(ai_embed('fake', text)) FROM texts WHERE id < 2"))
        .hasSize(6);
    assertThat(
            rows(
                "SELECT id, x FROM texts LATERAL VIEW explode(ai_embed('fake', text)) t AS x"
                    + " WHERE id < 2"))
        .hasSize(6);
  }

  @Test
  void unionsAndSetOperations() {
    assertThat(
            rows(
                "SELECT ai_embed('fake', text)[2] FROM texts WHERE id < 2 UNION ALL"
                    + " SELECT ai_embed('fake', upper(text))[2] FROM texts WHERE id < 3"))
        .hasSize(5);
    assertThat(
            rows(
                "SELECT ai_embed('fake', text)[2] FROM texts WHERE id < 4 INTERSECT"
                    + " SELECT ai_embed('fake', text)[2] FROM texts WHERE id > 1"))
        .hasSize(2);
  }

  @Test
  void subqueries() {
    assertThat(
            ids(
                "SELECT id FROM texts WHERE ai_embed('fake', text)[2] ="
                    + " (SELECT max(ai_embed('fake', text)[2]) FROM texts)"))
        .containsExactly(38);
    assertThat(
            ids(
                "SELECT id FROM texts a WHERE EXISTS (SELECT 1 FROM texts b WHERE a.id = b.id"
                    + " AND ai_embed('fake', b.text)[2] < 2) ORDER BY id"))
        .containsExactly(0, 1);
    assertThat(
            ids(
                "SELECT id FROM texts WHERE id IN (SELECT CAST(ai_embed('fake', text)[2] AS INT)"
                    + " FROM texts WHERE id < 3) ORDER BY id"))
        .containsExactly(0, 1, 2);
  }

  @Test
  void commonTableExpressions() {
    assertThat(
            ids(
                "WITH v AS (SELECT id, ai_embed('fake', text) e FROM texts WHERE id < 5)"
                    + " SELECT a.id FROM v a JOIN v b ON a.id = b.id WHERE a.e[2] > 2 ORDER BY 1"))
        .containsExactly(3, 4);
  }

  @Test
  void pivots() {
    assertThat(
            rows("SELECT * FROM (SELECT grp, ai_embed('fake', text)[2] v FROM texts)"
                    + " PIVOT (max(v) FOR grp IN (1, 2))")
                .toString())
        .isEqualTo("[[37.0,38.0]]");
  }

  @Test
  void tablesFromQueries() {
    rows("DROP TABLE IF EXISTS vectors");
    rows(
        "CREATE TABLE vectors USING parquet AS"
            + " SELECT id, ai_embed('fake', text) v FROM texts WHERE id < 4");
    assertThat(encoders.evaluated()).hasSize(4);
    rows("INSERT INTO vectors SELECT id, ai_embed('fake', text) FROM texts WHERE id = 7");
    assertThat(ids("SELECT id FROM vectors WHERE v[2] = id ORDER BY id"))
        .containsExactly(0, 1, 2, 3, 7);
    assertThat(encoders.evaluated()).hasSize(5);
    rows("DROP TABLE vectors");
  }

  @Test
  void constantsAreEvaluatedOnceATask() {
    List<Row> rows =
        rows("SELECT id, ai_embed('fake', 'query7')[2], ai_embed('fake', text) FROM texts");
    assertThat(rows).hasSize(LocalSpark.ROWS).allMatch(row -> row.getFloat(1) == 7f);
    long tasks = encoders.evaluated().stream().filter("query7"::equals).count();
    assertThat(tasks).isBetween(1L, 4L);
  }

  @Test
  void aConstantWithoutATable() {
    assertThat(rows("SELECT ai_embed('fake', 'one1')[2]").toString()).isEqualTo("[[1.0]]");
    assertThat(rows("SELECT ai_embed('fake', NULL)").get(0).isNullAt(0)).isTrue();
  }

  @Test
  void cachedResultsAreNotEvaluatedAgain() {
    var cached = LocalSpark.session().sql("SELECT id, ai_embed('fake', text) v FROM texts").cache();
    try {
      assertThat(cached.count()).isEqualTo(LocalSpark.ROWS);
      assertThat(cached.filter("v[2] > 36").count()).isEqualTo(2);
      assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS);
    } finally {
      cached.unpersist(true);
    }
  }

  @Test
  void sortedAndLimitedSubqueriesKeepTheirOrder() {
    assertThat(
            ids(
                "SELECT id FROM (SELECT id, ai_embed('fake', text) v FROM texts"
                    + " ORDER BY id LIMIT 6) WHERE v[2] > 2 ORDER BY id"))
        .containsExactly(3, 4, 5);
    assertThat(encoders.evaluated()).hasSize(6);
  }
}
