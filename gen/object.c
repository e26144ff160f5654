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

static const Elf64_Shdr *section_of_type(uint32_t type)
{
	const Elf64_Ehdr *header = at(0, sizeof(*header));
	const Elf64_Shdr *found = NULL;
	unsigned int i;

	for (i = 0; i < header->e_shnum; i++) {
		if (section(i)->sh_type != type)
			continue;
		if (found)
			die("two sections of a type: one program, no -g");
		found = section(i);
	}
	if (!found)
		die("the object lacks a section");
	return found;
}

static const Elf64_Sym *symbol(unsigned int n)
{
	const Elf64_Shdr *table = section_of_type(SHT_SYMTAB);

	return at(table->sh_offset + n * sizeof(Elf64_Sym), sizeof(Elf64_Sym));
}

static const char *symbol_name(unsigned int n)
{
	const Elf64_Shdr *strings =
		section(section_of_type(SHT_SYMTAB)->sh_link);

	return at(strings->sh_offset + symbol(n)->st_name, 1);
}

/* enum bpf_symbol_kind in btf/object.h. */
static char symbol_kind(const Elf64_Rel *rel)
{
	unsigned int n = (unsigned int)ELF64_R_SYM(rel->r_info);
	const char *name = symbol_name(n);

	if (ELF64_R_TYPE(rel->r_info) == R_BPF_64_32) {
		if (symbol(n)->st_shndx != SHN_UNDEF)
			die("a call within the object: make it inline");
		return strchr(name, '(') ? '{' : '(';
	}
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

static void print_symbol(const Elf64_Rel *rel)
{
	const char *name = symbol_name((unsigned int)ELF64_R_SYM(rel->r_info));

	printf("\t\"%c", symbol_kind(rel));
	for (; *name && !strchr(":?(", *name); name++) {
		if (*name == '.')
			printf("\\0");
		else
			putchar(*name);
	}
	printf("\\0\"\n");
}

/* The symbols that the instructions name, each once. */
static unsigned int used[64], used_count;

static unsigned int use_symbol(const Elf64_Rel *rel)
{
	unsigned int wanted = (unsigned int)ELF64_R_SYM(rel->r_info), i;

	for (i = 0; i < used_count; i++)
		if (used[i] == wanted)
			return i;
	if (used_count == sizeof(used) / sizeof(used[0]))
		die("too many symbols: see BPF_SYMBOLS");
	used[used_count++] = wanted;
	print_symbol(rel);
	return i;
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
	const Elf64_Shdr *rels, *code;
	const Elf64_Rel *rel;
	unsigned char *insns;
	size_t i;

	if (argc != 2)
		die("usage: object NAME < OBJECT.o > HEADER.h");
	size = fread(file, 1, sizeof(file), stdin);
	if (memcmp(at(0, sizeof(Elf64_Ehdr)), ELFMAG, SELFMAG))
		die("not an ELF file");
	rels = section_of_type(SHT_REL);
	code = section(rels->sh_info);
	rel = at(rels->sh_offset, rels->sh_size);
	insns = file + code->sh_offset;
	at(code->sh_offset, code->sh_size);

	printf("/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */\n"
	       "/* Made by `make bpf` from prog/%s.bpf.c: do not edit. */\n\n"
	       "#include \"../bpf.h\"\n\n"
	       "static const char %s_symbols[] =\n",
	       argv[1], argv[1]);
	for (i = 0; i < rels->sh_size / sizeof(*rel); i++) {
		unsigned int symbol = use_symbol(&rel[i]);

		if (rel[i].r_offset + 8 > code->sh_size)
			die("a relocation of what is not there");
		insns[rel[i].r_offset + 1] &= 0x0f;
		insns[rel[i].r_offset + 1] |= BPF_REG_SYMBOL << 4;
		memset(&insns[rel[i].r_offset + 4], 0, 4);
		insns[rel[i].r_offset + 4] = (unsigned char)symbol;
	}
	printf("\t;\n\nstatic const uint8_t %s_code[] = {", argv[1]);
	for (i = 0; i < code->sh_size; i += 8)
		print_code(&insns[i]);
	printf("\n};\n\nstatic const struct bpf_object %s_object = {\n"
	       "\t.code = %s_code,\n"
	       "\t.code_count = %u,\n"
	       "\t.symbols = %s_symbols,\n"
	       "};\n", argv[1], argv[1], (unsigned int)(code->sh_size / 8),
	       argv[1]);
	return ferror(stdin) || fflush(stdout) ? 1 : 0;
}
