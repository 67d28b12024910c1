// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/commands/wire_capture.h"

#include "rxe-harness/proxy/capture.h"
#include "rxe-harness/transport/transport.h"
#include "rxe-harness/transport/user/wire.h"

#include "conformance/base/status.h"

#include <errno.h>
#include <string.h>

bool wire_capture_fits(const struct wire_capture *capture, const char *command, const char *address)
{
    if (capture->name == NULL || (address && transport_shows_packets(address)))
        return true;
    usage_error(command, "option '--capture' takes an ADDRESS of roce:// or iwarp://: elsewhere no "
                         "packet is seen");
    return false;
}

static void keep(void *arg, const uint8_t *packet, size_t length)
{
    struct wire_capture *capture = arg;
    capture->holds_packets = true;
    capture_packet(capture->file, packet, length);
}

bool wire_capture_begin(struct wire_capture *capture)
{
    if (capture->name == NULL)
        return true;
    if (!output_begin(&capture->output, capture->name))
        return false;
    capture->file = capture_create(capture->output.stream, SIZE_MAX);
    if (capture->file) {
        wire_watch(keep, capture);
        return true;
    }
    output_drop(&capture->output);
    file_error(capture->name, "not enough memory");
    return false;
}

bool wire_capture_end(struct wire_capture *capture)
{
    if (capture->file == NULL)
        return true;
    wire_watch(NULL, NULL);
    bool good = capture_finish(capture->file);
    if (good && capture->holds_packets)
        return output_end(&capture->output);
    int status = errno;
    output_drop(&capture->output);
    if (!good)
        file_error(capture->name, strerror(status));
    return good;
}
