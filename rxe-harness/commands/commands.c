// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/commands/commands.h"

#include "conformance/command/command.h"

const struct command more_commands[] = {
    {"probe", cmd_probe, "test a live Responder"},
    {"serve", cmd_serve, "test the Requester that connects"},
    {"proxy", cmd_proxy, "relay between two live peers, and check what they send"},
    {0},
};
