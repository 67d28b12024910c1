// SPDX-License-Identifier: BSD-3-Clause
/* Who stands where, and how he is reached. */
#include "rxe-harness/probe/around/around.h"

#include "rxe-harness/transport/address.h"

#include "conformance/base/status.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void keep(struct plain_address *address, const struct addrinfo *info)
{
    if (address->length > 0 || info->ai_addrlen > sizeof address->socket)
        return;
    memcpy(&address->socket, info->ai_addr, info->ai_addrlen);
    address->length = info->ai_addrlen;
}

bool around_begin(struct around *around, const char *address, uint16_t rpcbind_port,
                  char error[128])
{
    const char *slashes = strstr(address, "://"), *port;
    size_t scheme = slashes ? (size_t)(slashes - address) + 3 : 0;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *list;
    *around = (struct around){.rpcbind_port = rpcbind_port};
    if (scheme >= sizeof around->scheme ||
        !address_split(address + scheme, around->host, sizeof around->host, &port)) {
        snprintf(error, 128, "this is no address");
        return false;
    }
    memcpy(around->scheme, address, scheme);
    around->port = (uint16_t)strtoul(port, NULL, 10);
    int failed = getaddrinfo(around->host, NULL, &hints, &list);
    if (failed) {
        snprintf(error, 128, "%s", gai_strerror(failed));
        return false;
    }
    for (const struct addrinfo *each = list; each; each = each->ai_next)
        keep(each->ai_family == list->ai_family ? &around->peer : &around->other, each);
    freeaddrinfo(list);
    return true;
}

void around_end(struct around *around)
{
    rpcbind_free(&around->rpcbind);
}

void around_tell(const struct probe *probe)
{
    for (size_t i = 0; i < probe->run.results.count; i++) {
        const struct result *result = &probe->run.results.list[i];
        if (strncmp(result->test, "around-", 7) == 0 && result->actual)
            say("%s: %s%s", result->test,
                ending_is_failure(result->ending) ? "NOT AS REQUIRED: " : "", result->actual);
    }
}
