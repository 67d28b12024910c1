// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/address.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_PORT "20049" /* of NFS over RDMA */

/* A name of a service is looked up later; getaddrinfo() takes the low 16 bits of a number. */
static bool is_port_number(const char *port)
{
    bool is_number = port[strspn(port, "0123456789")] == '\0';
    return !is_number || (strlen(port) <= 5 && atoi(port) <= UINT16_MAX);
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
        bool is_port = colon && strchr(colon + 1, ':') == NULL;
        end = is_port ? colon : address + strlen(address);
        *port = is_port ? colon + 1 : DEFAULT_PORT;
    }
    size_t length = (size_t)(end - begin);
    if (length >= host_size || **port == '\0' || !is_port_number(*port))
        return false;
    memcpy(host, begin, length);
    host[length] = '\0';
    return true;
}
