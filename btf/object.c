// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "../gen/member.h"
#include "../write/format.h"
#include "object.h"

#ifndef BPF_JCOND
#define BPF_JCOND	0xe0	/* uapi/linux/bpf.h, since 6.9 */
#endif

#define NAME_SIZE	64	/* of a struct or a member, with its NUL */

/* A member symbol's name in its parts. */
struct member_name {
	char type[NAME_SIZE], member[NAME_SIZE];
	bool is_bitfield, is_optional;
};

static void split_name(struct member_name *name, const char *symbol)
{
	size_t type = strcspn(symbol, "."), member;

	member = strcspn(symbol + type + 1, ":?");
	format_text(name->type, sizeof(name->type), "%.*s", (int)type, symbol);
	format_text(name->member, sizeof(name->member), "%.*s", (int)member,
		 symbol + type + 1);
	name->is_bitfield = symbol[type + 1 + member] == ':';
	name->is_optional = symbol[type + 1 + member] == '?';
}

static bool is_kfunc(const struct bpf_symbol *symbol)
{
	return symbol->kind == BPF_SYMBOL_KFUNC ||
		symbol->kind == BPF_SYMBOL_KFUNC_WEAK;
}

/* Find the object's kfuncs, the structs of its members, and the target. */
static int find_symbols(struct btf_query *queries, struct member_name *names,
			const struct bpf_object *object, const struct btf *btf,
			struct reason *reason)
{
	uint32_t i, count = object->symbol_count;

	for (i = 0; i < count; i++) {
		const struct bpf_symbol *symbol = &object->symbols[i];

		queries[i].name = "";
		queries[i].what = BTF_NOTHING;
		if (is_kfunc(symbol)) {
			queries[i].name = symbol->name;
			queries[i].what = BTF_FUNC;
		} else if (symbol->kind == BPF_SYMBOL_MEMBER) {
			split_name(&names[i], symbol->name);
			queries[i].name = names[i].type;
			queries[i].what = BTF_STRUCT;
		}
	}
	btf_find(btf, queries, count + 2);
	for (i = 0; i < count; i++)
		if (object->symbols[i].kind == BPF_SYMBOL_KFUNC &&
		    !queries[i].type)
			return reason_set(reason, -ENOSYS, "this kernel has no"
					  " kfunc %s", queries[i].name);
	if (*queries[count].name && !queries[count].type)
		return reason_set(reason, -ENOENT, "this kernel has no cgroup"
				  " iterator (%s)", queries[count].name);
	return 0;
}

int bpf_resolve(struct bpf_resolved *resolved, const struct bpf_object *object,
		const struct btf *btf, const char *target,
		struct reason *reason)
{
	struct btf_query queries[BPF_SYMBOLS + 2] = { 0 };
	struct member_name names[BPF_SYMBOLS];
	uint32_t i, count = object->symbol_count, offset, size;
	int err;

	memset(resolved, 0, sizeof(*resolved));
	queries[count].name = queries[count + 1].name = "";
	if (target) {
		queries[count].name = target;
		queries[count].what = BTF_FUNC;
		queries[count + 1].name = "bpf_cond_pseudo_jmp";
		queries[count + 1].what = BTF_ENUM;
	}
	err = find_symbols(queries, names, object, btf, reason);
	if (err)
		return err;
	resolved->target = queries[count].id;
	resolved->has_may_goto = queries[count + 1].type;
	for (i = 0; i < count; i++) {
		const struct bpf_symbol *symbol = &object->symbols[i];

		if (is_kfunc(symbol))
			resolved->values[i] = queries[i].id;
		if (symbol->kind != BPF_SYMBOL_MEMBER)
			continue;
		if (!queries[i].type ||
		    btf_member(btf, queries[i].type, names[i].member, &offset,
			       &size) != names[i].is_bitfield) {
			if (names[i].is_optional)
				continue;
			return reason_set(reason, -ENOENT, "this kernel has no"
					  " struct member %s", symbol->name);
		}
		if (offset > INT16_MAX)	/* of an instruction */
			return reason_set(reason, -ENOTSUP, "this kernel's %s"
					  " lies too far back", symbol->name);
		resolved->values[i] = offset;
	}
	return 0;
}

bool bpf_has_kfunc(const struct bpf_resolved *resolved,
		   const struct bpf_object *object, const char *name)
{
	uint32_t i;

	for (i = 0; i < object->symbol_count; i++)
		if (is_kfunc(&object->symbols[i]) &&
		    !strcmp(object->symbols[i].name, name))
			return resolved->values[i];
	return false;
}

void bpf_constant(struct bpf_resolved *resolved,
		  const struct bpf_object *object, const char *name,
		  uint64_t value)
{
	uint32_t i;

	for (i = 0; i < object->symbol_count; i++) {
		if (!strcmp(object->symbols[i].name, name)) {
			resolved->values[i] = value;
			return;
		}
	}
	__builtin_trap();
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
static void put_symbol(struct bpf_insn *insn, enum bpf_symbol_kind kind,
		       uint64_t value, int map, int32_t to_given)
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
	case BPF_SYMBOL_KFUNC_WEAK:
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

uint32_t bpf_link(struct bpf_insn *insns, int map,
		  const struct bpf_object *object,
		  const struct bpf_resolved *resolved)
{
	uint32_t i, end = resolved->has_optional ? object->code_count :
		object->main_count;
	const uint8_t *code = object->code;

	for (i = 0; i < end; i++)
		code = unpack(&insns[i], code);
	for (i = 0; i < end; i++) {
		struct bpf_insn *insn = &insns[i];

		if (insn->src_reg == BPF_REG_SYMBOL)
			put_symbol(insn, object->symbols[insn->imm].kind,
				   resolved->values[insn->imm], map,
				   (int32_t)(end - i - 1));
		else if (is_from_member(insn))
			insn->off = (int16_t)resolved->values[insn->off -
							      MEMBER_FIRST];
		else if (insn->code == (BPF_JMP | BPF_CALL) &&
			 insn->src_reg == BPF_PSEUDO_CALL &&
			 !resolved->has_optional)
			drop_call(insn);
		if (insn->code == (BPF_JMP | BPF_JCOND) &&
		    !resolved->has_may_goto) {
			/* bounded as it is, it does without */
			insn->code = BPF_JMP | BPF_JA;
			insn->off = 0;
		}
	}
	memcpy(insns + end, resolved->given,
	       resolved->given_count * sizeof(insns[0]));
	return end + resolved->given_count;
}
