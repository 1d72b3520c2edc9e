#!/usr/bin/env bash
# Fetches compilers for boards from other releases of Debian: tools/compilers.sh NAME...
#
# tools/compilers.txt has their names and packages. Each goes to build/compilers/NAME, is installed nowhere else, and
# runs with the libraries of its own release. They compile C; the default GCC assembles and links. Needs apt-get of
# Debian, not root. Messages go to standard error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
list=tools/compilers.txt
work=$PWD/build/compilers/work

die() { printf '%s\n' "$*" >&2; exit 1; }
entries() { sed -n "s/^$1 //p" "$list"; }

# apt with package lists of its own: those of the machine stay as they are
of_release() { "$@" -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/sources" -o Dir::State::lists="$work/lists" \
    -o Dir::Cache="$work/cache" -o Dir::State::status=/dev/null -o APT::Sandbox::User="$(id -un)"; }

# The archive from which this machine has its packages
archive() { apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 2>/dev/null | sed -n 's#^Debian \(.*/debian/*\)$#\1#p' | head -n 1; }

# release NAME: package lists of that release
release() {
    local uri keys
    uri=$(archive)
    [ -n "$uri" ] || die "no archive of Debian is among the sources of apt-get: 'apt-get update' finds it, on Debian alone"
    for keys in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp}; do [ ! -e "$keys" ] || break; done
    mkdir -p "$work/sources" "$work/lists/partial" "$work/cache/archives/partial" "$work/packages"
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' "$uri" "$1" "$keys" >"$work/sources/one.sources"
    of_release apt-get update || die "the package lists of Debian's release $1 cannot be fetched"
}

# Programs and libraries of a folder that need an interpreter
programs() {
    find "$1/usr/bin" "$1"/usr/lib/gcc "$1"/usr/libexec "$1"/usr/lib/*/bin "$1"/usr/lib/llvm-*/bin -type f -perm -u+x 2>/dev/null |
        while read -r file; do ! "$patchelf" --print-interpreter "$file" >/dev/null 2>&1 || printf '%s\n' "$file"; done
}

# What a compiler of C does not need takes most of the room.
prune() {
    rm -rf "$1"/usr/share "$1"/usr/lib/x86_64-linux-gnu/{gconv,perl-base} "$1"/etc "$1"/usr/lib/llvm-*/share
    find "$1/usr" \( -name '*.a' -o -name '*.o' -o -name cc1plus -o -name lto1 -o -name cc1obj -o -name f951 -o -name gnat1 \) -delete
}

fetch() {
    local name=$1 packages to=$PWD/build/compilers/$1 new=$work/$1 loader file
    [ -n "$(entries "$name")" ] || die "there is no compiler $name; valid: $(sed -n 's/^\([a-z][^ ]*\) .*/\1/p' "$list" | uniq | tr '\n' ' ')"
    [ ! -e "$to/whole" ] || [ "$(cat "$to/whole")" != "$(entries "$name")" ] || return 0
    release "$(entries "$name" | head -n 1 | cut -d' ' -f1)"
    packages=$(entries "$name" | cut -d' ' -f2- | tr '\n' ' ')
    rm -f "$work"/packages/*.deb
    # shellcheck disable=SC2086 # a list of words
    (cd "$work/packages" && of_release apt-get download $packages) || die "the packages of $name cannot be fetched"
    mkdir -p "$new"
    for file in "$work"/packages/*.deb; do dpkg-deb -x "$file" "$new"; done
    [ ! -d "$new/lib" ] || [ -L "$new/lib" ] || cp -a "$new/lib/." "$new/usr/lib/" # in older releases /lib is no link
    [ ! -d "$new/lib64" ] || [ -L "$new/lib64" ] || { mkdir -p "$new/usr/lib64" && cp -a "$new/lib64/." "$new/usr/lib64/"; }
    prune "$new"
    loader=$(find "$new/usr/lib/x86_64-linux-gnu" -name 'ld-linux-x86-64.so.2' -o -name 'ld-2.*.so' | head -n 1)
    while read -r file; do
        "$patchelf" --set-interpreter "$to/${loader#"$new/"}" --force-rpath --set-rpath "$to/usr/lib/x86_64-linux-gnu" "$file"
    done < <(programs "$new")
    while read -r file; do # else the path of the program would not count for what these need
        [ -z "$("$patchelf" --print-rpath "$file" 2>/dev/null)" ] || "$patchelf" --remove-rpath "$file"
    done < <(find "$new/usr/lib" -type f -name 'lib*.so*')
    rm -rf "$new"/lib "$new"/lib64 "$to"
    entries "$name" >"$new/whole"
    mv "$new" "$to"
}

[ $# -gt 0 ] || die "usage: tools/compilers.sh NAME..."
[ "$(uname -m)" = x86_64 ] || die "Debian's compilers of other releases are fetched on x86-64 alone"
for program in apt-get dpkg-deb; do command -v "$program" >/dev/null || die "$program is missing: compilers come from Debian's packages"; done
rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
patchelf=$(command -v patchelf) || {
    (cd "$work" && apt-get -qq -o APT::Sandbox::User="$(id -un)" download patchelf && dpkg-deb -x patchelf_*.deb patchelf) ||
        die "patchelf is missing: apt-get install -y patchelf"
    patchelf=$work/patchelf/usr/bin/patchelf
}
for name in "$@"; do fetch "$name"; done
