// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/commands/bad_wire.h"

#include "rxe-harness/report/live.h"

#include "conformance/base/status.h"

#include <string.h>

/* What it says can be done by this address, or `error` says why not. */
static bool fits(const struct wire_faults *faults, const char *address, bool listens, char *error,
                 size_t size)
{
    if (strncmp(address, "roce://", 7) == 0)
        return wire_fits(faults, WIRE_ROCE, listens, error, size);
    return strncmp(address, "iwarp://", 8) != 0 ||
           wire_fits(faults, WIRE_IWARP, listens, error, size);
}

bool bad_wire_begin(struct bad_wire *wire, const char *command, const char *const *addresses,
                    bool listens)
{
    struct wire_faults faults;
    char error[256];
    bool own = false;
    if (wire->option == NULL)
        return true;
    bool good = wire_parse(wire->option, &faults, error, sizeof error);
    for (size_t i = 0; good && addresses[i]; i++) {
        own = own || transport_shows_packets(addresses[i]);
        good = fits(&faults, addresses[i], listens && i == 0 && addresses[1] == NULL, error,
                    sizeof error);
    }
    if (!good)
        usage_error(command, "option '--wire': %s", error);
    else if (!own)
        usage_error(command, "option '--wire' takes an ADDRESS of roce:// or iwarp://: elsewhere "
                             "nothing goes wrong at will");
    if (!good || !own)
        return false;
    wire_print(&faults, wire->words);
    wire_set(&faults);
    return true;
}

#define TIMEOUT 30000 /* milliseconds: what is lost is sent again, which may be lost as well */

void bad_wire_tell(const struct bad_wire *wire, struct live *live)
{
    live->reports.wire = bad_wire_words(wire);
    if (wire->option && live->timeout == LIVE_DEFAULT.timeout)
        live->timeout = TIMEOUT;
}

const char *bad_wire_words(const struct bad_wire *wire)
{
    return wire->option ? wire->words : NULL;
}
