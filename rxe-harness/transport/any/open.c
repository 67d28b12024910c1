// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/iwarp/iwarp.h"
#include "rxe-harness/transport/roce/roce.h"
#include "rxe-harness/transport/address.h"
#include "conformance/base/count.h"

#include <string.h>

static const struct provider {
    const char *scheme;
    struct transport *(*open)(const char *, bool, char *, size_t);
    bool shows_packets, listens_everywhere; /* without a HOST */
} providers[] = {{"verbs://", transport_verbs, false, true},
                 {"roce://", transport_roce, true, false},
                 {"iwarp://", transport_iwarp, true, true}};

/* The provider that an address names, or NULL. */
static const struct provider *find(const char *address)
{
    for (size_t i = 0; i < COUNT(providers); i++)
        if (strncmp(address, providers[i].scheme, strlen(providers[i].scheme)) == 0)
            return &providers[i];
    return NULL;
}

const char *transport_misread(const char *address, bool listen)
{
    char host[256];
    const char *port;
    const struct provider *provider = find(address);
    if (provider == NULL && strstr(address, "://"))
        return "what is before :// is not verbs, roce or iwarp";
    if (!address_split(provider ? address + strlen(provider->scheme) : address, host, sizeof host,
                       &port))
        return "not an address: HOST, HOST:PORT or [HOST]:PORT";
    if (host[0] == '\0' && (!listen || (provider && !provider->listens_everywhere)))
        return "not an address: there is no HOST";
    return NULL;
}

bool transport_shows_packets(const char *address)
{
    const struct provider *provider = find(address);
    return provider && provider->shows_packets;
}

struct transport *transport_open(const char *address, bool listen, char *error, size_t error_size)
{
    const struct provider *provider = find(address);
    return provider ? provider->open(address + strlen(provider->scheme), listen, error, error_size)
                    : transport_verbs(address, listen, error, error_size);
}
