#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# unit.sh - build and run the host-side unit tests and fuzz targets
#
# Prints one line a test, "ok NAME" or "FAIL NAME: why"; returns 1 if any
# failed. All that is built or written lies below build/tests; a test's stderr
# is in build/tests/NAME.log. Needs gcc, clang with libFuzzer, and jq.
#
#   UNIT_CC, CLANG the compilers (gcc; clang-19 or clang). CC may be musl-gcc,
#                  which has no sanitizers.
#   FUZZ_SECONDS   how long each fuzz target runs (10)

set -u
cd "$(dirname "$0")/.." || exit 1

out=$PWD/build/tests
seconds=${FUZZ_SECONDS:-10}
cc=${UNIT_CC:-gcc}
jobs=$(nproc)
sources=$(printf '%s\n' bpf.c btf/*.c command/*.c read/*.c write/*.c)
sanitize="-fsanitize=address,undefined -fno-sanitize-recover=all"
flags="-std=gnu11 -D_GNU_SOURCE -I. -g -Wall -Wextra -Werror"
failed=0

fail() {
	echo "FAIL $1: $2"
	failed=1
}

# compile_all COMPILER DIR FLAGS - the program's own sources into DIR/all.a
compile_all() {
	rm -rf "$2"
	mkdir -p "$2"
	for source in $sources; do
		object=$2/$(echo "$source" | tr / -).o
		echo "$1 $flags $3 -c -o $object $source"
	done | xargs -P "$jobs" -I{} sh -c {} > "$2/log" 2>&1 &&
		ar rcs "$2/all.a" "$2"/*.o
}

# compile_each COMPILER KIND FLAGS - each program of tests/KIND, with all.a;
# one that does not build is reported when it is to run
compile_each() {
	for source in tests/"$2"/*.c; do
		name=$(basename "$source" .c)
		rm -f "$out/$name"
		echo "$1 $flags $3 -o $out/$name $source $out/$2-objects/all.a" \
			"> $out/$name.log 2>&1 || true"
	done | xargs -P "$jobs" -I{} sh -c {}
}

# The clang that has libFuzzer's runtime, in $clang; or a failure.
find_clang() {
	echo 'int LLVMFuzzerTestOneInput(const char *data, unsigned long size);
		int LLVMFuzzerTestOneInput(const char *data, unsigned long size)
		{ return !data && size; }' > "$out/probe.c"
	for clang in ${CLANG:-clang-19 clang}; do
		if "$clang" -fsanitize=fuzzer,address,undefined \
			-o "$out/probe" "$out/probe.c" > "$out/probe.log" 2>&1
		then
			return
		fi
	done
	if command -v clang-19 > /dev/null; then
		fail fuzz "no libFuzzer: install libclang-rt-19-dev"
	else
		fail fuzz "no clang: install clang-19 and libclang-rt-19-dev"
	fi
	return 1
}

# Some inputs for each target to begin with, in $out/NAME.seeds.
make_seeds() {
	for name in fuzz_btf fuzz_parse fuzz_mountinfo fuzz_selection \
		fuzz_expression fuzz_alloc fuzz_pin; do
		rm -rf "$out/$name.seeds"
		mkdir "$out/$name.seeds"
	done
	for name in btf btf_sorted; do
		"$out/$name" seed "$out/fuzz_btf.seeds/$name" ||
			fail fuzz_btf "no seed by $name"
	done
	seed fuzz_parse 'anon 5\nfile -6\nAnon:  340432 kB\nkernel 7'
	seed fuzz_parse 'max\n'
	seed fuzz_parse '18446744073709551613\n'
	seed fuzz_mountinfo '30 23 0:26 /a\\040b /m rw - cgroup2 none rw'
	seed fuzz_mountinfo '3 2 0:1 / /m rw shared:9 - cgroup c rw,cpu,memory'
	seed fuzz_selection 'anon,memory.current,events.oom_kill'
	seed fuzz_selection 'default'
	seed fuzz_selection 'all,memory.stat,memory.events.local.newer'
	# a plan, 24 bytes of data, and no columns; and two records
	seed fuzz_pin "\\000\\000\\002\\377\\003$(printf '%.0s\\000' $(seq 195))$(
		)\\002\\000\\000\\000\\120\\000\\000\\000$(
		record 4)$(record 5)"
	seed fuzz_expression '(a+b)/c >= 90.5%%'
	seed fuzz_expression 'a + long > 1.5Gi'
	seed fuzz_expression 'a+b'
	seed fuzz_alloc 'allocinfo - version: 2.0\n#     <size>\n       4096        1 mm/slub.c:3345 func:alloc_slab_page accurate:no \n'
	seed fuzz_alloc 'allocinfo - version: 1.0\n -5 1 a.c:1 [m] func:f \n 6 2 b.c:2 func:g \n'
}

# record LEVEL: 24 bytes of data, no name
record() {
	printf '%s' '\000\000\000\000\000\000\000\000'
	printf '\\%03o%s' "$1" '\000\000\000\030\000\000\000'
	printf '%.0s\\000' 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3
}

seed() {
	# shellcheck disable=SC2059 # the escapes are meant
	printf "$2" > "$out/$1.seeds/$(echo "$2" | cksum | tr -d ' ')"
}

# Start each fuzz target in the background; its exit status goes to a file.
start_fuzz() {
	for source in tests/fuzz/*.c; do
		name=$(basename "$source" .c)
		rm -f "$out/$name.status"
		[ -x "$out/$name" ] || continue
		rm -rf "$out/$name.corpus"
		mkdir "$out/$name.corpus"
		(
			timeout $((seconds + 60)) "$out/$name" \
				-max_total_time="$seconds" -timeout=10 \
				-seed=1 -close_fd_mask=1 \
				-artifact_prefix="$out/$name." \
				"$out/$name.corpus" "$out/$name.seeds" \
				> "$out/$name.log" 2>&1
			echo $? > "$out/$name.status"
		) &
	done
}

# Why a log says that its program died.
reason_of() {
	grep -m1 -E 'runtime error|ERROR: |error:|undefined reference' "$1" ||
		tail -n 1 "$1"
}

report_fuzz() {
	for source in tests/fuzz/*.c; do
		name=$(basename "$source" .c)
		status=$(cat "$out/$name.status" 2> /dev/null)
		runs=$(sed -n 's/^Done \([0-9]*\) runs.*/\1/p' "$out/$name.log")
		if [ "${status:-1}" -ne 0 ]; then
			fail "$name" "$(reason_of "$out/$name.log")"
		elif [ "${runs:-0}" -lt 1000 ]; then
			fail "$name" "only ${runs:-0} runs"
		else
			echo "ok $name"
		fi
	done
}

# run_unit NAME [ARG]... - one program, which prints its own lines
run_unit() {
	name=$1
	shift
	if [ ! -x "$out/$name" ]; then
		fail "$name" "it does not build: $(reason_of "$out/$name.log")"
		return
	fi
	TMPDIR=$out/tmp timeout 120 "$out/$name" "$@" > "$out/$name.out" \
		2> "$out/$name.log"
	status=$?
	cat "$out/$name.out"
	[ $status -eq 0 ] && return
	failed=1
	# what a sanitizer said of a test that died, and where in our sources
	awk '/runtime error|ERROR: / { print "\t" $0; where = 1 }
		where && / in [a-z0-9_]+ [a-z]+[.\/][a-z.]+:[0-9]+/ {
			print "\t" $0
			where = 0
		}' "$out/$name.log"
	if [ $status -ne 1 ]; then
		fail "$name" "exit status $status"
	fi
}

has_jq() {
	command -v jq > /dev/null && return
	fail "$1" "no jq: install jq"
	return 1
}

# What the JSON tests wrote is JSON to someone else, too: strings.
check_strings() {
	has_jq json.jq || return
	count=$(jq -s 'map(select(type == "string")) | length' \
		"$out/json.strings" 2> "$out/jq.log")
	if [ "${count:-0}" -gt 1000 ]; then
		echo "ok json.jq"
	else
		fail json.jq "${count:-0} strings; $(tail -n 1 "$out/jq.log")"
	fi
}

# Objects, and each value where it should be, once.
check_leaves() {
	has_jq json_write.jq || return
	jq -c --stream 'select(length == 2)' "$out/json.objects" \
		> "$out/json.got" 2> "$out/jq.log"
	if [ -s "$out/jq.log" ] || [ ! -s "$out/json.got" ]; then
		fail json_write.jq "$(tail -n 1 "$out/jq.log")"
	elif ! why=$(cmp "$out/json.got" "$out/json.leaves" 2>&1); then
		fail json_write.jq "$why"
	else
		echo "ok json_write.jq"
	fi
}

rm -rf "$out/tmp" "$out"/json.*
mkdir -p "$out/tmp"
if ! compile_all "$cc" "$out/unit-objects" "-O1 $sanitize"; then
	fail unit "no build: $(reason_of "$out/unit-objects/log")"
	exit 1
fi
compile_each "$cc" unit "-O1 $sanitize"
if find_clang; then
	if compile_all "$clang" "$out/fuzz-objects" \
		"-O1 $sanitize -fsanitize=fuzzer-no-link"
	then
		compile_each "$clang" fuzz "-O1 $sanitize -fsanitize=fuzzer"
		make_seeds
		start_fuzz
		started=1
	else
		fail fuzz "no build: $(reason_of "$out/fuzz-objects/log")"
	fi
fi
for source in tests/unit/*.c; do
	name=$(basename "$source" .c)
	case $name in
	json)
		run_unit json "$out/json.strings"
		check_strings
		;;
	json_write)
		run_unit json_write "$out/json.objects" "$out/json.leaves"
		check_leaves
		;;
	*)
		run_unit "$name"
		;;
	esac
done
if [ "${started:-0}" -eq 1 ]; then
	wait
	report_fuzz
fi
rm -rf "$out/tmp"
exit $failed
