// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Turns the BPF object that clang made into a C header: its instructions, packed,
 * and what is to be filled in at load time (struct bpf_object in btf/object.h).
 * So that the program itself never parses an ELF file.
 *
 *	object NAME < OBJECT.o > HEADER.h
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "member.h"

#define R_BPF_64_64	1	/* the 64 bits of a two-slot load */
#define R_BPF_64_32	10	/* a call */
#define BPF_REG_SYMBOL	15	/* btf/object.h */
#define LINE_BYTES	12	/* of code in a line of the header */

static unsigned char file[1 << 20];
static size_t size;

static void die(const char *what)
{
	fprintf(stderr, "object: %s\n", what);
	exit(1);
}

static const void *at(uint64_t offset, uint64_t bytes)
{
	if (offset > size || bytes > size - offset)
		die("the object is cut short");
	return file + offset;
}

static const Elf64_Shdr *section(unsigned int n)
{
	const Elf64_Ehdr *header = at(0, sizeof(*header));

	if (n >= header->e_shnum)
		die("no such section");
	return at(header->e_shoff + n * sizeof(Elf64_Shdr),
		  sizeof(Elf64_Shdr));
}

/* The @nth section of a type, from 0; or NULL. */
static const Elf64_Shdr *section_of_type(uint32_t type, unsigned int nth)
{
	const Elf64_Ehdr *header = at(0, sizeof(*header));
	unsigned int i;

	for (i = 0; i < header->e_shnum; i++)
		if (section(i)->sh_type == type && !nth--)
			return section(i);
	return NULL;
}

static const char *section_name(const Elf64_Shdr *of)
{
	const Elf64_Ehdr *header = at(0, sizeof(*header));

	return at(section(header->e_shstrndx)->sh_offset + of->sh_name, 1);
}

static const Elf64_Shdr *section_by_name(const char *name)
{
	const Elf64_Ehdr *header = at(0, sizeof(*header));
	unsigned int i;

	for (i = 0; i < header->e_shnum; i++)
		if (!strcmp(section_name(section(i)), name))
			return section(i);
	return NULL;
}

/* The symbols' table, which each object has. */
static const Elf64_Shdr *symbols(void)
{
	const Elf64_Shdr *table = section_of_type(SHT_SYMTAB, 0);

	if (!table)
		die("the object has no symbols");
	return table;
}

static const Elf64_Sym *symbol(unsigned int n)
{
	return at(symbols()->sh_offset + n * sizeof(Elf64_Sym), sizeof(Elf64_Sym));
}

static const char *symbol_name(unsigned int n)
{
	const Elf64_Shdr *strings = section(symbols()->sh_link);

	return at(strings->sh_offset + symbol(n)->st_name, 1);
}

/* enum bpf_symbol_kind in btf/object.h. */
static char symbol_kind(const Elf64_Rel *rel)
{
	unsigned int n = (unsigned int)ELF64_R_SYM(rel->r_info);
	const char *name = symbol_name(n);

	if (ELF64_R_TYPE(rel->r_info) == R_BPF_64_32)
		return strchr(name, '(') ? '{' : '(';
	if (ELF64_R_TYPE(rel->r_info) != R_BPF_64_64)
		die("a relocation of an unknown type");
	if (symbol(n)->st_shndx != SHN_UNDEF) {
		if (section(symbol(n)->st_shndx)->sh_type != SHT_NOBITS ||
		    symbol(n)->st_value)
			die("only one variable, in .bss, can be had");
		return '&';
	}
	if (!strchr(name, '.'))
		return '=';
	return strchr(name, ':') ? ':' : strchr(name, '?') ? '?' : '.';
}

static void print_symbol(const char *name, char kind)
{
	printf("\t\"%c", kind);
	for (; *name && !strchr(":?(", *name); name++) {
		if (*name == '.')
			printf("\\0");
		else
			putchar(*name);
	}
	printf("\\0\"\n");
}

/* The symbols that the instructions name, each once. */
static const char *used[64];
static unsigned int used_count;

static unsigned int use(const char *name, char kind)
{
	unsigned int i;

	for (i = 0; i < used_count; i++)
		if (!strcmp(used[i], name))
			return i;
	if (used_count == sizeof(used) / sizeof(used[0]))
		die("too many symbols: see BPF_SYMBOLS");
	used[used_count++] = name;
	print_symbol(name, kind);
	return i;
}

/*
 * The sections with code: the program, and behind it the parts that are left out
 * where a constant is 0.
 */
static unsigned char insns[1 << 16];
static size_t code_size;
static struct {
	const Elf64_Shdr *section;
	size_t begin;		/* bytes */
	unsigned int constant;	/* which of those used */
} parts[8];
static unsigned int part_count;

static void add_part(const Elf64_Shdr *code)
{
	if (part_count == sizeof(parts) / sizeof(parts[0]) ||
	    code->sh_size > sizeof(insns) - code_size)
		die("too large");
	memcpy(insns + code_size, at(code->sh_offset, code->sh_size),
	       code->sh_size);
	parts[part_count].section = code;
	parts[part_count++].begin = code_size;
	code_size += code->sh_size;
}

/* Return: where a section's code begins, bytes. */
static size_t part_begin(const Elf64_Shdr *code)
{
	unsigned int i;

	for (i = 0; i < part_count; i++)
		if (parts[i].section == code)
			return parts[i].begin;
	die("a call or a relocation of what is no code");
	return 0;
}

/* "if CONSTANT". Return: the constant's name, or NULL where it is no such part. */
static const char *condition(const Elf64_Shdr *code)
{
	const char *name = section_name(code);

	return strncmp(name, "if ", 3) ? NULL : name + 3;
}

static void add_parts(int optional)
{
	const Elf64_Shdr *code;
	unsigned int nth;

	for (nth = 0; (code = section_of_type(SHT_PROGBITS, nth)); nth++)
		if (code->sh_flags & SHF_EXECINSTR && code->sh_size &&
		    !condition(code) == !optional)
			add_part(code);
	if (!optional && part_count != 1)
		die("not one program: what is not inline is OPTIONAL()");
}

static void put_number(unsigned char *to, int32_t number)
{
	uint32_t bits = (uint32_t)number;
	int i;

	for (i = 0; i < 4; i++)
		to[i] = (unsigned char)(bits >> 8 * i);
}

/* A call of a function that is not inline: what is at @insn goes there. */
static void put_call(unsigned char *insn, const Elf64_Sym *to)
{
	int32_t behind = (int32_t)(insn[4] | insn[5] << 8 | insn[6] << 16 |
				   (uint32_t)insn[7] << 24);

	/* of a section's symbol the instruction tells where in it */
	behind += (int32_t)((part_begin(section(to->st_shndx)) +
			     to->st_value) / 8);
	put_number(insn + 4, behind - (int32_t)((insn - insns) / 8));
}

static void relocate(const Elf64_Shdr *rels)
{
	const Elf64_Rel *rel = at(rels->sh_offset, rels->sh_size);
	size_t begin = part_begin(section(rels->sh_info)), i;

	for (i = 0; i < rels->sh_size / sizeof(*rel); i++) {
		unsigned int n = (unsigned int)ELF64_R_SYM(rel[i].r_info);
		unsigned char *insn = insns + begin + rel[i].r_offset;

		if (begin + rel[i].r_offset + 8 > code_size)
			die("a relocation of what is not there");
		if (ELF64_R_TYPE(rel[i].r_info) == R_BPF_64_32 &&
		    symbol(n)->st_shndx != SHN_UNDEF) {
			put_call(insn, symbol(n));
			continue;
		}
		insn[1] &= 0x0f;
		insn[1] |= BPF_REG_SYMBOL << 4;
		put_number(insn + 4, (int32_t)use(symbol_name(n),
						  symbol_kind(&rel[i])));
	}
}

/* The member that a number stands for (gen/member.h). */
static const char *member_by_number(unsigned int number)
{
	const Elf64_Shdr *labels = section_by_name("members");
	const struct member_label *label;
	size_t i;

	if (labels) {
		label = at(labels->sh_offset, labels->sh_size);
		for (i = 0; i < labels->sh_size / sizeof(*label); i++)
			if (label[i].number == number)
				return label[i].member;
	}
	die("an offset that is no member's");
	return NULL;
}

/* Numbers of members become those of symbols. */
static void name_members(void)
{
	size_t i;

	for (i = 0; i < code_size; i += 8) {
		unsigned char *insn = insns + i;
		unsigned int class = insn[0] & 7;
		unsigned int off = insn[2] | (unsigned int)insn[3] << 8;

		/* loads and stores through registers */
		if (class < 1 || class > 3 || off < MEMBER_FIRST ||
		    off > INT16_MAX)
			continue;
		off = MEMBER_FIRST + use(member_by_number(off),
					 '.');
		insn[2] = (unsigned char)off;
		insn[3] = (unsigned char)(off >> 8);
	}
}

/* Pack an instruction as struct bpf_object in btf/object.h tells. */
static void print_code(const unsigned char *insn)
{
	static unsigned int column = LINE_BYTES;
	unsigned int mask = 0, count = 1, i;

	for (i = 0; i < 8; i++) {
		mask |= (insn[i] != 0) << i;
		count += insn[i] != 0;
	}
	column += count;
	if (column > LINE_BYTES) {
		printf("\n\t");
		column = count;
	} else {
		printf(" ");
	}
	printf("0x%02x,", mask);
	for (i = 0; i < 8; i++)
		if (insn[i])
			printf(" 0x%02x,", insn[i]);
}

int main(int argc, char **argv)
{
	const Elf64_Shdr *rels;
	unsigned int nth;
	size_t i;

	if (argc != 2)
		die("usage: object NAME < OBJECT.o > HEADER.h");
	size = fread(file, 1, sizeof(file), stdin);
	if (memcmp(at(0, sizeof(Elf64_Ehdr)), ELFMAG, SELFMAG))
		die("not an ELF file");
	add_parts(0);
	add_parts(1);

	printf("/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */\n"
	       "/* Made by `make bpf` from prog/%s.bpf.c: do not edit. */\n\n"
	       "#include \"../bpf.h\"\n\n"
	       "static const char %s_symbols[] =\n",
	       argv[1], argv[1]);
	for (nth = 0; (rels = section_of_type(SHT_REL, nth)); nth++)
		relocate(rels);
	name_members();
	for (i = 1; i < part_count; i++)
		parts[i].constant = use(condition(parts[i].section),
					'=');
	printf("\t;\n\nstatic const uint8_t %s_code[] = {", argv[1]);
	for (i = 0; i < code_size; i += 8)
		print_code(&insns[i]);
	printf("\n};\n\nstatic const struct bpf_part %s_parts[] = {\n", argv[1]);
	for (i = 0; i < part_count; i++)
		printf("\t{ %u, %u },\n", (unsigned int)(parts[i].begin / 8),
		       parts[i].constant);
	printf("};\n\nstatic const struct bpf_object %s_object = {\n"
	       "\t.code = %s_code,\n"
	       "\t.code_count = %u,\n"
	       "\t.parts = %s_parts,\n"
	       "\t.part_count = %u,\n"
	       "\t.symbols = %s_symbols,\n"
	       "};\n", argv[1], argv[1], (unsigned int)(code_size / 8),
	       argv[1], part_count, argv[1]);
	return ferror(stdin) || fflush(stdout) ? 1 : 0;
}
