# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=dash
#
# What the guest() functions of tests/vm/cases use. They run in the guest, in a
# directory that the host gets; nothing is judged here. $series is the kernel's.

# shellcheck disable=SC2034 # the cases use these
top=/sys/fs/cgroup
case $series in
[1-6].*) has_kfunc= ;;
*) has_kfunc=1 ;;
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

# both NAME ARGUMENTS...: run memcgstat by each source that is to work here.
both()
{
	both_name=$1
	shift
	[ -z "$has_kfunc" ] ||
		run "$both_name.kfunc" memcgstat --source=kfunc "$@"
	run "$both_name.file" memcgstat --source=file "$@"
}

# Swap and a file system on two disks (tests/vm/check), so that swap, zswap and
# page cache have something to count.
disks()
{
	mkswap /dev/nvme0n1 >/dev/null
	echo 1 >/sys/module/zswap/parameters/enabled || :
	swapon /dev/nvme0n1
	mke2fs /dev/nvme1n1 >/dev/null
	mkdir -p /disk
	mount -t ext2 /dev/nvme1n1 /disk
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
	disks
	echo +memory >$top/cgroup.subtree_control
	echo / >/tmp/expected
	mkdir /tmp/tree
	for a in 0 1 2 3 4 5 6 7 8 9; do
		mkdir $top/a$a
		echo /a$a >>/tmp/expected
		echo +memory >$top/a$a/cgroup.subtree_control
		for b in 0 1 2 3 4 5 6 7 8 9; do
			mkdir $top/a$a/b$b
			echo /a$a/b$b >>/tmp/expected
			hold $top/a$a/b$b $((100 + 4 * (a * 10 + b))) \
				/tmp/tree/$a$b $((a * 4))
		done
	done
	limits
	events
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

events()
{
	# killed as a group, at its limit
	limit $top/a2/b0 memory.oom.group 1
	limit $top/a2/b0 memory.swap.max 0
	limit $top/a2/b0 memory.max 1M
	hold $top/a2/b0 4096
	# out to compressed swap, and a part of it in again
	hold $top/a2/b1 4096 /tmp/tree/zswap 512
	reclaim $top/a2/b1 4096
	under cgroup=$top/a2/b1 -- cat /tmp/tree/zswap >/dev/null
	hold $top/a2/b2 2048
	limit $top/a2/b2 memory.low 3M
	reclaim $top/a2/b2 1024
	# the same past zswap: to the disk
	limit $top/a2/b3 memory.zswap.max 0
	hold $top/a2/b3 2048 /tmp/tree/swap 512
	reclaim $top/a2/b3 2048
	under cgroup=$top/a2/b3 -- cat /tmp/tree/swap >/dev/null
	# over its high mark
	limit $top/a2/b4 memory.high 1M
	hold $top/a2/b4 1200
	echo madvise >/sys/kernel/mm/transparent_hugepage/enabled
	hold -h $top/a2/b5 4096
	# page cache of a disk: written, dropped, read again; and some left dirty
	echo 0 >/proc/sys/vm/dirty_writeback_centisecs
	hold $top/a2/b6 4 /disk/one 2048
	sync
	reclaim $top/a2/b6 2048
	under cgroup=$top/a2/b6 -- cat /disk/one /disk/one >/dev/null
	hold $top/a2/b6 4 /disk/two 256
	# inodes and dentries
	mkdir /tmp/slab
	# shellcheck disable=SC2046 # one word each
	(cd /tmp/slab && under cgroup=$top/a2/b7 -- touch $(seq 600))
	# removed but not gone: a socket from there is still open
	mkdir $top/a2/dying
	under cgroup=$top/a2/dying socket cgroup=$top -- sleep 10000 &
	remove $top/a2/dying
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

# room FILE, and later in_place NAME COMMAND...: as run does, but NAME.out was
# given its room before, so that the dump does not move what it measures. The
# status is left in $status. The rest of NAME.out stays as it is: zeroes.
room()
{
	# often enough that the pages are on the active list
	for room_pass in 1 2 3; do
		dd if=/dev/zero of="$1" bs=64k count=16 conv=notrunc \
			2>/dev/null
	done
}

in_place()
{
	in_place_name=$1
	shift
	status=0
	"$@" 1<>"$in_place_name.out" 2>"$in_place_name.err" || status=$?
}

# Whatever the files hold, read by none of memcgstat's code: FILE:LINE each.
# The directory's list was made before by raw_list.
raw()
{
	(cd $top && xargs grep -H '' </tmp/raw_list)
}

raw_list()
{
	(cd $top && find . -type f \( -name 'memory.*' -o -name cgroup.stat \) \
		! -name memory.reclaim ! -name memory.pressure \
		! -name memory.numa_stat) >/tmp/raw_list
}
