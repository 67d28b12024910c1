// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/iwarp/iwarp.h"
#include "rxe-harness/transport/roce/roce.h"
#include "conformance/base/count.h"

#include <string.h>

struct transport *transport_open(const char *address, bool listen, char *error, size_t error_size)
{
    static const struct {
        const char *scheme;
        struct transport *(*open)(const char *, bool, char *, size_t);
    } providers[] = {
        {"verbs://", transport_verbs}, {"roce://", transport_roce}, {"iwarp://", transport_iwarp}};
    for (size_t i = 0; i < COUNT(providers); i++) {
        size_t length = strlen(providers[i].scheme);
        if (strncmp(address, providers[i].scheme, length) == 0)
            return providers[i].open(address + length, listen, error, error_size);
    }
    return transport_verbs(address, listen, error, error_size);
}
