// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Turns the BPF object that clang made into a C header: its instructions, and
 * what in them is to be filled in at load time (struct bpf_object in bpf.h).
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

static const char *symbol_kind(const Elf64_Rel *rel)
{
	unsigned int n = (unsigned int)ELF64_R_SYM(rel->r_info);

	if (ELF64_R_TYPE(rel->r_info) == R_BPF_64_32) {
		if (symbol(n)->st_shndx != SHN_UNDEF)
			die("a call within the object: make it inline");
		if (strchr(symbol_name(n), '('))
			return "BPF_SYMBOL_GIVEN";
		return ELF64_ST_BIND(symbol(n)->st_info) == STB_WEAK ?
			"BPF_SYMBOL_KFUNC_WEAK" : "BPF_SYMBOL_KFUNC";
	}
	if (ELF64_R_TYPE(rel->r_info) != R_BPF_64_64)
		die("a relocation of an unknown type");
	if (symbol(n)->st_shndx != SHN_UNDEF) {
		if (section(symbol(n)->st_shndx)->sh_type != SHT_NOBITS ||
		    symbol(n)->st_value)
			die("only one variable, in .bss, can be had");
		return "BPF_SYMBOL_MAP";
	}
	return strchr(symbol_name(n), '.') ? "BPF_SYMBOL_MEMBER" :
		"BPF_SYMBOL_CONSTANT";
}

int main(int argc, char **argv)
{
	const Elf64_Shdr *rels, *code;
	unsigned int used[64], count = 0, i, j, n;
	const Elf64_Rel *rel;

	if (argc != 2)
		die("usage: object NAME < OBJECT.o > HEADER.h");
	size = fread(file, 1, sizeof(file), stdin);
	if (memcmp(at(0, sizeof(Elf64_Ehdr)), ELFMAG, SELFMAG))
		die("not an ELF file");
	rels = section_of_type(SHT_REL);
	code = section(rels->sh_info);
	n = (unsigned int)(rels->sh_size / sizeof(*rel));
	rel = at(rels->sh_offset, rels->sh_size);

	printf("/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */\n"
	       "/* Made by `make bpf` from prog/%s.bpf.c: do not edit. */\n\n"
	       "#include \"../bpf.h\"\n\n"
	       "static const uint64_t %s_code[] = {", argv[1], argv[1]);
	for (i = 0; i < code->sh_size / 8; i++) {
		uint64_t word;

		memcpy(&word, at(code->sh_offset + i * 8, 8), 8);
		printf("%s0x%016llx,", i % 3 ? " " : "\n\t",
		       (unsigned long long)word);
	}
	printf("\n};\n\nstatic const struct bpf_symbol %s_symbols[] = {\n",
	       argv[1]);
	for (i = 0; i < n; i++) {
		unsigned int wanted =
			(unsigned int)ELF64_R_SYM(rel[i].r_info);

		for (j = 0; j < count && used[j] != wanted; j++)
			;
		if (j < count)
			continue;
		if (count == sizeof(used) / sizeof(used[0]))
			die("too many symbols: see BPF_SYMBOLS");
		used[count++] = wanted;
		printf("\t{ \"%s\", %s },\n", symbol_name(wanted),
		       symbol_kind(&rel[i]));
	}
	printf("};\n\nstatic const struct bpf_fixup %s_fixups[] = {", argv[1]);
	for (i = 0; i < n; i++) {
		for (j = 0; used[j] != ELF64_R_SYM(rel[i].r_info); j++)
			;
		printf("%s{ %u, %u },", i % 6 ? " " : "\n\t",
		       (unsigned int)(rel[i].r_offset / 8), j);
	}
	printf("\n};\n\nstatic const struct bpf_object %s_object = {\n"
	       "\t.code = %s_code,\n"
	       "\t.code_count = sizeof(%s_code) / sizeof(%s_code[0]),\n"
	       "\t.symbols = %s_symbols,\n"
	       "\t.symbol_count = sizeof(%s_symbols) / sizeof(%s_symbols[0]),\n"
	       "\t.fixups = %s_fixups,\n"
	       "\t.fixup_count = sizeof(%s_fixups) / sizeof(%s_fixups[0]),\n"
	       "};\n", argv[1], argv[1], argv[1], argv[1], argv[1], argv[1],
	       argv[1], argv[1], argv[1], argv[1]);
	return ferror(stdin) || fflush(stdout) ? 1 : 0;
}
