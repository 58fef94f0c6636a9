-- Semantic search in plain SQL: the five reviews nearest to a query.
--
-- spark-sql --jars caldera-spark_2.13-0.1.0-SNAPSHOT.jar \
--   --conf spark.plugins=dev.caldera.spark.CalderaPlugin \
--   --conf spark.caldera.model.minilm.uri=/models/all-MiniLM-L6-v2 \
--   -f examples/sql/search.sql
--
-- Run it in the root of the project; vector_cosine_similarity needs Spark 4.2.

CREATE TEMPORARY VIEW reviews (id INT, product STRING, text STRING)
USING csv OPTIONS (path 'examples/embed-reviews/reviews.csv', header true, multiLine true, escape '"');

CREATE TEMPORARY VIEW embedded AS
SELECT id, product, text, ai_embed('minilm', text) AS embedding FROM reviews;

SELECT round(vector_cosine_similarity(embedding, ai_embed('minilm', 'the battery does not last')), 3) AS similarity,
       product,
       substr(text, 1, 60) AS text
FROM embedded
ORDER BY similarity DESC NULLS LAST
LIMIT 5;
