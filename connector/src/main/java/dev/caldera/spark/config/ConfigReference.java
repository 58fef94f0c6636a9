package dev.caldera.spark.config;

/** Writes the reference page of all settings, {@code docs/configuration.md}, from the entries. */
final class ConfigReference {
  private ConfigReference() {}

  /** The page, in Markdown. */
  static String page() {
    StringBuilder page = new StringBuilder();
    page.append("# Configuration\n\n");
    page.append("<!-- Made from dev.caldera.spark.config; to make it anew, see");
    page.append(" ConfigReferenceTest. -->\n\n");
    page.append("Set these as any setting of Spark: `--conf key=value`, `spark-defaults.conf`,");
    page.append(" `SparkSession.builder().config(...)`,\nand those read for each query also by");
    page.append(" `SET key=value`. A key that begins with `").append(CalderaConf.PREFIX);
    page.append("` and is not listed here is an error.\n\n");
    page.append("| Setting | Default | Read | Meaning |\n|---|---|---|---|\n");
    for (ConfigEntry<?> entry : ConfigEntries.ALL) {
      row(
          page,
          entry.key(),
          "`" + entry.defaultText() + "`",
          entry.scope().read(),
          entry.documentation());
    }
    row(
        page,
        ModelEntries.URI_KEY,
        "none",
        ConfigEntry.Scope.QUERY.read(),
        ModelEntries.URI_DOCUMENTATION);
    page.append("\n`spark.plugins=dev.caldera.spark.CalderaPlugin` is all that is needed to have");
    page.append(" the functions: the plugin adds\n`dev.caldera.spark.CalderaExtensions` to");
    page.append(" `spark.sql.extensions` itself. In local mode the extensions alone do, too.\n");
    return page.toString();
  }

  private static void row(
      StringBuilder page, String key, String standard, String read, String documentation) {
    page.append("| `").append(key).append("` | ").append(standard).append(" | ").append(read);
    page.append(" | ").append(documentation).append(" |\n");
  }
}
