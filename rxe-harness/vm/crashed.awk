# SPDX-License-Identifier: BSD-3-Clause
# The first line of a kernel's log that tells of a crash of the kernel. What a process does to itself is none (traps:),
# and neither is the trace that is printed where a process is ended for want of memory.
/invoked oom-killer/ { killing = 1 }
/Out of memory: Killed process/ { killing = 0 }
/traps: / || killing { next }
/Oops|BUG:|Call Trace|blocked for more than|Kernel panic|general protection/ {
    print
    exit
}
