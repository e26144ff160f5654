// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What is sorted is in order, and still the same items. */
#include "../../read/sort.h"
#include "test.h"

#define MOST	70

struct item {
	uint64_t key, from;	/* where it was */
};

static unsigned long steps;

static int compare(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	steps++;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* Sort @keys of some size, with an item behind them that is to stay. */
static void check(const char *name, const uint64_t *keys, size_t count)
{
	struct item items[MOST + 1];
	uint8_t seen[MOST] = { 0 };
	size_t i;

	for (i = 0; i <= count; i++)
		items[i] = (struct item){ i < count ? keys[i] : 0, i };
	sort_items(items, count, sizeof(items[0]), compare);
	for (i = 0; i < count; i++) {
		CHECK(!i || items[i - 1].key <= items[i].key,
		      "%s, %zu items: out of order at %zu", name, count, i);
		CHECK(items[i].from < count && !seen[items[i].from]++ &&
		      items[i].key == keys[items[i].from],
		      "%s, %zu items: %zu is none of them, or there twice",
		      name, count, i);
	}
	CHECK(items[count].key == 0 && items[count].from == count,
	      "%s, %zu items: what is behind them changed", name, count);
}

static void test_orders(void)
{
	uint64_t keys[MOST], random = 1;
	size_t count, i;

	for (count = 0; count <= MOST; count++) {
		for (i = 0; i < count; i++)
			keys[i] = i;
		check("rising", keys, count);
		for (i = 0; i < count; i++)
			keys[i] = UINT64_MAX - i;
		check("falling", keys, count);
		for (i = 0; i < count; i++)
			keys[i] = 7;
		check("equal", keys, count);
		for (i = 0; i < count; i++) {
			random = random * 6364136223846793005 + 1;
			keys[i] = random >> 32;
		}
		check("random", keys, count);
		for (i = 0; i < count; i++)
			keys[i] %= 5;
		check("few keys", keys, count);
	}
}

/* No order is a bad one: 2 n log2 n steps at most, and n more. */
static void test_steps(void)
{
	static struct item items[1 << 14];
	const size_t count = sizeof(items) / sizeof(items[0]);
	size_t i, round;

	for (round = 0; round < 3; round++) {
		for (i = 0; i < count; i++)
			items[i].key = round == 0 ? i : round == 1 ? count - i :
				i < count / 2 ? i : count - i;
		steps = 0;
		sort_items(items, count, sizeof(items[0]), compare);
		CHECK(steps <= (2 * 14 + 2) * count, "round %zu: %lu steps",
		      round, steps);
	}
}

/* An item of one word. */
static int compare_words(const void *a, const void *b)
{
	uint64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return x < y ? -1 : x > y;
}

static void test_words(void)
{
	uint64_t words[] = { 9, 3, 7, 3, 1, 8, 2 };
	const uint64_t sorted[] = { 1, 2, 3, 3, 7, 8, 9 };

	sort_items(words, 7, sizeof(words[0]), compare_words);
	CHECK(!memcmp(words, sorted, sizeof(words)), "words out of order");
}

static const struct test tests[] = {
	{ "orders", test_orders },
	{ "steps", test_steps },
	{ "words", test_words },
};

int main(void)
{
	return TESTS_RUN("sort", tests);
}
