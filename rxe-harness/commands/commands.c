// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/commands/commands.h"

const struct command *const more_commands[] = {
    &command_probe,   &command_serve, &command_proxy,  &command_respond,
    &command_request, &command_trace, &command_matrix, NULL};
