#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once:
# What `make install` puts somewhere works from there: pages, pkg-config, CMake; and `make uninstall`
# leaves nothing. Archives are the same octets twice.
# Environment: BUILD.
set -u
: "${BUILD:?}"
passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
prefix=$work/usr

# verdict NAME PROBLEM: passes if there is no problem
verdict() {
    if [ -z "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'not ok: %s\n%s\n' "$1" "$2"
    fi
}

call_make() {
    make --no-print-directory -s DEPS=no BUILD="$BUILD" PREFIX="$prefix" "$@" 2>&1
}

verdict 'it installs' "$(umask 077; call_make install >"$work/log" || cat "$work/log")"
verdict 'all may read it, by any umask' "$(find "$prefix" -mindepth 1 \( ! -type l ! -perm -044 -o -type d ! -perm -055 \) -print)"
# shellcheck disable=SC2015 # any failure prints the log
verdict 'the installed command takes the installed vectors' "$("$prefix/bin/rpcrdma" vectors >"$work/log" 2>&1 &&
    grep -q ' 0 failed' "$work/log" || tail -n 3 "$work/log")"
verdict 'the installed README has the paths of this installation' "$(grep -n '/usr/share' "$prefix/share/doc/rpcrdma/README.md" |
    grep -v "$prefix")"
verdict 'and says where the other folders are' "$(grep -q 'in the archive of the sources' "$prefix/share/doc/rpcrdma/README.md" ||
    echo 'not said')"
for page in "$prefix"/share/man/man*/*; do
    verdict "$(basename "$page") is a clean page" "$(mandoc -Tlint -Wwarning "$page" 2>&1)"
    verdict "$(basename "$page") has each declaration in one piece" "$(awk '/^\.nf$/ { open = 0 } /^\.fi$/ && open { print NR }
        /^[a-z].*\{$/ { open = 1 } /^[a-z ]*\}/ { open = 0 }' "$page")"
done
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
LD_LIBRARY_PATH=$prefix/lib
export PKG_CONFIG_PATH LD_LIBRARY_PATH
example=$prefix/share/rpcrdma/examples/check_example.c
# shellcheck disable=SC2046 # flags
verdict 'pkg-config finds the libraries' "$(gcc -Wall -Wextra -Werror "$example" -o "$work/example" \
    $(pkg-config --cflags --libs librpcrdma-check librpcrdma) 2>&1)"
verdict 'the example runs' "$("$work/example" >"$work/log" 2>&1 || cat "$work/log")"
# shellcheck disable=SC2015 # any failure prints the log
verdict 'CMake finds the libraries' "$(cmake -S packaging/tests/find_package -B "$work/cmake" \
    -DCMAKE_PREFIX_PATH="$prefix" -DEXAMPLE="$example" >"$work/log" 2>&1 &&
    cmake --build "$work/cmake" >>"$work/log" 2>&1 && "$work/cmake/example" >/dev/null || cat "$work/log")"
mv "$prefix" "$work/moved"
# shellcheck disable=SC2015 # any failure prints the log
verdict 'and finds them where they were moved' "$(cmake -S packaging/tests/find_package -B "$work/cmake2" \
    -DCMAKE_PREFIX_PATH="$work/moved" -DEXAMPLE="$work/moved${example#"$prefix"}" >"$work/log" 2>&1 &&
    cmake --build "$work/cmake2" >>"$work/log" 2>&1 && LD_LIBRARY_PATH=$work/moved/lib "$work/cmake2/example" >/dev/null || cat "$work/log")"
mv "$work/moved" "$prefix"
printf '%s\n' '32 credits, 16 octets' 'violation rfc8166/4.6.2/done-not-sent at octet 12' >"$work/user"
verdict 'the Python package installs' "$(call_make install-python >"$work/log" || cat "$work/log")"
verdict 'a user of it in ten lines' "$(PYTHONPATH=$prefix/lib/python3/dist-packages python3 packaging/debian/tests/python 2>&1 |
    diff - "$work/user" 2>&1)"
"$prefix/bin/rpcrdma" --version >"$work/version"
verdict 'it has its version, as pip and importlib.metadata look for it' "$(PYTHONPATH=$prefix/lib/python3/dist-packages python3 -c '
import importlib.metadata, rpcrdma
print("rpcrdma", importlib.metadata.version("rpcrdma"), "" if importlib.metadata.version("rpcrdma") == rpcrdma.__version__ else rpcrdma.__version__)
' 2>&1 | sed 's/ *$//' | diff - "$work/version" 2>&1)"
verdict 'it uninstalls' "$(call_make uninstall >"$work/log" || cat "$work/log")"
verdict 'nothing is left' "$(find "$prefix" ! -type d; find "$prefix" -name '*rpcrdma*')"

# A folder beside whose name begins like it: nothing of it may go.
beside=$work/another root=$work/'another root'
mkdir -p "$beside" && echo kept >"$beside/file"
for dest in "$root" "$(realpath -ms --relative-to=. "$work/relative")"; do
    verdict "it installs below '${dest##*/}'" "$(call_make PREFIX=/usr DESTDIR="$dest" install install-python >"$work/log" || cat "$work/log")"
    verdict 'which has the command' "$([ -x "$dest/usr/bin/rpcrdma" ] || echo 'it has not')"
    verdict "it uninstalls from '${dest##*/}'" "$(call_make PREFIX=/usr DESTDIR="$dest" uninstall >"$work/log" || cat "$work/log")"
    verdict 'where nothing is left' "$(find "$dest" ! -type d)"
done
verdict 'and nothing else is removed' "$(grep -vx kept "$beside/file" 2>&1)"

# In debian/copyright the last paragraph that fits a file counts, and a star takes slashes, too.
verdict 'debian/copyright has the licence of each file' "$(python3 -c '
import fnmatch, re, subprocess
paragraphs = [(words.split(), licence.replace("or GPL-2", "OR GPL-2.0-only")) for words, licence in
              re.findall(r"^Files: (.*)\n(?:.+\n)*?License: (.*)", open("packaging/debian/copyright").read(), re.M)]
for name in subprocess.check_output(["sh", ".ci/files.sh"]).decode().split():
    said = re.search(r"SPDX-License-Identifier: (BSD-3-Clause(?: OR GPL-2.0-only)?)", open(name, errors="replace").read(600))
    fit = [licence for patterns, licence in paragraphs if any(fnmatch.fnmatchcase(name, p) for p in patterns)][-1]
    if said and said.group(1) != fit:
        print(name, said.group(1), "there:", fit)
' 2>&1)"

verdict 'the symbols files name what is exported (make symbols)' "$(sh packaging/symbols.sh "$BUILD" new "$work" &&
    for file in librpcrdma0.symbols librpcrdma-check0.symbols; do
        diff "packaging/debian/$file" "$work/$file"
    done)"

rm -rf "$BUILD"/rpcrdma-codec-*
call_make dist >"$work/log" && cp "$BUILD/dist/SHA256SUMS" "$work/first"
call_make dist-codec dist >"$work/log" || cat "$work/log"
verdict 'archives are the same octets twice' "$(diff "$work/first" "$BUILD/dist/SHA256SUMS" 2>&1)"
mkdir "$work/source"
tar -C "$work/source" -xzf "$BUILD/dist/"rpcrdma-[0-9]*.tar.gz
# shellcheck disable=SC2015 # any failure prints the log
verdict 'the archive of the sources builds without git' "$(cd "$work"/source/rpcrdma-* &&
    make -s DEPS=no BUILD=build OPT=-O0 BINDIR=/p/bin DATADIR=/p/data build/rpcrdma >"$work/log" 2>&1 && build/rpcrdma vectors vectors >>"$work/log" 2>&1 ||
    tail -n 5 "$work/log")"
mkdir -p "$work/p/bin" "$work/p/data"
cp "$work"/source/rpcrdma-*/build/rpcrdma "$work/p/bin" && cp -r vectors "$work/p/data"
# shellcheck disable=SC2015 # any failure prints the log
verdict 'a command finds the vectors in the DATADIR that it was built for' "$("$work/p/bin/rpcrdma" vectors >"$work/log" 2>&1 &&
    grep -q ' 0 failed' "$work/log" || tail -n 3 "$work/log")"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
