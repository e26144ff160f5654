# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=sh disable=SC2086,SC2154
#
# What the judge() functions of tests/vm/cases use. They run on the host, in the
# directory that the guest filled, under set -eu. $series is the kernel's, $name
# the case's; a line for the table goes to the file $table.

# The sources that work on this kernel, best first, as in guest/lib.sh.
case $series in
[1-6].*) sources='raw file' ;;
*) sources='raw kfunc file' ;;
esac

works()
{
	case " $sources " in
	*" $1 "*) ;;
	*) return 1 ;;
	esac
}

# One line a test, the only thing that is counted.
ok()
{
	echo "ok $series $name: $1"
}

# fail TEST WHY...
fail()
{
	fail_test=$1
	shift
	printf 'FAIL %s %s: %s: %s\n' "$series" "$name" "$fail_test" \
		"$(echo "$*" | tr '\n' ' ' | cut -c 1-600)"
}

# expect TEST WHY COMMAND...: a test that is one command.
expect()
{
	expect_test=$1
	expect_why=$2
	shift 2
	if "$@" >/dev/null 2>&1; then
		ok "$expect_test"
	else
		fail "$expect_test" "$expect_why"
	fi
}

# ran RUN STATUS: how lib.sh's run ended, and nothing on stderr if STATUS is 0.
# Silent if so; else says why on stdout and returns 1.
ran()
{
	if [ ! -e "$1.status" ]; then
		echo "$1 was not run"
	elif [ "$(cat "$1.status")" != "$2" ]; then
		echo "status $(cat "$1.status"), not $2: $(tail -n 3 "$1.err")"
	elif [ "$2" -eq 0 ] && [ -s "$1.err" ]; then
		echo "on stderr: $(head -n 3 "$1.err")"
	else
		return 0
	fi
	return 1
}

# says TEST RUN STATUS WORDS...: that status, nothing on stdout, one or two lines
# on stderr with each of the words.
says()
{
	says_test=$1
	says_run=$2
	if ! why=$(ran $says_run $3); then
		fail "$says_test" "$why $(head -c 100 $says_run.out)"
		return
	fi
	shift 3
	if [ -s $says_run.out ] || [ ! -s $says_run.err ] ||
		[ "$(wc -l <$says_run.err)" -gt 2 ]; then
		fail "$says_test" "stdout: $(head -c 100 $says_run.out)" \
			"stderr: $(cat $says_run.err)"
		return
	fi
	for word; do
		grep -qF -e "$word" $says_run.err || {
			fail "$says_test" "no '$word' in: $(cat $says_run.err)"
			return
		}
	done
	ok "$says_test"
}

# resident_most SOURCE CGROUPS: KiB that a run may have. Where the kernel's types
# cannot be mapped (before 6.16) a walk has a copy of them for a moment.
resident_most()
{
	types=0
	case $1-$series in
	file-* | *-6.1[6-9] | *-[7-9].*) ;;
	*) types=7168 ;;
	esac
	echo $((1024 + $2 + types))
}

# A run's numbers, one a line: PATH NAME VALUE, null for no limit. jq 1.6 knows
# no integer above 2^53; nothing here is larger.
values()
{
	jq -r '.cgroups[] | .path as $path | to_entries[] |
		select(.key != "path") | .key as $file |
		if (.value | type) == "object"
		then .value | to_entries[] |
			"\($path) \($file).\(.key) \(.value)"
		else "\($path) \($file) \(.value)" end' "$1" | sort
}

# of_each RUN...: the names that lib.sh's each gave to the runs.
of_each()
{
	for run; do
		for source in $sources; do
			echo $run.$source
		done
	done
}

paths()
{
	jq -r '.cgroups[].path' "$1"
}

# The same from lib.sh's files_dump on stdin: "./a/b/memory.stat:anon 0".
files_values()
{
	awk '{
		colon = index($0, ":")
		path = substr($0, 2, colon - 2)
		rest = substr($0, colon + 1)
		match(path, /[^\/]*$/)
		name = substr(path, RSTART)
		directory = substr(path, 1, RSTART - 2)
		words = split(rest, word, " ")
		if (words == 2)
			name = name "." word[1]
		value = word[words] == "max" ? "null" : word[words]
		print directory == "" ? "/" : directory, name, value
	}' | sort
}

# Files that the program is not meant to print.
unread='memory\.zswap\.writeback '

# What the program adds to the files' numbers.
added='id|working_set|limit'

# At the root of a whole tree these move with every process that runs anywhere,
# the dump's own included; there only the key is compared. The case parity
# compares them in another way.
moving='(in)?active_anon|anon|file_mapped|pgfault'

mask_moving()
{
	sed -E "s#^(/ memory\.stat\.($moving)) .*#\1 moving#"
}

distinct()
{
	sort -u | wc -l
}

# compare RUN FILES MASK: leaves the differences of a run from a dump of the
# files, both passed through MASK, in RUN.differences, and sets the figures.
compare()
{
	values $1.out | grep -Ev "^[^ ]+ ($added) " | $3 >$1.values
	files_values <$2.out | grep -Ev " $unread" | $3 >$1.theirs
	comm -3 $1.values $1.theirs >$1.differences
	cgroups=$(awk '{ print $1 }' $1.values | distinct)
	keys=$(awk '{ print $2 }' $1.values | distinct)
	nonzero=$(awk '$3 != "0" && $3 != "null" { print $2 }' $1.values |
		distinct)
	count=$(wc -l <$1.values)
	# a changed value is there twice: once of each side
	differences=$(awk '{ print $1, $2 }' $1.differences | distinct)
}

# table_line SOURCE TREE TRY: the figures that compare set.
table_line()
{
	printf '%-9s %-6s %-9s %7d %5d %8d %7d %12d %5d\n' "$series" "$1" \
		"$2" "$cgroups" "$keys" "$nonzero" "$count" "$differences" \
		"$3" >>"$table"
}

# least KEYS NONZERO: what there is at least; less means that the test has lost
# its subject.
least()
{
	least_keys=$1
	least_nonzero=$2
}

# judge_same SOURCE TREE CGROUPS MASK TRY...: does one of the tries agree with
# the files in all, and is that enough to mean something? $agreed is that try's
# run, or the last's. Returns 1 if there is nothing to be judged.
judge_same()
{
	same_test="$1 equals the files ($2)"
	same_source=$1
	same_tree=$2
	same_cgroups=$3
	same_mask=$4
	shift 4
	for try; do
		agreed=$try.$same_source
		why=$(ran $agreed 0) || {
			fail "$same_test" "$why"
			return 1
		}
		# of its own, or one for all sources
		same_files=$agreed.files
		[ -e $same_files.out ] || same_files=$try.files
		compare $agreed $same_files $same_mask
		[ -s $agreed.differences ] || break
	done
	table_line $same_source $same_tree ${try#root}
	if [ $differences -ne 0 ]; then
		fail "$same_test" "$differences differences in each of $try" \
			"tries (ours, then theirs):" \
			"$(head -n 6 $agreed.differences)"
	elif [ $cgroups -ne $same_cgroups ] || [ $keys -lt $least_keys ] ||
		[ $nonzero -lt $least_nonzero ]; then
		fail "$same_test" "compared only $cgroups cgroups," \
			"$keys keys ($least_keys), $nonzero not zero" \
			"($least_nonzero)"
	else
		ok "$same_test: $keys keys, $nonzero not zero (try $try)"
	fi
}

# judge_dumps TREE: what lib.sh's dumps left, of each source.
judge_dumps()
{
	for source in $sources; do
		judge_same $source $1 111 mask_moving 1 2 3 || continue
	done
}
