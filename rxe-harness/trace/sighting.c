// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/trace/sighting.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* The field and the part that has it; NULL: none has, or its record ends before it. */
static const struct ring_field *find(const struct sighting *sighting, const char *name,
                                     const struct sighting_part **part)
{
    for (int i = 0; i < 2; i++) {
        *part = &sighting->part[i];
        const struct ring_field *field =
            (*part)->format ? ring_format_find((*part)->format, name) : NULL;
        if (field && field->offset <= (*part)->length &&
            field->size <= (*part)->length - field->offset)
            return field;
    }
    return NULL;
}

uint64_t sighting_number(const struct sighting *sighting, const char *name)
{
    const struct sighting_part *part;
    const struct ring_field *field = find(sighting, name, &part);
    uint64_t value;
    return field && ring_number(field, part->octets, part->length, &value) ? value : 0;
}

size_t sighting_octets(const struct sighting *sighting, const char *name, uint8_t *octets,
                       size_t want)
{
    char numbered[40];
    size_t got = 0;
    for (unsigned i = 0; got < want; i++) {
        const struct sighting_part *part;
        snprintf(numbered, sizeof numbered, "%s%u", name, i);
        const struct ring_field *field = find(sighting, numbered, &part);
        if (field == NULL)
            break;
        size_t more = field->size < want - got ? field->size : want - got;
        memcpy(octets + got, part->octets + field->offset, more);
        got += more;
    }
    return got;
}

bool sighting_address(const struct sighting *sighting, const char *name, struct address *address,
                      uint16_t *port)
{
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    sa_family_t family;
    const struct sighting_part *part;
    const struct ring_field *field = find(sighting, name, &part);
    if (field == NULL || field->size < sizeof v6)
        return false;
    const uint8_t *at = part->octets + field->offset;
    memcpy(&family, at, sizeof family);
    memset(address, 0, sizeof *address);
    if (family == AF_INET) {
        memcpy(&v4, at, sizeof v4);
        address->octets[10] = address->octets[11] = 0xff;
        memcpy(address->octets + 12, &v4.sin_addr, 4);
        *port = ntohs(v4.sin_port);
        return true;
    }
    memcpy(&v6, at, sizeof v6);
    memcpy(address->octets, &v6.sin6_addr, 16);
    *port = ntohs(v6.sin6_port);
    return family == AF_INET6;
}
