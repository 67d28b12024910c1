// SPDX-License-Identifier: BSD-3-Clause
/* Rules of the drafts that are held where those of version 1 are, and that version 1 has not. */
#include "conformance/check/core/review.h"

#define NO_RULE RPCRDMA_RULES

const struct own_rules rpcrdma_own_rules[2] = {
    {
        .positions_ascend = NO_RULE,
        .items_not_at_zero = NO_RULE,
        .call_chunk_position_zero = NO_RULE,
        .call_chunk_present = NO_RULE,
        .reply_chunk_present = NO_RULE,
        .reply_chunk_holds_payload = NO_RULE,
        .direction = RPCRDMA2_04_6_2_2_DIRECTION_OF_MESSAGE,
        .answers_unseen = RPCRDMA2_04_5_3_3_RESPONSE_MATCHES,
        .value_form = RPCRDMA2_04_5_1_1_VALUE_FORM,
    },
    {
        .positions_ascend = RPCRDMA2_07_4_5_1_1_POSITIONS_ASCEND,
        .items_not_at_zero = RPCRDMA2_07_6_3_5_ITEMS_NOT_AT_ZERO,
        .call_chunk_position_zero = RPCRDMA2_07_6_6_3_CALL_CHUNK_POSITION_ZERO,
        .call_chunk_present = RPCRDMA2_07_6_3_5_CALL_CHUNK_PRESENT,
        .reply_chunk_present = RPCRDMA2_07_6_3_8_REPLY_CHUNK_PRESENT,
        .reply_chunk_holds_payload = RPCRDMA2_07_6_3_8_REPLY_CHUNK_HOLDS_PAYLOAD,
        .direction = RPCRDMA2_07_3_1_3_DIRECTION_OF_TYPE,
        .answers_unseen = RPCRDMA2_07_6_6_2_REPLY_BEFORE_CALL_ENDS,
        .value_form = RPCRDMA2_07_5_1_VALUE_FORM,
    },
};
