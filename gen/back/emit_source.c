// SPDX-License-Identifier: BSD-3-Clause
/* Back end: the source file of a codec. For each type a getter, a sizer and a putter; then the
 * iterators and the calls that use them. */
#include "gen/back/emit.h"

void emit_source(FILE *out, const struct spec *spec, const struct naming *naming,
                 const char *include, const char *const *roots, unsigned root_count)
{
    char *code = NULL;
    FILE *memory = emit_memory(&code);
    const char *how = naming->inline_all ? " inline __attribute__((always_inline))" : "";
    emit_banner(memory, spec, naming);
    EMIT(memory,
         "#include <rpcrdma/xdr_runtime.h>\n#include <{include}>\n\n"
         "#define RPCRDMA_XDR_GETTER static{how}\n#define RPCRDMA_XDR_PUTTER static{how}\n",
         "include", include, "how", how);
    for (unsigned i = 0; i < spec->def_count; i++) {
        const struct def *def = spec->ordered[i];
        if (!back_is_encoded(def))
            continue;
        acsl_logic(memory, def);
        emit_title(memory, emit_origin(spec, naming, def));
        emit_decoder(memory, def);
        emit_sizer(memory, def);
        emit_putter(memory, def);
    }
    for (unsigned i = 0; i < spec->def_count; i++)
        if (back_is_emitted(spec->ordered[i]))
            emit_iterators(memory, spec->ordered[i]);
    for (unsigned i = 0; i < root_count; i++)
        emit_calls(memory, back_root(spec, roots[i]), naming);
    emit_close(memory, &code);
    fputs(prune(tidy(code)), out);
}
