/* SPDX-License-Identifier: BSD-3-Clause */
/* What is left out, and which invariant is checked, by the environment. */
inline settings()
{
    c_code {
        if (getenv("LEFT_OUT"))
            now.left_out = atoi(getenv("LEFT_OUT"));
        if (getenv("CHECKED"))
            now.checked = atoi(getenv("CHECKED"));
    }
}
