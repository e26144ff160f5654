// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which pieces of memory a plan has copied, and how much one can hold. */
#include <ctype.h>
#include <errno.h>

#include "plan_kernel.h"
#include "test.h"

#define GAP	48		/* bytes between two that still join */

/* Where the bytes at one offset of a record come from; -1: nowhere. */
static int source_of(uint32_t offset, enum chunk_base base)
{
	const struct walk_plan *plan = &planned.plan;
	uint32_t i;

	for (i = 0; i < plan->chunk_count; i++) {
		const struct chunk *chunk = &plan->chunks[i];

		if (offset >= chunk->to && offset < chunk->to + chunk->size &&
		    chunk->base == base)
			return (int)(chunk->from + offset - chunk->to);
	}
	return -1;
}

static void check_source(const char *file, const char *key,
			 enum chunk_base base, uint32_t from)
{
	int column = snapshot_find(&planned.snapshot, file, key,
				   key ? strlen(key) : 0);

	CHECK(column >= 0, "no column %s %s", file, key ? key : "");
	if (column >= 0)
		CHECK_NUMBER(key ? key : file, source_of(planned.snapshot.
			     columns[column].slot.offset, base), from);
}

/* Could two neighbours have been one, or has one grown too long? */
static void check_pair(const struct chunk *chunk, const struct chunk *next)
{
	uint32_t end = (uint32_t)chunk->from + chunk->size;

	CHECK_NUMBER("they adjoin", next->to, chunk->to + chunk->size);
	CHECK(next->base > chunk->base || (next->base == chunk->base &&
	      next->from >= end), "at %u and %u: in order", chunk->from,
	      next->from);
	/* of the next no more is known than that it begins with a want */
	CHECK(next->base != chunk->base || next->from > end + GAP ||
	      next->from + 8U - chunk->from > WALK_CHUNK_MAX,
	      "at %u and %u: they could be one", chunk->from, next->from);
}

static void check_shape(void)
{
	int limit = snapshot_find(&planned.snapshot, "limit", NULL, 0);
	const struct walk_plan *plan = &planned.plan;
	uint32_t to = (plan->item_counts[ITEM_STATE] +
		       plan->item_counts[ITEM_EVENT]) * 8 +
		plan->subsys_count * 4, i;

	CHECK(plan->chunk_count <= WALK_CHUNKS, "%u chunks", plan->chunk_count);
	if (plan->chunk_count)
		CHECK_NUMBER("the first", plan->chunks[0].to, to);
	for (i = 0; i < plan->chunk_count; i++) {
		CHECK(plan->chunks[i].size && plan->chunks[i].size <=
		      WALK_CHUNK_MAX, "chunk %u has %u bytes", i,
		      plan->chunks[i].size);
		if (i)
			check_pair(&plan->chunks[i - 1], &plan->chunks[i]);
		to += plan->chunks[i].size;
	}
	if (limit >= 0) {
		to = (to + 3) / 4 * 4;
		CHECK_NUMBER("the limit's room is behind them",
			planned.snapshot.columns[limit].slot.offset, to);
		to += 8;
	}
	CHECK(plan->data_length >= to && plan->data_length < to + 4 &&
	      plan->data_length % 4 == 0 && plan->data_length <= WALK_DATA_MAX,
	      "%u bytes of data, %u are used", plan->data_length, to);
}

static void test_usual(void)
{
	static const char *const lists[] = { "all", "default", "memory.stat",
		"memory.events", "cgroup.stat", "memory.oom.group", "limit" };
	size_t i;
	int raw;

	for (i = 0; i < COUNT(lists); i++) {
		for (raw = 0; raw < 2; raw++) {
			CHECK_NUMBER(lists[i], plan_kernel(&usual_kernel,
				     lists[i], raw), 0);
			check_shape();
			plan_end();
		}
	}
}

/* Two of 8 bytes, so far apart. Return: in how many chunks they are. */
static uint32_t count_chunks(uint32_t from, uint32_t to)
{
	struct kernel kernel = usual_kernel;
	uint32_t count;

	kernel.min = from;
	kernel.low = to;
	CHECK_NUMBER("plan", plan_kernel(&kernel, "memory.low,memory.min",
					 false), 0);
	check_shape();
	check_source("memory.min", NULL, CHUNK_MEMCG, 256 + from);
	check_source("memory.low", NULL, CHUNK_MEMCG, 256 + to);
	count = planned.plan.chunk_count;
	plan_end();
	return count;
}

static void test_gaps(void)
{
	CHECK_NUMBER("side by side", count_chunks(0, 8), 1);
	CHECK_NUMBER("backwards", count_chunks(8, 0), 1);
	CHECK_NUMBER("as far as may be", count_chunks(0, 8 + GAP), 1);
	CHECK_NUMBER("further", count_chunks(0, 8 + GAP + 1), 2);
	CHECK_NUMBER("further, backwards", count_chunks(100, 0), 2);
	CHECK_NUMBER("one and the same", count_chunks(40, 40), 1);
	CHECK_NUMBER("one over the other", count_chunks(40, 44), 1);
}

/* One that ends before what it lies in. */
static void test_within(void)
{
	struct kernel kernel = usual_kernel;

	kernel.oom_group = kernel.memory + kernel.max + 2;
	CHECK_NUMBER("plan", plan_kernel(&kernel, "memory.max,memory.oom.group",
					 false), 0);
	CHECK_NUMBER("chunks", planned.plan.chunk_count, 1);
	CHECK_NUMBER("data", planned.plan.data_length, 8);
	check_source("memory.oom.group", NULL, CHUNK_MEMCG, kernel.oom_group);
	plan_end();
}

/* At neighbouring offsets, but of two structures. */
static void test_bases(void)
{
	struct kernel kernel = usual_kernel;

	kernel.nr_descendants = kernel.memory - 4;
	kernel.nr_dying_subsys = 0;
	CHECK_NUMBER("plan", plan_kernel(&kernel, "memory.current,"
					 "cgroup.stat.nr_descendants", false),
		     0);
	CHECK_NUMBER("chunks", planned.plan.chunk_count, 2);
	check_source("cgroup.stat", "nr_descendants", CHUNK_CGROUP,
		     kernel.nr_descendants);
	check_source("memory.current", NULL, CHUNK_MEMCG, kernel.memory);
	plan_end();
}

static char names[2][ITEMS][TABLE_NAME];

/* Items that the list of fields does not know, each @stride slots on. */
static void make_states(struct kernel *kernel, uint32_t count, int stride)
{
	uint32_t i;

	memset(kernel->node, 0, sizeof(kernel->node));
	memset(kernel->memcg, 0, sizeof(kernel->memcg));
	for (i = 0; i < count; i++) {
		snprintf(names[0][i], TABLE_NAME, "newer_%u", i);
		kernel->node[i] = (struct item){ names[0][i], i, names[0][i],
			(int)i * stride };
	}
}

/* Events that it knows: any of memory.stat may be one. */
static void make_events(struct kernel *kernel, uint32_t count, int stride)
{
	uint32_t made = 0;
	size_t i, n;

	memset(kernel->vm, 0, sizeof(kernel->vm));
	for (i = 0; i < field_count && made < count; i++) {
		if (fields[i].from != FROM_STAT || !field_key(&fields[i]))
			continue;
		snprintf(names[1][made], TABLE_NAME, "%.*s",
			 (int)strcspn(field_symbol(&fields[i]), " "),
			 field_symbol(&fields[i]));
		for (n = 0; names[1][made][n]; n++)
			names[1][made][n] = (char)toupper(names[1][made][n]);
		kernel->vm[made] = (struct item){ names[1][made], made, NULL,
			(int)made * stride };
		made++;
	}
	CHECK_NUMBER("events", made, count);
	/* far from the states */
	kernel->event_offset = 4096;
}

/* And events that it does not know, behind those; then what tells how many. */
static void make_newer_events(struct kernel *kernel, uint32_t count)
{
	uint32_t at = (uint32_t)count_items(kernel->vm), i;

	for (i = 0; i < count; i++) {
		snprintf(names[1][at + i], TABLE_NAME, "NEWER_EVENT_%u", i);
		kernel->vm[at + i] = (struct item){ names[1][at + i], at + i,
			NULL, (int)(at + i) };
	}
	kernel->vm[at + count] = (struct item){ "NR_VM_EVENT_ITEMS",
		at + count, NULL, -1 };
}

/* Chunks for a run of counters; -ENOSPC where there are too many. */
static void check_run(uint32_t count, int stride, int want)
{
	struct kernel kernel = usual_kernel;
	uint32_t i;
	int err;

	make_states(&kernel, count, stride);
	memset(kernel.vm, 0, sizeof(kernel.vm));
	err = plan_kernel(&kernel, "memory.stat", true);
	if (want < 0) {
		CHECK_NUMBER("too many", err, want);
		plan_end();
		return;
	}
	CHECK_NUMBER("run", err, 0);
	CHECK_NUMBER("columns", planned.snapshot.column_count, count);
	CHECK_NUMBER("chunks", planned.plan.chunk_count, want);
	check_shape();
	for (i = 0; i < count; i++)
		check_source("memory.stat", names[0][i], CHUNK_VMSTATS,
			     i * (uint32_t)stride * 8);
	plan_end();
}

static void test_runs(void)
{
	check_run(0, 1, 0);
	check_run(96, 1, 1);
	check_run(96, 2, 2);		/* longer than one may be */
	check_run(64, 2, 1);		/* 63 * 16 + 8 bytes */
	check_run(65, 2, 2);
	check_run(36, 7, 2);		/* 48 bytes between them */
	check_run(19, 7, 1);		/* 18 * 56 + 8 */
	check_run(20, 7, 2);
	check_run(16, 8, 16);		/* 56 bytes between them */
	check_run(17, 8, -ENOSPC);
}

/* Just as much as a record may hold, and 4 bytes more. */
static void test_data(void)
{
	static const char list[] = "memory.stat,memory.events,"
		"memory.events.local,memory.swap.events,memory.current,"
		"memory.peak,memory.swap.current,memory.swap.peak,"
		"cgroup.stat.nr_descendants,cgroup.stat.nr_dying_descendants";
	struct kernel kernel = usual_kernel;

	make_states(&kernel, 36, 7);	/* 2 chunks of 1016 and 904 bytes */
	make_events(&kernel, 36, 7);
	kernel.watermark = 56;		/* 64 bytes each */
	kernel.nr_dying_subsys = 0;
	CHECK_NUMBER("plan", plan_kernel(&kernel, list, true), 0);
	CHECK_NUMBER("data", planned.plan.data_length, WALK_DATA_MAX);
	check_shape();
	plan_end();
	kernel.nr_dying += 4;
	CHECK_NUMBER("more", plan_kernel(&kernel, list, true), -ENOSPC);
	plan_end();
}

/* More is wanted than is ever there. */
static void test_wants(void)
{
	struct kernel kernel = usual_kernel;

	make_states(&kernel, TABLE_STATS, 1);
	make_events(&kernel, 50, 1);
	CHECK_NUMBER("many", plan_kernel(&kernel, "all", true), 0);
	check_shape();
	plan_end();
	kernel.subsystems = WALK_SUBSYS;
	CHECK_NUMBER("too many", plan_kernel(&kernel, "all", true), -ENOSPC);
	plan_end();
}

static void test_columns(void)
{
	int raw;

	for (raw = 0; raw < 2; raw++) {
		plan_begin(&usual_kernel, "all");
		while (planned.snapshot.column_count < COLUMNS_MAX - 20)
			snapshot_column(&planned.snapshot, "memory.stat", "x",
					NULL, true);
		CHECK_NUMBER("no room", plan_run(raw), -ENOSPC);
		CHECK_NUMBER("all of it", planned.snapshot.column_count,
			     COLUMNS_MAX);
		plan_end();
	}
}

static void test_newer_events(void)
{
	struct kernel kernel = usual_kernel;
	char key[TABLE_NAME];
	uint32_t i;

	make_events(&kernel, 3, 1);
	make_newer_events(&kernel, PLAN_EVENTS);
	CHECK_NUMBER("plan", plan_kernel(&kernel, "all", true), 0);
	check_shape();
	for (i = 0; i < PLAN_EVENTS; i++) {
		snprintf(key, sizeof(key), "newer_event_%u", i);
		check_source("memory.stat", key, CHUNK_VMSTATS,
			     4096 + (3 + i) * 8);
	}
	plan_end();
	make_events(&kernel, 3, 1);
	make_newer_events(&kernel, PLAN_EVENTS + 1);
	CHECK_NUMBER("too many", plan_kernel(&kernel, "all", true), -ENOSPC);
	plan_end();
	/* where they are not asked for, any number of them */
	CHECK_NUMBER("one", plan_kernel(&kernel, "memory.stat.newer_event_16",
					true), 0);
	check_source("memory.stat", "newer_event_16", CHUNK_VMSTATS,
		     4096 + (3 + 16) * 8);
	plan_end();
}

/* As many subsystems as a kernel may have, and one more. */
static void test_subsystems(void)
{
	struct kernel kernel = usual_kernel;
	int raw;

	for (raw = 0; raw < 2; raw++) {
		kernel.subsystems = WALK_SUBSYS;
		CHECK_NUMBER("most", plan_kernel(&kernel, "cgroup.stat", raw),
			     0);
		CHECK_NUMBER("columns", planned.snapshot.column_count,
			     2 + 2 * WALK_SUBSYS);
		CHECK_NUMBER("count", planned.plan.subsys_count, WALK_SUBSYS);
		check_source("cgroup.stat", "nr_dying_subsys_other31",
			     CHUNK_CGROUP, 300 + 31 * 4);
		check_shape();
		plan_end();
		kernel.subsystems++;
		CHECK_NUMBER("more", plan_kernel(&kernel, "cgroup.stat", raw),
			     0);
		CHECK_NUMBER("columns", planned.snapshot.column_count, 2);
		CHECK_NUMBER("count", planned.plan.subsys_count, 0);
		check_shape();
		plan_end();
	}
}

/* An offset that a chunk cannot tell. */
static void test_far(void)
{
	struct kernel kernel = usual_kernel;

	kernel.nr_descendants = 0x10000 - 8;
	CHECK_NUMBER("far", plan_kernel(&kernel, "all", false), 0);
	check_source("cgroup.stat", "nr_descendants", CHUNK_CGROUP,
		     0x10000 - 8);
	plan_end();
	kernel.nr_descendants = 0x10000;
	CHECK_NUMBER("too far", plan_kernel(&kernel, "all", false), -ENOSPC);
	plan_end();
}

static const struct test tests[] = {
	{ "usual", test_usual },
	{ "gaps", test_gaps },
	{ "within", test_within },
	{ "bases", test_bases },
	{ "runs", test_runs },
	{ "data", test_data },
	{ "wants", test_wants },
	{ "columns", test_columns },
	{ "newer_events", test_newer_events },
	{ "subsystems", test_subsystems },
	{ "far", test_far },
};

int main(void)
{
	return TESTS_RUN("plan_chunks", tests);
}
