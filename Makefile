# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
#	make		build ./memcgstat: needs a C compiler and make
#	make check	run all tests
#	make bench	measure: needs qemu, gcc, libbpf-dev and more
#	make bpf	rebuild the headers in gen/ from prog/: needs clang
#
# musl-gcc is used where it is there; the program is static in any case.

CC := $(if $(filter default,$(origin CC)),$(or \
	$(shell command -v musl-gcc),$(shell command -v gcc),cc),$(CC))
HOSTCC ?= cc
CLANG ?= clang-19
WERROR ?=
# What makes the code smaller still, as far as the compiler has it.
has = $(shell $(CC) -Werror $(1) -S -o /dev/null -x c /dev/null 2>/dev/null && \
	echo ' $(1)')
small := $(foreach option,-Oz -malign-data=abi -fno-caller-saves \
	-fno-inline-small-functions -fno-jump-tables -fno-move-loop-invariants \
	-fno-optimize-sibling-calls -fno-thread-jumps -fno-tree-dominator-opts \
	-fno-tree-dse -fno-tree-forwprop -fno-tree-loop-im -fno-tree-slsr,\
	$(call has,$(option)))
lto := $(call has,-flto=auto -flto-partition=none)
CFLAGS ?= -Os -fno-asynchronous-unwind-tables $(small) $(lto)

build = build
target = memcgstat
sources = memcgstat.c bpf.c \
	$(wildcard btf/*.c command/*.c read/*.c write/*.c)
objects = $(sources:%.c=$(build)/%.o)
warnings = -Wall -Wextra -Wconversion -Wshadow -Wvla -Wstrict-prototypes \
	-Wmissing-prototypes -Wwrite-strings $(WERROR)
# The uapi headers come after the libc's own: musl-gcc does not know them.
multiarch := $(shell $(CC) -print-multiarch 2>/dev/null)
uapi = -idirafter /usr/include \
	$(if $(multiarch),-idirafter /usr/include/$(multiarch))
compile = $(CC) -std=gnu11 -D_GNU_SOURCE -I. $(uapi) $(warnings) $(CFLAGS) \
	-fno-pie -ffunction-sections -fdata-sections -MMD -MP
# With a small page in ld's eyes the data follows the code in the file at once:
# both lie in one page of it, which is mapped twice.
link = $(CC) -static -Wl,--gc-sections -Wl,-z,noseparate-code -Wl,-z,norelro \
	-Wl,-z,common-page-size=64 -Wl,-T,gen/discard.ld $(LDFLAGS)

$(target): $(objects) gen/discard.ld
	$(link) -o $@ $(objects)

# Where the time goes that is not the kernel's.
hot = btf/scan.o read/states.o
quick := -O2 $(foreach option,-fno-align-functions -fno-align-jumps \
	-fno-align-loops -fno-tree-ch,$(call has,$(option)))
$(hot:%=$(build)/%): small := $(quick)

$(build)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(compile) -c -o $@ $<

# $(build)/gen/ is what prog/ gives now; gen/ is checked in.
programs = walk peek
bpf: $(programs:%=$(build)/gen/%.h)
	cp $^ gen/

$(build)/gen/%.h: prog/%.bpf.c $(wildcard prog/*.h) $(build)/object
	@mkdir -p $(@D)
	$(CLANG) -target bpf -mcpu=v3 -O2 -Wall -Wextra -Werror -ffreestanding \
		-idirafter /usr/include/$(shell $(HOSTCC) -print-multiarch) \
		-c -o $(build)/gen/$*.o $<
	$(build)/object $* < $(build)/gen/$*.o > $@

$(build)/object: gen/object.c
	@mkdir -p $(@D)
	$(HOSTCC) -std=gnu11 -O2 -Wall -Wextra $(WERROR) -o $@ $<

check: $(target)
	tests/run

bench: $(target)
	tests/bench/run $(BENCH)

clean:
	rm -rf $(build) $(target)

.DELETE_ON_ERROR:
.PHONY: bench bpf check clean
-include $(objects:.o=.d)
