// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../gen/member.h"
#include "../write/format.h"
#include "object.h"

#ifndef BPF_JCOND
#define BPF_JCOND	0xe0	/* uapi/linux/bpf.h, since 6.9 */
#endif

static enum btf_what what_of(char kind)
{
	switch (kind) {
	case BPF_SYMBOL_KFUNC:
		return BTF_FUNC;
	case BPF_SYMBOL_MEMBER:
	case BPF_SYMBOL_OPTIONAL:
	case BPF_SYMBOL_BITFIELD:
		return BTF_STRUCT;
	default:
		return BTF_NOTHING;
	}
}

static const char *next_text(const char *text)
{
	return text + strlen(text) + 1;
}

/* What a member is worth. */
static int find_member(uint64_t *value, const char *symbol,
		       const struct btf *btf, const struct btf_type *type,
		       struct reason *reason)
{
	const char *member = next_text(symbol);
	uint32_t offset, size;

	if (!type || btf_member(btf, type, member, &offset, &size) !=
		     (*symbol == BPF_SYMBOL_BITFIELD))
		return *symbol == BPF_SYMBOL_OPTIONAL ? 0 :
			reason_set(reason, -ENOENT, "this kernel has no struct"
				   " member %s.%s", symbol + 1, member);
	if (offset > INT16_MAX)	/* of an instruction */
		return reason_set(reason, -ENOTSUP, "this kernel's %s.%s lies"
				  " too far back", symbol + 1, member);
	*value = offset;
	return 0;
}

int bpf_resolve(struct bpf_resolved *resolved, const struct bpf_object *object,
		const struct btf *btf, const char *target,
		struct reason *reason)
{
	struct btf_query queries[BPF_SYMBOLS + 2] = {
		{ .name = target, .what = target ? BTF_FUNC : BTF_NOTHING },
		{ .name = "bpf_cond_pseudo_jmp",
		  .what = target ? BTF_ENUM : BTF_NOTHING },
	}, *query = &queries[2];
	const char *symbol = object->symbols;
	uint32_t i;
	int err = 0;

	memset(resolved, 0, sizeof(*resolved));
	for (i = 0; *symbol; i++, query++) {
		resolved->symbols[i] = symbol;
		query->name = symbol + 1;
		query->what = what_of(*symbol);
		symbol = next_text(symbol);
		if (query->what == BTF_STRUCT)
			symbol = next_text(symbol);
	}
	resolved->symbol_count = i;
	btf_find(btf, queries, i + 2);
	if (target && !queries[0].type)
		return reason_set(reason, -ENOENT, "this kernel has no cgroup"
				  " iterator (%s)", target);
	resolved->target = queries[0].id;
	resolved->has_may_goto = queries[1].type;
	for (i = 0; i < resolved->symbol_count && !err; i++) {
		query = &queries[i + 2];
		resolved->values[i] = query->id;
		if (query->what == BTF_STRUCT)
			err = find_member(&resolved->values[i],
					  resolved->symbols[i], btf,
					  query->type, reason);
	}
	return err;
}

static uint32_t symbol_index(const struct bpf_resolved *resolved,
			     const char *name)
{
	uint32_t i;

	for (i = 0; i < resolved->symbol_count; i++)
		if (!strcmp(resolved->symbols[i] + 1, name))
			return i;
	__builtin_trap();
}

bool bpf_has_kfunc(const struct bpf_resolved *resolved, const char *name)
{
	return resolved->values[symbol_index(resolved, name)];
}

void bpf_constant(struct bpf_resolved *resolved, const char *name,
		  uint64_t value)
{
	resolved->values[symbol_index(resolved, name)] = value;
}

/* Return: what follows the instruction. */
static const uint8_t *unpack(struct bpf_insn *insn, const uint8_t *code)
{
	uint8_t bytes[sizeof(*insn)], mask = *code++;
	size_t i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = mask >> i & 1 ? *code++ : 0;
	memcpy(insn, bytes, sizeof(bytes));
	return code;
}

/* r0 = 0, instead of a call. */
static void drop_call(struct bpf_insn *insn)
{
	memset(insn, 0, sizeof(*insn));
	insn->code = BPF_ALU64 | BPF_MOV | BPF_K;
}

/* Put what a symbol is worth where it goes. */
static void put_symbol(struct bpf_insn *insn, char kind, uint64_t value,
		       int map, int32_t to_given)
{
	switch (kind) {
	case BPF_SYMBOL_MAP:
		insn[0].src_reg = BPF_PSEUDO_MAP_VALUE;
		insn[0].imm = map;
		insn[1].imm = 0;	/* offset in the value */
		break;
	case BPF_SYMBOL_GIVEN:
		insn->src_reg = BPF_PSEUDO_CALL;
		insn->imm = to_given;
		break;
	case BPF_SYMBOL_KFUNC:
		if (!value) {
			drop_call(insn);
			break;
		}
		insn->src_reg = BPF_PSEUDO_KFUNC_CALL;
		insn->imm = (int32_t)value;
		break;
	default:
		insn[0].src_reg = 0;
		insn[0].imm = (int32_t)(uint32_t)value;
		insn[1].imm = (int32_t)(uint32_t)(value >> 32);
	}
}

static bool is_from_member(const struct bpf_insn *insn)
{
	unsigned int class = BPF_CLASS(insn->code);

	return class >= BPF_LDX && class <= BPF_STX &&
		insn->off >= MEMBER_FIRST;
}

/* Where an instruction goes, as parts are left out; -1: it is in one of these. */
static int32_t moved(const struct bpf_object *object,
		     const struct bpf_resolved *resolved, uint32_t at)
{
	int32_t to = 0;
	uint32_t i;

	for (i = 0; i < object->part_count; i++) {
		const struct bpf_part *part = &object->parts[i];
		uint32_t end = i + 1 < object->part_count ? part[1].begin :
			object->code_count;
		bool wanted = !i || resolved->values[part->constant];

		if (at < end)
			return wanted ? to + (int32_t)(at - part->begin) : -1;
		if (wanted)
			to += (int32_t)(end - part->begin);
	}
	return to;
}

uint32_t bpf_link(struct bpf_insn *insns, int map,
		  const struct bpf_object *object,
		  const struct bpf_resolved *resolved)
{
	int32_t end = moved(object, resolved, object->code_count), to;
	const uint8_t *code = object->code;
	struct bpf_insn unwanted, *insn;
	uint32_t i;

	for (i = 0; i < object->code_count; i++) {
		to = moved(object, resolved, i);
		code = unpack(to < 0 ? &unwanted : &insns[to], code);
	}
	for (i = 0; i < object->code_count; i++) {
		to = moved(object, resolved, i);
		if (to < 0)
			continue;
		insn = &insns[to];
		if (insn->src_reg == BPF_REG_SYMBOL) {
			put_symbol(insn, *resolved->symbols[insn->imm],
				   resolved->values[insn->imm], map,
				   end - to - 1);
		} else if (is_from_member(insn)) {
			insn->off = (int16_t)resolved->values[insn->off -
							      MEMBER_FIRST];
		} else if (insn->code == (BPF_JMP | BPF_CALL) &&
			   insn->src_reg == BPF_PSEUDO_CALL) {
			insn->imm = moved(object, resolved, i + 1 +
					  (uint32_t)insn->imm) - to - 1;
			if (insn->imm < -to - 1)
				drop_call(insn);
		}
		if (insn->code == (BPF_JMP | BPF_JCOND) &&
		    !resolved->has_may_goto) {
			/* bounded as it is, it does without */
			insn->code = BPF_JMP | BPF_JA;
			insn->off = 0;
		}
	}
	memcpy(insns + end, resolved->given,
	       resolved->given_count * sizeof(insns[0]));
	return (uint32_t)end + resolved->given_count;
}
