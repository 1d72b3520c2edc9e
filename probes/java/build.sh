#!/usr/bin/env bash
# Builds the Java probe into build/java and its launchers into build/probes.
#
#   probes/java/build.sh          build what is not up to date
#   probes/java/build.sh test     run the unit tests as well
#
# Needs a JDK 17 or newer and Maven. Without them it prints a message and exits with 0, since everything else works
# without Java.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
jar=build/java/motebench-probe.jar
log=build/java.log

say() { printf 'java probe: %s\n' "$*" >&2; }

for tool in javac mvn; do
    if ! command -v "$tool" >/dev/null; then
        say "not built: $tool is missing. Install it: apt-get install -y default-jdk-headless maven"
        exit 0
    fi
done
version=$(javac -version 2>&1 | sed 's/[^0-9]*\([0-9]*\).*/\1/')
if [ "${version:-0}" -lt 17 ]; then
    say "not built: javac $version is too old, 17 is needed. Install it: apt-get install -y default-jdk-headless"
    exit 0
fi

launcher() {
    local path=build/probes/motebench-probe-$1
    mkdir -p build/probes
    # Messages of the virtual machine go to standard error: standard output carries only frames.
    cat >"$path.new" <<LAUNCHER
#!/bin/sh
# Made by probes/java/build.sh. MOTEBENCH_JAVA_OPTIONS: options for the virtual machine; MOTEBENCH_JAVA_VARIANT: options of
# a variant, see variants.toml; JAVA_HOME: the Java to use.
java=\${JAVA_HOME:+\$JAVA_HOME/bin/}java
if ! command -v "\$java" >/dev/null; then
    echo "motebench-probe-$1: \$java is missing. Install it: apt-get install -y default-jdk-headless" >&2
    exit 1
fi
here=\$(dirname "\$0")
# shellcheck disable=SC2086 # a list of options
exec "\$java" -XX:+DisplayVMOutputToStderr -Xlog:all=warning:stderr -XX:+UnlockDiagnosticVMOptions \\
    \${MOTEBENCH_JAVA_OPTIONS:-} \${MOTEBENCH_JAVA_VARIANT:-} \\
    -jar "\$here/../java/motebench-probe.jar" $1
LAUNCHER
    chmod +x "$path.new"
    mv -f "$path.new" "$path"
}

if [ "${1:-}" = test ]; then goal=(verify); else goal=(verify -DskipTests); fi
if [ "${1:-}" = test ] || [ ! -e "$jar" ] || [ ! -x build/probes/motebench-probe-bouncycastle ] ||
    [ -n "$(find probes/java -newer "$jar" -type f -print -quit)" ]; then
    mkdir -p build
    if ! mvn -B -f probes/java/pom.xml "${goal[@]}" >"$log" 2>&1; then
        cat "$log" >&2
        say "could not be built; the output above is in $log"
        exit 1
    fi
    touch "$jar"
    launcher sunjce
    launcher bouncycastle
    say "built the probes of sunjce and bouncycastle in build/probes"
fi
