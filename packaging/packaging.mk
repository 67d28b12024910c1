# SPDX-License-Identifier: BSD-3-Clause
# Installing, archives for releases, packages. Included by the Makefile.

PREFIX   ?= /usr/local
BINDIR   ?= $(PREFIX)/bin
LIBDIR   ?= $(PREFIX)/lib
INCLUDE  ?= $(PREFIX)/include
DATADIR  ?= $(PREFIX)/share/rpcrdma
MANDIR   ?= $(PREFIX)/share/man
DOCDIR   ?= $(PREFIX)/share/doc/rpcrdma
# Packages have folders of their own.
DOCDIR_DEV ?= $(DOCDIR)
DOCDIR_VECTORS ?= $(DOCDIR)/vectors
# Where Debian's python3 looks; elsewhere see `python3 -m site`.
PYTHONDIR ?= $(PREFIX)/lib/python3/dist-packages
PYTHON_INFO = $(PYTHONDIR)/rpcrdma-$(VERSION).dist-info
# Testees to copy from.
TESTEES_TO ?= $(DATADIR)/testees
LIBRARIES := librpcrdma librpcrdma-check
# From the command, so that an installation can be moved.
TO_DATA = $(shell realpath -ms --relative-to="$(BINDIR)" "$(DATADIR)")

put      = install -D -m 644 $(1) "$(DESTDIR)$(2)"
put-all  = install -d "$(DESTDIR)$(2)" && install -m 644 $(1) "$(DESTDIR)$(2)/"
for-users = install -d "$(DESTDIR)$(2)" && awk -f packaging/installed.awk -v data="$(DATADIR)" -v testees="$(TESTEES_TO)" \
            -v docs="$(DOCDIR_VECTORS)" $(1) >"$(DESTDIR)$(2)/$(notdir $(1))" && chmod 644 "$(DESTDIR)$(2)/$(notdir $(1))"
# From the folder of CMake's files, so that an installation can be moved.
TO_INCLUDE = $(shell realpath -ms --relative-to="$(LIBDIR)/cmake/rpcrdma" "$(INCLUDE)")
replaced = sed 's,@PREFIX@,$(PREFIX),; s,@LIBDIR@,$(LIBDIR),; s,@INCLUDE@,$(INCLUDE),; s,@VERSION@,$(VERSION),; s,@TO_INCLUDE@,$(TO_INCLUDE),'

# The pages of the C interface are made of the headers' own comments.
PAGES3 := $(patsubst codec/include/rpcrdma/%.h,$(BUILD)/pages/rpcrdma_%.3,$(filter-out %_runtime.h,\
            $(wildcard codec/include/rpcrdma/*.h))) \
          $(patsubst conformance/include/rpcrdma/%.h,$(BUILD)/pages/rpcrdma_%.3,\
            $(wildcard conformance/include/rpcrdma/*.h))
$(BUILD)/pages/rpcrdma_%.3: codec/include/rpcrdma/%.h packaging/man3.py
	@mkdir -p $(@D)
	$(call say,PAGE,$@)
	$(Q)python3 packaging/man3.py $< librpcrdma $(VERSION) >$@
$(BUILD)/pages/rpcrdma_%.3: conformance/include/rpcrdma/%.h packaging/man3.py
	@mkdir -p $(@D)
	$(call say,PAGE,$@)
	$(Q)python3 packaging/man3.py $< librpcrdma-check $(VERSION) >$@

# The format of the vectors, from their schema; the lines of testees.
PAGES7 := $(BUILD)/pages/rpcrdma-vectors.7 vectors/rpcrdma-testee.7
$(BUILD)/pages/rpcrdma-vectors.7: vectors/vector.schema.json packaging/man7.py
	@mkdir -p $(@D)
	$(call say,PAGE,$@)
	$(Q)python3 packaging/man7.py $< $(VERSION) >$@

ifeq ($(shell command -v python3),)
PAGES3 :=
PAGES7 := vectors/rpcrdma-testee.7
install:
	@echo 'no python3: installed without the pages of section 3 and rpcrdma-vectors(7)'
endif

# What an example is compiled with, for who has no xdrgen.
BLOB := $(BUILD)/examples/blob.c $(BUILD)/examples/blob.h
$(BLOB) &: conformance/examples/blob.x $(XDRGEN)
	@mkdir -p $(@D)
	$(call say,XDRGEN,blob.x)
	$(Q)$(XDRGEN) --reduced --prefix=blob_ --root=put_args --root=get_args --root=get_res --include=blob.h \
	    --header=$(BUILD)/examples/blob.h --source=$(BUILD)/examples/blob.c conformance/examples/blob.x

# Parts, for packages that take them apart.
.PHONY: install install-command install-libraries install-development install-vectors install-python uninstall
install: install-command install-libraries install-development install-vectors

install-command: all
	install -D $(BUILD)/rpcrdma "$(DESTDIR)$(BINDIR)/rpcrdma"
	$(call put,$(BUILD)/pages/rpcrdma.1,$(MANDIR)/man1/rpcrdma.1)
	$(call put,$(BUILD)/pages/bash/rpcrdma,$(PREFIX)/share/bash-completion/completions/rpcrdma)
	$(call put,$(BUILD)/pages/zsh/_rpcrdma,$(PREFIX)/share/zsh/site-functions/_rpcrdma)
	$(call put,$(BUILD)/pages/fish/rpcrdma.fish,$(PREFIX)/share/fish/vendor_completions.d/rpcrdma.fish)
	$(call put-all,LICENSE codec/LICENSE.GPL-2.0 CHANGELOG.md STABLE.md,$(DOCDIR))
	$(call for-users,README.md,$(DOCDIR))
	$(call put-all,conformance/ci/*,$(DATADIR)/ci/captures)
	$(call put-all,conformance/schemas/*,$(DATADIR)/schemas)
	$(call put-all,packaging/wireshark/*,$(DATADIR)/wireshark)
	chmod 755 "$(DESTDIR)$(DATADIR)/wireshark/rpcrdma-extcap"

install-libraries: all
	for lib in $(LIBRARIES); do \
	    install -D -m 755 $(BUILD)/$$lib.so "$(DESTDIR)$(LIBDIR)/$$lib.so.$(VERSION)" && \
	    ln -sf $$lib.so.$(VERSION) "$(DESTDIR)$(LIBDIR)/$$lib.so.$(SOVERSION)" || exit 1; done

install-development: all $(PAGES3) $(BLOB)
	$(if $(PAGES3),$(call put-all,$(PAGES3),$(MANDIR)/man3))
	for lib in $(LIBRARIES); do \
	    install -D -m 644 $(BUILD)/$$lib.a "$(DESTDIR)$(LIBDIR)/$$lib.a" && \
	    ln -sf $$lib.so.$(SOVERSION) "$(DESTDIR)$(LIBDIR)/$$lib.so" && \
	    install -d "$(DESTDIR)$(LIBDIR)/pkgconfig" && \
	    $(replaced) */$$lib.pc.in >"$(DESTDIR)$(LIBDIR)/pkgconfig/$$lib.pc" && \
	    chmod 644 "$(DESTDIR)$(LIBDIR)/pkgconfig/$$lib.pc" || exit 1; done
	$(call put-all,codec/include/rpcrdma/*.h conformance/include/rpcrdma/*.h $(GEN)/rpcrdma/*.h,$(INCLUDE)/rpcrdma)
	install -d "$(DESTDIR)$(LIBDIR)/cmake/rpcrdma"
	for file in config config-version; do \
	    $(replaced) packaging/rpcrdma-$$file.cmake.in \
	        >"$(DESTDIR)$(LIBDIR)/cmake/rpcrdma/rpcrdma-$$file.cmake" && \
	    chmod 644 "$(DESTDIR)$(LIBDIR)/cmake/rpcrdma/rpcrdma-$$file.cmake" || exit 1; done
	$(call put-all,conformance/examples/* $(BLOB),$(DATADIR)/examples)
	$(call for-users,conformance/BINDINGS.md,$(DOCDIR_DEV))
	$(call put-all,fuzz/kit/kit.h fuzz/kit/workflow.yml,$(DATADIR)/kit)

install-vectors: $(PAGES7)
	$(call put-all,$(PAGES7),$(MANDIR)/man7)
	$(call put-all,vectors/*.json,$(DATADIR)/vectors)
	$(call for-users,vectors/README.md,$(DOCDIR_VECTORS))
	$(call put-all,$(filter-out %.md,$(wildcard vectors/recorded/*)),$(DATADIR)/vectors/recorded)
	install -m 644 vectors/recorded/README.md "$(DESTDIR)$(DOCDIR_VECTORS)/recorded.md"
	$(call put-all,vectors/v2-04/*,$(DATADIR)/vectors/v2-04)
	$(call put-all,vectors/v2-07/*,$(DATADIR)/vectors/v2-07)
	$(call put-all,vectors/ci/*,$(DATADIR)/ci/vectors)
	$(call put-all,vectors/testees/*,$(TESTEES_TO))
	chmod 755 "$(DESTDIR)$(TESTEES_TO)/toy.py"

# Over the libraries; not a part of `install`, for who uses it knows where his Python looks.
install-python:
	$(call put-all,python/rpcrdma/*.py python/rpcrdma/py.typed,$(PYTHONDIR)/rpcrdma)
	rm -rf "$(DESTDIR)$(PYTHONDIR)"/rpcrdma-*.dist-info
	install -d "$(DESTDIR)$(PYTHON_INFO)"
	printf '%s\n' 'Metadata-Version: 2.1' 'Name: rpcrdma' 'Version: $(VERSION)' 'Requires-Python: >=3.8' \
	    'Summary: RPC-over-RDMA headers decoded, and what peers send checked' 'License: BSD-3-Clause' \
	    >"$(DESTDIR)$(PYTHON_INFO)/METADATA"
	chmod 644 "$(DESTDIR)$(PYTHON_INFO)/METADATA"

# What an installation into an empty folder would put there is removed here.
uninstall:
	@rm -rf $(BUILD)/uninstall && mkdir -p $(BUILD)/uninstall
	@$(MAKE) --no-print-directory -s DESTDIR="$$(realpath $(BUILD)/uninstall)" install install-python
	rm -rf "$(DESTDIR)$(PYTHONDIR)/rpcrdma/__pycache__"
	root=$$(realpath -ms "$(DESTDIR)/") && cd $(BUILD)/uninstall && \
	    find . ! -type d | while IFS= read -r file; do rm -f "$$root/$$file"; done && \
	    find . -depth -type d -path '*rpcrdma*' | while IFS= read -r folder; do rmdir "$$root/$$folder" 2>/dev/null || true; done

# ---- archives: the same octets whenever and wherever they are made ----

# Who publishes a release says so: the tree has no address of its own.
URL        ?= https://example.org/rpcrdma
MAINTAINER ?= RPC-over-RDMA conformance kit <maintainers@example.org>
DIST := $(BUILD)/dist
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || cat .dist-date)
archive = tar -C $(1) --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
          --mtime=@$(SOURCE_DATE_EPOCH) -cf - $(2) | gzip -9n >$(DIST)/$(2).tar.gz
.PHONY: dist
dist: all $(MAKE_VECTORS) dist-codec
	@rm -rf $(DIST) && mkdir -p $(DIST)
	$(call say,DIST,$(DIST))
	$(Q)sh packaging/dist.sh $(BUILD) $(DIST)/files $(VERSION) $(SOURCE_DATE_EPOCH) \
	    '$(URL)' '$(MAINTAINER)'
	$(Q)$(call archive,$(DIST)/files,rpcrdma-$(VERSION))
	$(Q)$(call archive,$(DIST)/files,rpcrdma-vectors-$(VERSION))
	$(Q)$(call archive,$(BUILD),rpcrdma-codec-$(VERSION))
	$(Q)rm -rf $(DIST)/files && cd $(DIST) && sha256sum -- *.tar.gz | tee SHA256SUMS

# ---- packages ----

# Options of dpkg-buildpackage.
DEB_OPTIONS ?=
.PHONY: deb
deb:
	@DEPS=$(DEPS) sh .ci/deps.sh build build-essential debhelper dh-python fakeroot
	+@$(MAKE) --no-print-directory dist
	sh packaging/deb.sh $(BUILD)/deb $(DIST) $(VERSION) $(DEB_OPTIONS)

# What the shared libraries export, for Debian's packages; `make accept` calls it.
.PHONY: symbols
symbols: $(LIBRARIES:%=$(BUILD)/%.so)
	$(Q)sh packaging/symbols.sh $(BUILD) $(VERSION) packaging/debian

.PHONY: rpm
rpm: dist
	@DEPS=$(DEPS) sh .ci/deps.sh build rpm
	sh packaging/rpm.sh $(BUILD)/rpm $(DIST) '$(URL)' '$(MAINTAINER)'

# ---- a release, and what users and packagers do in bare roots of Debian ----

.PHONY: release
release: all
	@DEPS=$(DEPS) MAKE='$(MAKE)' sh packaging/release.sh $(BUILD) $(VERSION) '$(URL)' '$(MAINTAINER)'

SUITE ?= trixie
STEPS ?= conform test deb rpm builds cross-s390x cross-arm64 cross-armhf container ci kdevops
.PHONY: roots
roots:
	@DEPS=$(DEPS) sh .ci/deps.sh debootstrap git
	sh packaging/roots.sh $(BUILD)/roots $(SUITE) $(STEPS)

# ---- pages ----

.PHONY: site
site: all $(PAGES7)
	@DEPS=$(DEPS) sh .ci/deps.sh build mandoc doxygen python3-markdown
	/usr/bin/python3 packaging/site/make_site.py $(BUILD)/rpcrdma $(BUILD)/site $(BUILD)/pages/rpcrdma.1 $(PAGES7)
	/usr/bin/python3 packaging/site/links_test.py $(BUILD)/site

# ---- the binary interface, compared with the last tag ----

.PHONY: abi
abi: all
	@DEPS=$(DEPS) sh .ci/deps.sh build abigail-tools
	sh packaging/abi.sh $(BUILD)
