#!/usr/bin/env bash
# Prepares a checkout: system packages, .venv, probes. make calls it; see `make help`.
#
#   tools/setup.sh quick     what studies/quickstart.toml needs: .venv without development tools, a few probes
#   tools/setup.sh           what motebench needs, every probe
#   tools/setup.sh tests     the same, and what some tests need: valgrind, compilers and emulators of other machines
#   tools/setup.sh browser   all of that, and Chromium for the browser tests
#   tools/setup.sh build NAME...   only these, without installing system packages: implementations (mote/aes-small, sunjce),
#                            simulators, motebench-launch, sources/LIBRARY, cross/MACHINE/IMPLEMENTATION (probes for
#                            machines of core/ports/posix/machines), cross/compiler, marked/IMPLEMENTATION (probes that mark
#                            secrets for valgrind), compiler/NAME (of tools/compilers.txt). motebench calls it when a user names
#                            a missing one. Standard output gets a line for each step: its key, then what it does
#
#   tools/setup.sh installed [NAME...]   with these optional parts, what an installed motebench can build here: libraries' sources, every probe, the simulators, in
#                            its home in the user's cache folder; no system packages. `motebench setup` calls it.
#
# It does no work twice, so you may call it any number of times. It writes messages to standard error.
# Environment: PYTHON names the interpreter for .venv; uv, pip and cmake read their own variables.
# MOTEBENCH_WITH names optional adapters (optional = true in their adapter.toml: libraries under the GPL, and those that are
# built from sources) to install and build, too. setup.sh remembers the names until you give others; `none` removes these probes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
stamps=.setup
# The implementations that studies/quickstart.toml measures
quick_probes="openssl libgcrypt mbedtls"

say() { printf 'setup: %s\n' "$*" >&2; }
# step KEY WORDS: what begins now. The key is the same for the same work, and - for work that is another one each time.
step() {
    case "$level" in
        build) printf '%s\n' "$*" >&4 ;;
        installed) say "${*:2}" ;;
    esac
}
die() { printf 'setup: %s\n' "$@" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
is_root() { [ "$(id -u)" -eq 0 ]; }

# --- system packages -------------------------------------------------------------------------------------------

distribution() { (. /etc/os-release 2>/dev/null && printf '%s' "${ID:-unknown}") || printf unknown; }

# The value of `key = "value"` in an adapter.toml
entry() { sed -n "s/^$2 *= *\"\\([^\"]*\\)\".*/\\1/p" "$1"; }

# Whether this adapter is built: every adapter that is not optional, and those that the user named. With `quick`: a few.
wanted() {
    if [ "$level" = quick ]; then
        case " $quick_probes " in *" $(entry "$1" name) "*) return 0 ;; *) return 1 ;; esac
    fi
    ! grep -q '^optional *= *true' "$1" || case " $with " in *" $(entry "$1" name) "*) ;; *) false ;; esac
}

# Boards are named as the folder of their simulator; what the compiler of some needs is too much for everybody.
boards_name() { basename "$(dirname "$1")"; }
wanted_boards() {
    case "$level" in tests | browser) return 0 ;; esac # each board that the docs list is tested
    ! grep -q '^optional *= *true' "$1" || case " $with " in *" $(boards_name "$1") "*) ;; *) false ;; esac
}

# The adapter.toml of each adapter that is built (yes) or is not (no)
adapters() {
    local adapter
    for adapter in core/adapters/*/adapter.toml; do
        [ -e "$adapter" ] || continue
        if wanted "$adapter"; then [ "$1" = no ] || printf '%s\n' "$adapter"
        else [ "$1" = yes ] || printf '%s\n' "$adapter"; fi
    done
}

# Whether the library of this adapter.toml is built here, from pinned sources
from_source() { grep -q '^from_source *= *true' "$1"; }

# Sets $with to the optional adapters that the user named, now or earlier, separated by spaces.
choose_optional() {
    local name names=" " adapter
    [ -n "${MOTEBENCH_WITH:-}" ] || [ ! -e "$stamps/with" ] || { with=$(cat "$stamps/with"); return; }
    with=
    while read -r adapter; do names+="$(entry "$adapter" name) "; done < <(adapters no)
    for adapter in simulators/*/simulator.toml; do
        ! grep -q '^optional *= *true' "$adapter" || names+="$(boards_name "$adapter") "
    done
    # shellcheck disable=SC2086 # a list of words
    for name in $(tr , ' ' <<<"${MOTEBENCH_WITH:-}"); do
        [ "$name" != none ] || continue
        case "$names" in *" $name "*) ;; *) die "there is no optional adapter $name; valid:${names}none" ;; esac
        with+="${with:+ }$name"
    done
    printf '%s\n' "$with" >"$stamps/with"
}

cxx_compiler() { have c++ || have g++ || have clang++ || have "${CXX:-c++}"; }
compiler() { for cc in "${CC:-cc}" gcc clang; do if have "${cc%% *}"; then printf '%s' "$cc"; return; fi; done; return 1; }

# Whether the library of this adapter.toml is installed and new enough
library_found() {
    local module minimum header cc
    if from_source "$1"; then [ -e "build/libraries/$(entry "$1" name).stamp" ]; return; fi
    module=$(entry "$1" pkg_config) minimum=$(entry "$1" minimum) header=$(entry "$1" header)
    if [ -n "$module" ] && have pkg-config; then
        pkg-config --atleast-version="${minimum:-0}" "$module" 2>/dev/null
        return
    fi
    # shellcheck disable=SC2086 # CC may hold options
    cc=$(compiler) && $cc -E -x c - <<<"#include <$header>" >/dev/null 2>&1
}

package_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# First interpreter of at least 3.11 that can make environments. Prints its command.
find_python() {
    local python
    for python in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3; do
        if "$python" -c 'import sys; assert sys.version_info >= (3, 11); import venv, ensurepip' 2>/dev/null; then
            printf '%s' "$python"
            return
        fi
    done
    return 1
}

# The packages for an interpreter: the venv module of an installed one, else Python 3.11.
python_packages() {
    local python version
    for python in python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3; do
        version=$("$python" -c 'import sys; assert sys.version_info >= (3, 11); print("%d.%d" % sys.version_info[:2])' \
            2>/dev/null) || continue
        printf 'python%s-venv\n' "$version"
        return
    done
    printf '%s\n' python3.11 python3.11-venv
}

# Chromium has to start: Ubuntu's package may only refer to a snap that is not available.
browser_found() {
    local program PATH=$PATH:/snap/bin
    have chromedriver || have chromium.chromedriver || return 1
    for program in chromium chromium-browser google-chrome google-chrome-stable; do
        if "$program" --version >/dev/null 2>&1; then return; fi
    done
    return 1
}

legacy_module() { printf '%s/legacy.so' "$(pkg-config --variable=modulesdir libcrypto 2>/dev/null)"; }

# The packages that everything needs
required_packages() {
    compiler >/dev/null || echo gcc libc6-dev
    have make || echo make
    have cmake || echo cmake
    have pkg-config || echo pkg-config
    [ -x .venv/bin/python ] || find_python >/dev/null || python_packages
    if [ -n "$browser" ] && ! browser_found; then
        if [ "$(distribution)" = ubuntu ]; then echo chromium-browser chromium-chromedriver
        else echo chromium chromium-driver; fi
    fi
}

# The packages that an adapter.toml, probe.toml or simulator.toml names for this distribution
packages_of() { if [ "$(distribution)" = ubuntu ]; then entry "$1" ubuntu; else entry "$1" debian; fi; }

# Libraries, languages and boards. If one is missing, only its own probes are not built.
probe_packages() {
    local needs package tool cxx=
    while read -r needs; do
        [ "$(entry "$needs" language)" != C++ ] || cxx_compiler || cxx=g++
        library_found "$needs" && continue
        from_source "$needs" && tools_found "$needs" && continue
        package=$(packages_of "$needs")
        package_installed "$package" || echo "$package" # apt cannot replace a library that is too old: see probes
    done < <(adapters yes)
    [ -z "$cxx" ] || echo "$cxx"
    # Newer releases have DES, Blowfish, RC4 and other old ciphers in a separate package.
    if [ "$level" != quick ] && have apt-cache && have pkg-config && pkg-config --exists libcrypto && [ ! -e "$(legacy_module)" ] &&
        [ -n "$(apt-cache madison openssl-provider-legacy 2>/dev/null)" ]; then
        echo openssl-provider-legacy
    fi
    [ "$level" != quick ] || return 0
    for needs in probes/*/probe.toml simulators/*/simulator.toml; do
        [ ! -e "$needs" ] || ! wanted_boards "$needs" || tools_found "$needs" || packages_of "$needs"
    done
}

# Whether the commands of this file are installed, and the header if it names one
tools_found() {
    local tool header cc
    for tool in $(entry "$1" commands); do have "$tool" || return 1; done
    header=$(entry "$1" header)
    # shellcheck disable=SC2086 # CC may hold options
    [ -z "$header" ] || { cc=$(compiler) && $cc -E -x c - <<<"#include <$header>" >/dev/null 2>&1; }
}

# Without these, the tests that need them are skipped with a message.
test_packages() {
    have valgrind || echo valgrind
    have avrdude || echo avrdude
    have bossac || echo bossa-cli
    have simavr || echo simavr libsimavr-dev libelf-dev
    have qemu-ppc || echo qemu-user
    have qemu-system-arm || echo qemu-system-arm
    have ssh || echo openssh-client
    have mkfs.ext4 || [ -x /usr/sbin/mkfs.ext4 ] || echo e2fsprogs
    have i686-linux-gnu-gcc || echo gcc-i686-linux-gnu libc6-dev-i386-cross
    have powerpc-linux-gnu-gcc || echo gcc-powerpc-linux-gnu libc6-dev-powerpc-cross
    have clang-19 || echo clang-19
}

optional_packages() {
    probe_packages
    case "$level" in tests | browser) test_packages ;; esac
}

# The optional packages, without those that were unavailable before.
wanted_packages() {
    local package
    for package in $(optional_packages); do
        grep -qxF "$package" "$stamps/unavailable" 2>/dev/null || printf '%s ' "$package"
    done
}

apt_line() { printf 'apt-get update && apt-get install -y --no-install-recommends %s' "$*"; }

apt_install() {
    "${as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
        install -y --no-install-recommends --no-remove "$@" >"$stamps/apt.log" 2>&1
}

system_packages() {
    local required wanted package as=()
    required=$(required_packages | tr '\n' ' ') wanted=$(wanted_packages)
    required=${required%% } wanted=${wanted%% }
    [ -n "$required$wanted" ] || return 0
    if ! have apt-get; then
        [ -z "$required" ] || die "missing Debian packages: $required" \
            "this machine has no apt-get: install the corresponding packages, then try again"
        say "no apt-get here; continuing without these Debian packages: $wanted"
        return 0
    fi
    if ! is_root; then
        if have sudo && sudo -n true 2>/dev/null; then
            as=(sudo -n)
        else
            [ -z "$required" ] || die "missing packages: $required" "install them with this command, then try again:" \
                "  sudo sh -c '$(apt_line "$required${wanted:+ $wanted}")'"
            say "continuing without these packages: $wanted" && say "to install them, type this command, then try again:" &&
                say "  sudo sh -c '$(apt_line "$wanted")'"
            return 0
        fi
    fi
    say "installing $required${required:+ }$wanted"
    "${as[@]}" apt-get -qq update >&2 || say "apt-get update failed; continuing with the package lists of this machine"
    # shellcheck disable=SC2086 # lists of words
    if ! apt_install $required $wanted; then
        [ -z "$required" ] || apt_install $required || {
            cat "$stamps/apt.log" >&2
            die "apt-get could not install: $required" "solve the problem above, or type:" "  $(apt_line "$required")"
        }
        for package in $wanted; do
            apt_install "$package" || { tail -n 3 "$stamps/apt.log" >&2; say "continuing without $package"; }
        done
    fi
    required=$(required_packages | tr '\n' ' ')
    [ -z "${required// /}" ] || die "installed, but still not found or too old: $required" \
        ${browser:+"without Chromium: make test BROWSER=no"}
    optional_packages | tr ' ' '\n' >"$stamps/unavailable"
    rm -rf build/core/CMakeCache.txt build/sanitize/CMakeCache.txt # CMake caches what it did not find
}

# --- .venv -----------------------------------------------------------------------------------------------------

fingerprint() {
    { cat pyproject.toml constraints.txt; pwd; readlink -f .venv/bin/python; } 2>/dev/null | sha256sum | cut -d' ' -f1
}

# Whether these extras of pyproject.toml are installed
installed() {
    [ -x .venv/bin/motebench ] && [ -f "$stamps/venv$1" ] && [ "$(cat "$stamps/venv$1")" = "$(fingerprint)" ]
}

# uv takes a tenth of pip's time. If uv is not available or fails, pip installs the packages: docs/decisions/uv.md.
install_packages() {
    if ! [ -e pyproject.toml ]; then home_packages "$@"; return; fi
    local index=${UV_DEFAULT_INDEX:-${PIP_INDEX_URL:-}}
    [ -x .venv/bin/uv ] || [ -n "${without_uv:-}" ] || .venv/bin/python -m pip install --quiet \
        --disable-pip-version-check -c constraints.txt uv >"$stamps/uv.log" 2>&1 || without_uv=yes
    if [ -x .venv/bin/uv ] && [ -z "${without_uv:-}" ] && env ${index:+"UV_DEFAULT_INDEX=$index"} .venv/bin/uv pip install --quiet \
        --python .venv/bin/python -c constraints.txt "$@" >"$stamps/uv.log" 2>&1; then return; fi
    without_uv=yes
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt "$@" >&2
}

# In the home of an installation they go beside it: the environment of motebench may belong to somebody else, and have no pip.
home_packages() {
    if .venv/bin/python -m pip --version >/dev/null 2>&1; then
        .venv/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --target packages "$@" >&2
    elif have uv; then
        uv pip install --quiet --python .venv/bin/python -c constraints.txt --target packages "$@" >&2
    else
        say "cannot fetch $*: this Python has no pip, and uv is not installed" && return 1
    fi
}

# Bytecode of what each command imports: PYTHONDONTWRITEBYTECODE would have it compiled at each start, which takes longer
# than most commands.
compile_bytecode() {
    local package packages
    packages=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    for package in click numpy pydantic rich sqlalchemy; do
        .venv/bin/python -m compileall -q -j 0 -x /tests/ "$packages/$package" || true # a file for another Python
    done
    .venv/bin/python -m compileall -q -j 0 motebench
}

python_environment() {
    local python extras='[dev,probes]' kind=
    if installed ''; then return; fi
    if [ "$level" = quick ]; then
        if installed -quick; then return; fi
        extras='' kind=-quick
    fi
    # Replace a .venv from another folder (a moved checkout), or whose interpreter no longer exists.
    if ! [ -f "$stamps/where" ] || [ "$(cat "$stamps/where")" != "$PWD" ] ||
        ! .venv/bin/python -c 'import pip, sys; assert sys.version_info >= (3, 11)' 2>/dev/null; then
        python=$(find_python) || die "no Python of at least 3.11 with its venv module was found"
        say "making .venv with $("$python" --version)"
        rm -rf .venv
        "$python" -m venv .venv
        printf '%s' "$PWD" >"$stamps/where"
    fi
    say "installing Python packages into .venv"
    # The build backend is installed first and used from .venv, so that it is pinned like all packages.
    install_packages hatchling editables
    install_packages --no-build-isolation -e ".$extras"
    compile_bytecode
    fingerprint >"$stamps/venv$kind"
}

# --- probes ----------------------------------------------------------------------------------------------------

# What a build that was cut off left half-written must not pass for whole: all that is younger than its beginning is made again.
begin() {
    [ ! -e "$stamps/begun" ] ||
        find build/core build/cross build/marked build/java build/probes build/simulators -path build/cross/cache -prune -o -type f \
            -newer "$stamps/begun" \( -name '*.[ao]' -o -name '*.so' -o -name '*.jar' -o -name '*.class' -o -name 'motebench-*' \) \
            -exec rm -f {} + 2>/dev/null || true # those that there are
    touch "$stamps/begun"
}
over() { rm -f "$stamps/begun"; }

simulators() { cmake -S simulators -B build/simulators && cmake --build build/simulators; }

configure() { cmake -S core -B build/core -DCMAKE_BUILD_TYPE=Release "-DMOTEBENCH_WITH=${with// /;}"; }

# The CMake targets of implementations; those from a library's pinned sources begin with the library's name
targets_of() {
    local name
    for name in "$@"; do
        case "$name" in
            motebench-launch) echo "$name" ;;
            mote/*) echo "motebench-probe-${name#mote/}" ;;
            *) echo "motebench-probe-${name//\//-}" ;;
        esac
    done
}

# The script that builds the probe of an implementation in a language other than C, if there is one
script_of() {
    local needs
    for needs in probes/*/probe.toml; do
        case " $(entry "$needs" implementations) " in *" $1 "*) printf '%s/build.sh' "${needs%/*}" ;; esac
    done
}

# The compiler for other machines, and its helpers under the names that CMake wants: see docs/decisions/emulation.md
cross_compiler() {
    local tool zig again=
    if [ -e "$stamps/zig" ] || ! .venv/bin/python -c 'import ziglang' 2>/dev/null; then
        step cross/compiler "fetching the compiler for other machines"
        if [ -e "$stamps/zig" ]; then # an installation was cut off
            rm -rf packages/ziglang*
            again=--force-reinstall
        fi
        touch "$stamps/zig"
        install_packages ${again:+"$again"} ziglang || return 1
        rm "$stamps/zig"
    fi
    zig=$(.venv/bin/python -c 'import ziglang, os; print(os.path.dirname(ziglang.__file__))')/zig
    mkdir -p build/cross
    for tool in 'cc -g0' ar ranlib; do # zig would add debugging information
        printf '#!/bin/sh\nexport ZIG_GLOBAL_CACHE_DIR="%s" ZIG_LOCAL_CACHE_DIR="%s"\nexec "%s" %s "$@"\n' \
            "$PWD/build/cross/cache" "$PWD/build/cross/cache" "$zig" "$tool" >"build/cross/${tool% *}.new"
        chmod +x "build/cross/${tool% *}.new"
        mv "build/cross/${tool% *}.new" "build/cross/${tool% *}"
    done
}

# What a library's build for a machine depends on
cross_stamp() {
    { cat "core/adapters/$1/cross.sh" "$2/.sha256" && grep -E '^(target|flags)' "$needs" && grep '^ziglang' constraints.txt && pwd; } |
        sha256sum | cut -d' ' -f1
}

# library ADAPTER_TOML: builds its library from pinned sources in build/libraries/NAME, if that was not done before. build.sh
# beside the file does it, in an empty folder, with these variables: SOURCE the unpacked sources, PREFIX where include/ and
# lib/ go, JOBS how many compilers may run at once. CC and CXX are the user's.
library() {
    local adapter=$1 name source log work stamp made root=$PWD
    name=$(entry "$1" name)
    log=$PWD/$stamps/$name.log work=$PWD/build/libraries/work-$name stamp=$PWD/build/libraries/$name.stamp
    .venv/bin/python -m motebench.targets.setup.vendor "$name" >"$log" 2>&1 && source=$(.venv/bin/python -m motebench.targets.setup.vendor --folder "$name") &&
        made=$({ cat "${adapter%/*}/build.sh" "$source/.sha256" && "$(compiler)" --version; } 2>>"$log" | sha256sum | cut -d' ' -f1) || {
        tail -n 3 "$log" >&2
        say "no probe for $name: its sources are not here"
        return 1
    }
    if [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$made" ]; then return; fi
    step "library/$name" "compiling $(entry "$adapter" library)"
    [ "$level" = installed ] || say "building $(entry "$adapter" library) from its sources, once"
    rm -rf "$work" "$stamp" "${stamp%.stamp}"
    mkdir -p "$work" "${stamp%.stamp}"
    (cd "$work" && SOURCE="$source" PREFIX="${stamp%.stamp}" JOBS=2 "$root/${adapter%/*}/build.sh") >>"$log" 2>&1 || {
        tail -n 5 "$log" >&2
        say "$(entry "$adapter" library) could not be built: $log"
        return 1
    }
    rm -rf "$work"
    printf '%s\n' "$made" >"$stamp"
}

# cross_library NAME: builds a whole library for $machine in $folder/libraries, if that was not done before. The script
# core/adapters/NAME/cross.sh does it, in an empty folder, with these variables: SOURCE the unpacked sources, PREFIX where
# include/ and lib/ go, CC (a list of words), AR, RANLIB, HOST the machine as compilers call it, ARCHITECTURE.
cross_library() {
    local name=$1 source log=$PWD/$folder/$1.log work=$PWD/$folder/work-$1 stamp=$PWD/$folder/libraries/$1.stamp
    source=$(.venv/bin/python -m motebench.targets.setup.vendor --folder "$name") || return 1
    [ -e "$source/.sha256" ] || { echo "the sources of $name are not here"; return 1; }
    if [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$(cross_stamp "$name" "$source")" ]; then return; fi
    step "library/$name" "compiling $(entry "$root/core/adapters/$name/adapter.toml" library)"
    rm -rf "$work" "$stamp"
    mkdir -p "$work" "${stamp%/*}"
    (
        cd "$work"
        # SOURCE_DATE_EPOCH: a library built twice is the same to the byte
        SOURCE="$source" PREFIX="${stamp%/*}" HOST="$(entry "$root/$needs" target)" SOURCE_DATE_EPOCH=0 \
            ARCHITECTURE="$(entry "$root/$needs" architecture)" AR="$root/build/cross/ar" RANLIB="$root/build/cross/ranlib" \
            CC="$root/build/cross/cc -target $(entry "$root/$needs" target) $(entry "$root/$needs" flags)" \
            "$root/core/adapters/$name/cross.sh"
    ) >"$log" 2>&1 || { tail -n 5 "$log"; say "$name could not be built for $machine: $log" 2>&3; return 1; }
    rm -rf "$work"
    cross_stamp "$name" "$source" >"$stamp"
}

# The libraries that were built for $machine, separated by semicolons
cross_libraries() {
    local stamp
    for stamp in "$folder"/libraries/*.stamp; do
        [ ! -e "$stamp" ] || { stamp=${stamp##*/}; printf '%s;' "${stamp%.stamp}"; }
    done
}

# cross MACHINE NAME...: probes of these implementations for machines that core/ports/posix/machines/MACHINE.toml describes
cross() {
    local machine=$1 folder=build/cross/$1 needs=core/ports/posix/machines/$1.toml root=$PWD name names=() ok=yes libraries
    shift
    [ -e "$needs" ] || { echo "no machine is called $machine"; return 1; }
    cross_compiler || return 1
    for name in "$@"; do
        case "$name" in */* | motebench-launch) names+=("$name") ;; *) if cross_library "$name"; then names+=("$name"); else ok=no; fi ;; esac
    done
    [ ${#names[@]} -gt 0 ] || return 1
    libraries=$(cross_libraries)
    export PKG_CONFIG_LIBDIR=$root/$folder/libraries/lib/pkgconfig
    step "configure/$machine" "preparing the compiler and the C library of $machine"
    cmake -S core -B "$folder" -DCMAKE_BUILD_TYPE=Release -DCMAKE_SYSTEM_NAME=Linux \
        "-DCMAKE_SYSTEM_PROCESSOR=$(entry "$needs" architecture)" "-DCMAKE_C_COMPILER=$root/build/cross/cc" \
        "-DCMAKE_AR=$root/build/cross/ar" "-DCMAKE_RANLIB=$root/build/cross/ranlib" \
        "-DCMAKE_C_FLAGS=-target $(entry "$needs" target) $(entry "$needs" flags)" -DCMAKE_EXE_LINKER_FLAGS=-static \
        "-DCMAKE_FIND_ROOT_PATH=$root/$folder/libraries" -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY \
        -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY -DOPENSSL_USE_STATIC_LIBS=ON \
        "-DMOTEBENCH_LIBRARIES=${libraries:-OFF}" -DMOTEBENCH_VENDOR=ON "-DMOTEBENCH_PROBE_DIR=$root/$folder/probes" || return 1
    step - "compiling $(probes_words ${#names[@]})"
    # shellcheck disable=SC2046 # a list of words
    if cmake --build "$folder" -j 2 --target $(targets_of "${names[@]}"); then [ $ok = yes ]; return; fi
    for name in "${names[@]}"; do # each whatever becomes of the others
        cmake --build "$folder" -j 2 --target "$(targets_of "$name")" || ok=no
    done
    [ $ok = yes ]
}

# marked NAME...: probes of these implementations that mark secrets for valgrind
marked() {
    cmake -S core -B build/marked -DCMAKE_BUILD_TYPE=Release -DMOTEBENCH_MARKS=ON "-DMOTEBENCH_WITH=${with// /;}" \
        "-DMOTEBENCH_PROBE_DIR=$PWD/build/marked/probes" || return 1
    step - "compiling $(probes_words $#)"
    # shellcheck disable=SC2046 # a list of words
    cmake --build build/marked -j 2 --target $(targets_of "$@")
}

# Those that were built before
built_marked() {
    local path
    for path in build/marked/probes/motebench-probe-* build/marked/probes/*/motebench-probe-*; do
        [ ! -x "$path" ] || printf '%s\n' "$path" | sed 's#^build/marked/probes/#marked/#; s#motebench-probe-##'
    done
}

probes_words() { if [ "$1" = 1 ]; then printf 'the probe'; else printf '%s probes' "$1"; fi; }

# The probes for other machines that were built before
built_cross() {
    local path
    for path in build/cross/*/probes/motebench-probe-* build/cross/*/probes/*/motebench-probe-* build/cross/*/probes/motebench-launch; do
        [ ! -x "$path" ] || printf '%s\n' "$path" | sed 's#^build/##; s#/probes/#/#; s#motebench-probe-##'
    done
}

# The probes that were built before; they are built again if their sources changed
built_probes() {
    local path
    for path in build/probes/motebench-probe-* build/probes/*/motebench-probe-* build/probes/motebench-launch; do
        [ ! -x "$path" ] || printf '%s\n' "$path" | sed 's#^build/probes/##; s#motebench-probe-##'
    done
}

# fetched LIBRARY LOG: fetches its pinned sources. What went wrong goes to standard error too.
fetched() {
    local words
    words=$(.venv/bin/python -m motebench.targets.setup.vendor "$1" 2>&1) && printf '%s\n' "$words" >>"$2" && return
    printf '%s\n' "$words" >>"$2"
    printf '%s\n' "$words" | sed -n '1s/^continuing without //p' >&2
    return 1
}

# Builds these; a failure of one does not stop the others. What has no sources is not tried.
build() {
    local name script machine adapter scripts=() c=() machines=() with_marks=() ok=yes absent='' log=$stamps/build.log
    : >"$log"
    for name in "$@"; do
        script=$(script_of "$name")
        case "$name" in
            simulators)
                step "$name" "compiling the simulators"
                simulators >>"$log" 2>&1 || ok=no
                ;;
            compiler/*)
                step "$name" "fetching ${name#compiler/}"
                tools/compilers.sh "${name#compiler/}" >>"$log" 2>&1 || { tail -n 2 "$log" >&2; ok=no; }
                ;;
            cross/compiler) cross_compiler >>"$log" 2>&1 || ok=no ;;
            sources/*)
                step "$name" "looking for the sources of ${name#sources/}"
                fetched "${name#sources/}" "$log" || { ok=no; absent+=" ${name#sources/}"; }
                ;;
            cross/*) machines+=("${name#cross/}") ;;
            marked/*) case "$absent " in *" $(dirname "${name#marked/}") "*) ;; *) with_marks+=("${name#marked/}") ;; esac ;;
            */*) case "$absent " in *" ${name%%/*} "*) ;; *) c+=("$name") ;; esac ;;
            *) if [ -n "$script" ]; then scripts+=("$script"); else c+=("$name"); fi ;;
        esac
    done
    while read -r script; do
        step "${script%/*}" "running $script"
        "$script" >>"$log" 2>&1 || ok=no
    done < <([ ${#scripts[@]} = 0 ] || printf '%s\n' "${scripts[@]}" | sort -u)
    while read -r machine; do
        # shellcheck disable=SC2046 # a list of words
        cross "$machine" $(printf '%s\n' "${machines[@]}" | sed -n "s#^$machine/##p") 3>&2 >>"$log" 2>&1 || ok=no
    done < <([ ${#machines[@]} = 0 ] || printf '%s\n' "${machines[@]%%/*}" | sort -u)
    [ ${#with_marks[@]} = 0 ] || marked "${with_marks[@]}" >>"$log" 2>&1 || ok=no
    [ ${#c[@]} -gt 0 ] || { [ $ok = yes ]; return; }
    for name in "${c[@]}"; do
        adapter=core/adapters/$name/adapter.toml
        if [ -e "$adapter" ] && from_source "$adapter"; then library "$adapter" || ok=no; fi
    done
    step - "compiling $(probes_words ${#c[@]})"
    # shellcheck disable=SC2046 # a list of words
    if { configure && cmake --build build/core -j 2 --target $(targets_of "${c[@]}"); } >>"$log" 2>&1; then
        [ $ok = yes ]
        return
    fi
    rm -f build/core/CMakeCache.txt # CMake caches what it did not find
    configure >>"$log" 2>&1 || return 1
    for name in "${c[@]}"; do
        cmake --build build/core -j 2 --target "$(targets_of "$name")" >>"$log" 2>&1 || ok=no
    done
    [ $ok = yes ]
}

# The probes that the quick start needs, and those that were built before.
quick() {
    local name names=() others=()
    for name in $quick_probes; do
        if library_found "core/adapters/$name/adapter.toml"; then names+=("$name")
        else say "no probe for $name: it needs $(entry "core/adapters/$name/adapter.toml" library)"; fi
    done
    build "${names[@]}" || { cat "$stamps/build.log" >&2; die "the probes could not be built"; }
    while read -r name; do
        case " $quick_probes " in *" $name "*) continue ;; esac
        if [ -z "$(script_of "$name")" ]; then others+=("$name"); fi
    done < <(built_probes)
    [ ${#others[@]} = 0 ] || build "${others[@]}" ||
        say "some existing probes could not be built again; see $stamps/build.log"
}

probes() {
    local adapter script log=$stamps/cmake.log
    while read -r adapter; do rm -f "build/probes/motebench-probe-$(entry "$adapter" name)"; done < <(adapters no)
    while read -r adapter; do
        ! from_source "$adapter" || library "$adapter" || true
    done < <(adapters yes)
    if ! { configure && cmake --build build/core -j 2; } >"$log" 2>&1; then
        cat "$log" >&2
        die "the probes could not be built"
    fi
    while read -r adapter; do
        library_found "$adapter" ||
            say "no probe for $(entry "$adapter" name): it needs $(entry "$adapter" library) $(entry "$adapter" minimum)" \
                "or newer, $(entry "$adapter" url)"
    done < <(adapters yes)
    if grep -q 'Linking C.* executable' "$log"; then say "built the probes in build/probes"; fi
    if ! simulators >"$log" 2>&1; then
        cat "$log" >&2
        say "continuing without simulated boards"
    fi
    # shellcheck disable=SC2046 # a list of words
    [ -z "$(built_cross)" ] || build $(built_cross) || say "some probes for other machines were not built: $stamps/build.log"
    # shellcheck disable=SC2046 # a list of words
    [ -z "$(built_marked)" ] || build $(built_marked) || say "some probes for valgrind were not built: $stamps/build.log"
    # Each script reports what it built and what is missing. A failure of one does not stop the others.
    for script in probes/*/build.sh; do
        [ ! -e "$script" ] || "$script" || say "$script failed; continuing without its probes"
    done
}

# Without its sources, only the implementations of a library are missing; the module prints which.
vendored_sources() { .venv/bin/python -m motebench.targets.setup.vendor 2>&1 | sed 's/^/setup: /' >&2 || true; }

level=${1:-} browser=
case "$level" in
    '' | quick | tests | build | installed) ;;
    browser) browser=yes ;;
    *) die "there is no level $level; valid: quick, tests, browser, installed, build NAME..., or none" ;;
esac
mkdir -p "$stamps" build
[ "$level" != installed ] || [ $# = 1 ] || MOTEBENCH_WITH=${*:2}
if have flock; then
    exec 9>"$stamps/lock" # several makes at once run one after the other
    flock 9
fi
choose_optional
begin
case "$level" in
    build)
        exec 4>&1
        code=0
        build "${@:2}" || code=$?
        over
        exit "$code"
        ;;
    installed)
        vendored_sources
        step - "compiling the probes and the simulators"
        probes
        ;;
    quick)
        system_packages
        quick & # in parallel: one waits for the network, the other for the processor
        python_environment
        wait $!
        ;;
    *)
        system_packages
        python_environment
        vendored_sources
        probes
        ;;
esac
over
