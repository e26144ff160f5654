# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=sh
#
# What the judge() functions of tests/vm/cases use. They run on the host, in the
# directory that the guest filled, under set -eu. $series is the kernel's,
# $name the case's, $has_kfunc is empty where kfunc cannot work.

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

paths()
{
	jq -r '.cgroups[].path' "$1"
}

# The same from lib.sh's raw on stdin: "./a/b/memory.stat:anon 0".
raw_values()
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
