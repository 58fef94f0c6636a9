#!/usr/bin/env bash
# Embeds 300 product reviews with Spark and Caldera and finds the five nearest to a query.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: run.sh [--device DEVICE] [QUERY]

  QUERY            what to look for in the reviews
                   (default: "the battery does not last")
  --device DEVICE  auto    the first usable GPU, else the CPU (default)
                   cpu     the CPU
                   vulkan  the first usable GPU, else an error
                   vulkan:<UUID, PCI address or part of the name>
TEXT
}

query="the battery does not last"
device=auto
while (($#)); do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --device) device=${2:?"--device needs a value, for example: cpu"}; shift 2 ;;
    --device=*) device=${1#*=}; shift ;;
    -*) echo "Unknown option $1" >&2; usage >&2; exit 2 ;;
    *) query=$1; shift ;;
  esac
done

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
target=$here/target

need() {
  command -v "$1" >/dev/null || {
    echo "Cannot find $1: install JDK 17 or newer and Maven 3.8 or newer" >&2
    exit 1
  }
}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
need "$java"

# Shows what Maven does, a line for each module and each large download.
progress() {
  awk '
    /^\[INFO\] Building .*\[[0-9]+\/[0-9]+\]$/ {
      sub(/^\[INFO\] Building /, ""); sub(/ +[^ ]+ +\[[0-9]+\/[0-9]+\]$/, ""); print "  building " $0; fflush()
    }
    /Downloaded from .*\([0-9.]+ [MG]B at / {
      size = $0; sub(/.*\(/, "", size); sub(/ at .*/, "", size)
      name = $0; sub(/ \(.*/, "", name); sub(/.*\//, "", name); print "  downloaded " name ", " size; fflush()
    }'
}

built=$target/built
sources=("$root/pom.xml" "$root/shaders" "$root/gpu-runtime" "$root/connector" "$here")
if [[ ! -f $built ]] ||
  [[ -n $(find "${sources[@]}" \( -name target -o -name dependency-reduced-pom.xml \) -prune -o \
    -type f -newer "$built" -print | head -n 1) ]]; then
  need "${java}c"
  need mvn
  if [[ ! -f $built ]]; then
    echo "First run: Maven fetches what it does not have yet (its plugins, Spark, the model"
    echo "all-MiniLM-L6-v2; 650 MB if it has nothing) and builds Caldera. This takes some minutes."
  else
    echo "Sources changed: building."
  fi
  mkdir -p "$target"
  touch "$built.started"
  log=$target/build.log
  if ! (cd "$root" && mvn -B package -Prun -Dmaven.test.skip -Dspotless.check.skip -pl examples/embed-reviews -am) 2>&1 |
    tee "$log" | progress; then
    grep -E '^\[ERROR\]' "$log" | head -n 20 >&2
    echo "The build failed; all that it said is in $log" >&2
    exit 1
  fi
  mv "$built.started" "$built"
fi

# Spark starts as spark-submit starts it: its launcher makes the command from the folder of its
# jars, the folder of settings beside this script, and the options below.
export SPARK_HOME=$target/spark SPARK_CONF_DIR=$here/conf SPARK_SCALA_VERSION=2.13
export SPARK_LOCAL_IP=127.0.0.1
[[ ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} == *[Uu][Tt][Ff]* ]] || export LC_ALL=C.UTF-8
launch() {
  "$java" -cp "$SPARK_HOME/jars/*" org.apache.spark.launcher.Main \
    org.apache.spark.deploy.SparkSubmit \
    --master 'local[*]' \
    --driver-memory 1g \
    --jars "$target/caldera/caldera-spark_2.13.jar" \
    --conf "spark.caldera.model.minilm.uri=$target/all-MiniLM-L6-v2" \
    --conf "spark.caldera.device=$device" \
    --class dev.caldera.examples.EmbedReviews \
    "$target/embed-reviews.jar" "$here/reviews.csv" "$query"
}

# The launcher prints a zero byte and a newline, then the command's words, each ended by a zero byte.
command=()
while IFS= read -r -d '' word; do
  command+=("${word#$'\n'}")
done < <(launch)
((${#command[@]} > 1)) || exit 1
cd "$target" && exec "${command[@]:1}"
