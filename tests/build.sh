#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# build.sh - tests of the build itself: every compiler, no warning, a static
# binary of the promised size, and a checked-in BPF header that is what prog/
# gives. Prints "ok NAME" or "FAIL NAME: why" a test; returns 1 if any failed.

set -u
cd "$(dirname "$0")/.." || exit 1

size_max=98304
status=0
log=build/tests/build.log
mkdir -p build/tests

result()
{
	name=$1
	why=$2
	if [ -z "$why" ]; then
		echo "ok $name"
	else
		echo "FAIL $name: $why"
		status=1
	fi
}

# build_with COMPILER PACKAGE [MACHINE]: a binary of its own for each compiler;
# any warning is an error. One for another machine is not run here.
build_with()
{
	compiler=$1
	package=$2
	machine=${3:-}
	why=
	dir=build/tests/$compiler
	if ! command -v "$compiler" >/dev/null; then
		why="no $compiler: apt install $package"
	elif ! make -s CC="$compiler" build="$dir" target="$dir/memcgstat" \
		WERROR=-Werror "$dir/memcgstat" >"$log" 2>&1; then
		why=$(tail -n 3 "$log" | tr '\n' ' ')
	elif [ -s "$log" ]; then
		why="it printed: $(head -n 1 "$log")"
	elif readelf -lW "$dir/memcgstat" | grep -q INTERP; then
		why="not static"
	elif [ -n "$machine" ]; then
		readelf -hW "$dir/memcgstat" | grep -q "Machine: *$machine$" ||
			why="not for $machine"
	elif [ "$("$dir/memcgstat" --version | cut -d' ' -f1)" != memcgstat ]; then
		why="it does not run"
	fi
	result "build with $compiler" "$why"
}

build_with gcc gcc
build_with musl-gcc musl-tools
build_with clang-19 clang-19
build_with aarch64-linux-gnu-gcc \
	'gcc-aarch64-linux-gnu libc6-dev-arm64-cross' AArch64

why=
binary=build/tests/musl-gcc/memcgstat
if [ -x $binary ] && strip -o $binary.stripped $binary; then
	size=$(wc -c <$binary.stripped)
	[ "$size" -le $size_max ] || why="$size bytes, over $size_max"
else
	why="no binary to measure"
fi
result "size with musl at most $size_max bytes (${size:-?})" "$why"

for program in walk peek; do
	header=gen/$program.h
	why=
	if ! make -s build=build/tests/bpf "build/tests/bpf/$header" \
		>"$log" 2>&1; then
		why=$(tail -n 3 "$log" | tr '\n' ' ')
	elif ! cmp "build/tests/bpf/$header" "$header" >"$log" 2>&1; then
		why="$header is not what prog/ gives: run make bpf"
	fi
	result "$header is what prog/ gives" "$why"
done

exit $status
