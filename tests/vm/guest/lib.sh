# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=dash disable=SC1003,SC2016,SC2034,SC2059,SC2086,SC2154
#
# What the guest() functions of tests/vm/cases use. They run in the guest, in a
# directory that the host gets; nothing is judged here. $series is the kernel's.

top=/sys/fs/cgroup
thp=/sys/kernel/mm/transparent_hugepage

# The sources that work on this kernel, best first, as in judge.sh.
case $series in
[1-6].*) sources='raw file' ;;
*) sources='raw kfunc file' ;;
esac

# run NAME COMMAND...: leaves NAME.out, NAME.err and NAME.status.
run()
{
	run_name=$1
	shift
	run_status=0
	"$@" >"$run_name.out" 2>"$run_name.err" || run_status=$?
	echo $run_status >"$run_name.status"
}

# each NAME ARGUMENTS...: run memcgstat by each source that works here.
each()
{
	each_name=$1
	shift
	for source in $sources; do
		run "$each_name.$source" memcgstat --source="$source" "$@"
	done
}

# Swap and a file system on two disks (tests/vm/check), so that swap, zswap and
# page cache have something to count; one in memory, of huge pages; a network of
# this machine alone. Once a guest.
devices()
{
	[ ! -d /disk ] || return 0
	[ ! -d /sys/module/zswap/parameters ] ||
		echo 1 >/sys/module/zswap/parameters/enabled
	mkswap /dev/nvme0n1 >/dev/null
	swapon /dev/nvme0n1
	mke2fs -b 4096 /dev/nvme1n1 >/dev/null
	mkdir -p /disk /thp
	mount -t ext2 /dev/nvme1n1 /disk
	mount -t tmpfs -o huge=always none /thp
	ip link set lo up
	# nothing happens by itself, nor to a neighbour's page in swap
	echo 0 >/proc/sys/vm/page-cluster
	echo 0 >/proc/sys/vm/dirty_writeback_centisecs
}

# reclaim DIR KIB: fails where there is less to reclaim, which is as good.
reclaim()
{
	echo "$2K" >"$1/memory.reclaim" || :
}

# limit DIR FILE VALUE, where the kernel has the file.
limit()
{
	[ ! -e "$1/$2" ] || echo "$3" >"$1/$2"
}

# remove DIR...: cgroups whose processes are about to end.
remove()
{
	for remove_dir; do
		until rmdir "$remove_dir"; do
			usleep 100000
		done
	done
}

# A tree of 111 cgroups, each leaf with a sleeping process of its own size in
# it, and many kinds of things having happened. The paths are in /tmp/expected
# in the order of creation, which is pre-order.
tree()
{
	[ ! -d $top/a0 ] || return 0
	devices
	echo madvise >$thp/enabled
	# io only for its own number of cgroups
	echo '+memory +io' >$top/cgroup.subtree_control
	echo / >/tmp/expected
	mkdir /tmp/tree
	for a in 0 1 2 3 4 5 6 7 8 9; do
		mkdir $top/a$a
		echo /a$a >>/tmp/expected
		echo +memory >$top/a$a/cgroup.subtree_control
		for b in 0 1 2 3 4 5 6 7 8 9; do
			mkdir $top/a$a/b$b
			echo /a$a/b$b >>/tmp/expected
			hold $top/a$a/b$b anon $((100 + 4 * (a * 10 + b))) \
				write /tmp/tree/$a$b $((a * 4))
		done
	done
	limits
	machine_pressure
	events
	swap
	refaults
	huge_pages
	files
	kernel_memory
	# what is huge stays so, and nothing else becomes so
	echo never >$thp/enabled
}

limits()
{
	limit $top/a1 memory.max 1G
	limit $top/a1 memory.low 300M
	limit $top/a1/b0 memory.max 0x7fffffffffffffff	# no limit
	limit $top/a1/b1 memory.high 64M
	limit $top/a1/b2 memory.min 8M
	limit $top/a1/b3 memory.swap.max 12M
	limit $top/a1/b4 memory.zswap.max 16M
	limit $top/a1/b5 memory.swap.max 0
	limit $top/a1/b6 memory.zswap.max 0
	limit $top/a1/b7 memory.oom.group 1
	limit $top/a1/b8 memory.low max
	limit $top/a1/b9 memory.max 1T
}

free_kib()
{
	awk '/^MemFree/ { print $2 }' /proc/meminfo
}

# kswapd reclaims: so many huge pages are set aside that little memory is left,
# and one process wants nearly all of it. What that did to everyone else is undone.
machine_pressure()
{
	echo $(($(free_kib) / 2048 - 12)) >/proc/sys/vm/nr_hugepages
	hold $top/a8/b0 anon $(($(free_kib) - 1024))
	echo 1 >$top/a8/b0/cgroup.kill
	echo 0 >/proc/sys/vm/nr_hugepages
	swapoff /dev/nvme0n1
	swapon /dev/nvme0n1
}

# memory.events
events()
{
	# killed as a group, at its limit
	limit $top/a2/b0 memory.oom.group 1
	limit $top/a2/b0 memory.swap.max 0
	limit $top/a2/b0 memory.max 1M
	hold $top/a2/b0 anon 4096
	# over its high mark
	limit $top/a2/b1 memory.high 1M
	hold $top/a2/b1 anon 1200
	# protected, but there is nothing else to reclaim
	limit $top/a9 memory.low max
	for b in 0 1 2 3 4 5 6 7 8 9; do
		limit $top/a9/b$b memory.low max
	done
	reclaim $top/a9 256
	# sockets are throttled where reclaim finds little; it looks at pages
	# in use
	limit $top/a2/b2 memory.max 6M
	limit $top/a2/b2 memory.swap.max 0
	hold $top/a2/b2 write /disk/throttle 4096 flush /disk/throttle pause \
		map /disk/throttle touch anon 3000 tcp 64
	# removed but not gone: a socket from there is still open
	mkdir $top/a2/dying
	hold $top/a2/dying tcp 4
	while read -r process; do
		echo "$process" >$top/cgroup.procs
	done <$top/a2/dying/cgroup.procs
	remove $top/a2/dying
}

# To swap and back: by way of zswap or past it, in each manner.
swap()
{
	for b in 0 1 4 5 6; do
		limit $top/a4/b$b memory.zswap.max 0
	done
	hold $top/a4/b0 anon 1024 pageout pause reclaim 1024 touch
	limit $top/a4/b1 memory.swap.high 900K
	hold $top/a4/b1 anon 1024 pageout pause reclaim 1024 anon 400
	hold $top/a4/b2 anon 1024 pageout pause reclaim 512 touch
	hold $top/a4/b3 zero 512 pageout touch zero 256 pageout
	hold $top/a4/b4 noise 512 pageout
	hold $top/a4/b5 huge 4096 pageout
	# too little swap for a huge page at a time
	limit $top/a4/b6 memory.swap.max 1M
	hold $top/a4/b6 huge 4096 pageout
	# what cannot be compressed; and zswap's limit, where it writes to disk
	hold $top/a4/b7 noise 512 pageout
	limit $top/a4/b8 memory.zswap.max 64K
	hold $top/a4/b8 anon 2048 pageout
	# MADV_FREE: gone without swap, and to be gone
	hold $top/a4/b9 anon 512 free
	reclaim $top/a4/b9 512
	hold $top/a4/b9 anon 256 free
	# shared memory
	hold $top/a3/b9 write /tmp/tree/swap 512
	reclaim $top/a3/b9 1024
	hold $top/a3/b9 read /tmp/tree/swap
}

# More in use than there may be: what was in use comes back, and is so again.
refaults()
{
	hold $top/a5/b0 write /disk/one 2048 flush /disk/one pause \
		read /disk/one read /disk/one read /disk/one reclaim 2048 \
		read /disk/one read /disk/one reclaim 1024 read /disk/one
	limit $top/a5/b1 memory.max 2M
	hold $top/a5/b1 anon 2300 touch touch touch touch
}

huge_pages()
{
	hold $top/a2/b5 huge 4096
	hold $top/a5/b2 anon 4096 collapse
	hold $top/a5/b3 write /thp/one 4096
	# some kernels make huge pages of a file when it is written, some later
	hold $top/a5/b4 write /disk/huge 4096 flush /disk/huge pause \
		map /disk/huge collapse touch
	# khugepaged makes one at the limit, so that it reclaims file cache
	hold $top/a5/b5 write /disk/two 4096 flush /disk/two pause \
		anon 2048 hugepage
	limit $top/a5/b5 memory.max "$(cat $top/a5/b5/memory.current)"
	echo 10 >$thp/khugepaged/alloc_sleep_millisecs
	echo 4096 >$thp/khugepaged/pages_to_scan
	echo 10 >$thp/khugepaged/scan_sleep_millisecs
	sleep 1
}

files()
{
	hold $top/a5/b6 anon 256 lock
	hold $top/a5/b7 write /disk/three 1024 map /disk/three \
		read /disk/three read /disk/three read /disk/three touch cold
	# of anonymous pages, too, that are in use
	hold $top/a5/b8 anon 1024 touch cold
	reclaim $top/a5/b8 512
	hold $top/a5/b8 anon 1024 touch touch cold
	hold $top/a2/b6 write /disk/four 256
}

kernel_memory()
{
	hold $top/a6/b0 tcp 256
	hold $top/a6/b1 descriptors
	hold $top/a6/b2 fork
	# inodes and dentries
	mkdir /tmp/slab
	# shellcheck disable=SC2046 # one word each
	(cd /tmp/slab && under cgroup=$top/a2/b7 -- touch $(seq 600))
}

# So many cgroups more for a while that auto prefers a walk on each kernel
# (reader_order() in read/reader.c).
more()
{
	mkdir $top/more
	echo +memory >$top/more/cgroup.subtree_control
	# shellcheck disable=SC2046 # one word each
	(cd $top/more && mkdir $(seq 300))
}

no_more()
{
	# shellcheck disable=SC2046
	(cd $top/more && rmdir $(seq 300))
	rmdir $top/more
}

# More than 590 cgroups below /odd, of every name that there can be: each byte,
# what the formats escape, all kinds of wrong UTF-8, the longest name, and a path
# that is longer than a page.
odd_names()
{
	echo +memory >$top/cgroup.subtree_control
	mkdir $top/odd
	echo +memory >$top/odd/cgroup.subtree_control
	cd $top/odd || return
	for odd_name in 'plain' '.x' '..x' '...' '1' '-1' '1e5' '0x10' 'null' \
		'max' '-' ' ' ' lead' 'trail ' 'a b' '  ' '"' 'a"b' '\' '\n' \
		'\\' '\u0041' 'a\"b' "'" '%s%n' '{}' '],[' 'a,b' 'a:b' '#' \
		'cgroup' '*' '\x41' '\udcff' '`id`' '$HOME' '--help' '&<>'
	do
		mkdir -- "$odd_name"
	done
	# each byte that can be in a name, alone and before others; NUL, / and a
	# newline cannot be, which cgroup_mkdir() refuses
	octal=$(awk 'BEGIN { for (i = 1; i < 256; i++)
		if (i != 47 && i != 10) printf "%03o ", i }')
	for byte in $octal; do
		printf "b\\$byte\\0c\\${byte}d\\0"
	done | xargs -0 mkdir -p --
	# UTF-8: valid, cut short, too long a form, a surrogate, above U+10FFFF
	printf '%b\0' '\0303\0251' '\0342\0202\0254' '\0360\0237\0230\0200' \
		'\0303' '\0342\0202' '\0300\0257' '\0355\0240\0200' \
		'\0364\0220\0200\0200' '\0377\0376' 'a\0377b' '\0302\0205' \
		'\0355\0263\0277' '\0357\0277\0277' '\0342\0200\0250' \
		'\0357\0273\0277bom' '\0342\0200\0256rtl' '\0302\0251\0302' |
		xargs -0 mkdir -p --
	mkdir "$(printf '%0255d' 7)" "$(printf '%254s' x)"
	deep
	cd "$OLDPWD" || return
}

# 32 levels of 100 bytes.
deep()
{
	(
		part=$(printf '%0100d' 0)
		for level in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 \
			20 21 22 23 24 25 26 27 28 29 30 31 32; do
			mkdir $part
			echo +memory >cgroup.subtree_control
			cd $part || exit
		done
	)
}

no_odd_names()
{
	find $top/odd -depth -type d -exec rmdir -- {} +
}

# Nothing moves any more: what each processor had yet to put on an LRU list is
# there (the kernel's last try to reclaim from a cgroup that has nothing sees to
# that, user_proactive_reclaim()), and two periodic flushes (2 s) went by.
quiet()
{
	mkdir $top/drain
	reclaim $top/drain 1024 2>/dev/null
	rmdir $top/drain
	sleep 5
}

# Pages that are being written to disk, for as long as it takes to look at them:
# a disk so slow.
stall()
{
	echo +io >$top/a6/cgroup.subtree_control
	stall_disk=$(cat /sys/block/nvme1n1/dev)
	trap unstall EXIT	# else a case that fails never ends
	echo "$stall_disk wbps=1024" >$top/a6/b9/io.max
	hold $top/a6/b9 write /disk/stall 512 flush /disk/stall
}

unstall()
{
	trap - EXIT
	echo "$stall_disk wbps=max" >$top/a6/b9/io.max
}

# dumps: three times what each source prints of the tree and what the files hold,
# in TRY.SOURCE.out and TRY.files.out. All is done each time; the judge takes
# the first that is right. Nothing else is written before the last.
dumps()
{
	files_list
	for try in 1 2 3; do
		for source in $sources files; do
			room $try.$source.out
		done
	done
	stall
	# what the dumps need of the root's memory, which was swapped out
	for source in $sources; do
		memcgstat --source=$source --json >/dev/null
	done
	files_dump >/dev/null
	quiet
	statuses=
	for try in 1 2 3; do
		for source in $sources; do
			in_place $try.$source \
				memcgstat --source=$source --json
		done
		in_place $try.files files_dump
		sleep 1
	done
	unstall
	for run in $statuses; do
		name=${run%=*}
		echo "${run#*=}" >$name.status
		# the room that it did not take
		tr -d '\0' <$name.out >/tmp/dump
		mv /tmp/dump $name.out
	done
}

# room FILE: so that the dump does not move what it measures.
room()
{
	# often enough that the pages are on the active list
	for room_pass in 1 2 3; do
		dd if=/dev/zero of="$1" bs=64k count=16 conv=notrunc \
			2>/dev/null
	done
}

# in_place NAME COMMAND...: as run does, but NAME.out was given its room before.
# The status is added to $statuses.
in_place()
{
	in_place_name=$1
	shift
	in_place_status=0
	"$@" 1<>"$in_place_name.out" 2>"$in_place_name.err" ||
		in_place_status=$?
	statuses="$statuses $in_place_name=$in_place_status"
}

# Whatever the files hold, read by none of memcgstat's code: FILE:LINE each.
# The directory's list was made before by files_list.
files_dump()
{
	(cd $top && xargs grep -H '' </tmp/files_list)
}

files_list()
{
	(cd $top && find . -type f \( -name 'memory.*' -o -name cgroup.stat \) \
		! -name memory.reclaim ! -name memory.pressure \
		! -name memory.numa_stat) >/tmp/files_list
}
