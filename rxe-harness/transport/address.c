// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/address.h"

#include <netdb.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define DEFAULT_PORT "20049" /* of NFS over RDMA */

/* A number, of which getaddrinfo() takes the low 16 bits, or the name of a service. */
static bool is_port(const char *port)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    if (port[0] == '\0' || port[strspn(port, "0123456789")] == '\0')
        return port[0] != '\0' && strlen(port) <= 5 && atoi(port) <= UINT16_MAX;
    int status = getaddrinfo(NULL, port, &hints, &found);
    if (status == 0)
        freeaddrinfo(found);
    return status == 0;
}

bool address_split(const char *address, char *host, size_t host_size, const char **port)
{
    const char *end, *begin = address;
    if (address[0] == '[') {
        begin++;
        end = strchr(begin, ']');
        if (end == NULL || (end[1] != '\0' && end[1] != ':'))
            return false;
        *port = end[1] == ':' ? end + 2 : DEFAULT_PORT;
    } else {
        const char *colon = strchr(address, ':');
        bool has_port = colon && strchr(colon + 1, ':') == NULL;
        end = has_port ? colon : address + strlen(address);
        *port = has_port ? colon + 1 : DEFAULT_PORT;
    }
    size_t length = (size_t)(end - begin);
    if (length >= host_size || !is_port(*port))
        return false;
    memcpy(host, begin, length);
    host[length] = '\0';
    return true;
}
