// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/*
 * The receiver of librpcrdma within the Linux kernel, as a testee: /dev/rpcrdma_testee takes the
 * lines that `rpcrdma vectors` asks, as many as are written, and is read for an answer to each. The
 * line "time N" has all Sends that came before it received N times, and is answered by the shortest
 * of these times; user.c says the same of user space.
 */
#include "rpcrdma.h"

#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#define testee_now() ktime_get_ns()
#define testee_rest() cond_resched()
#include "rounds.h"

enum { LINE_MAX = 1 << 20, SENDS_MAX = 16384, ANSWER_MAX = 128, ROUNDS_MAX = 100000 };

/* One that has opened the device. */
struct asker {
    struct mutex lock;
    char *line, *answers;
    size_t line_length, answers_length, answers_room, answers_read;
    struct testee_send *sends;
    uint32_t send_count;
};

static int add_answer(struct asker *asker, const char *text)
{
    size_t length = strlen(text);
    if (asker->answers_room - asker->answers_length < length) {
        size_t room = 2 * asker->answers_room + ANSWER_MAX;
        char *more = kvmalloc(room, GFP_KERNEL);
        if (!more)
            return -ENOMEM;
        if (asker->answers)
            memcpy(more, asker->answers, asker->answers_length);
        kvfree(asker->answers);
        asker->answers = more;
        asker->answers_room = room;
    }
    memcpy(asker->answers + asker->answers_length, text, length);
    asker->answers_length += length;
    return 0;
}

static void judge(const struct testee_send *send, char *answer)
{
    ptrdiff_t n = receive(send);
    if (n >= 0)
        snprintf(answer, ANSWER_MAX, "accept %zd\n", (ssize_t)n);
    else
        strscpy(answer,
                n == RPCRDMA1_SEND_ERR_VERS    ? "error err-vers\n"
                : n == RPCRDMA1_SEND_ERR_CHUNK ? "error err-chunk\n"
                                               : "discard\n",
                ANSWER_MAX);
}

static int measure(const struct asker *asker, const char *number, char *answer)
{
    uint64_t best;
    unsigned int rounds, accepted;
    if (kstrtouint(number, 10, &rounds) || rounds == 0 || rounds > ROUNDS_MAX ||
        asker->send_count == 0)
        return -EINVAL;
    best = best_round(asker->sends, asker->send_count, rounds, &accepted);
    best = div64_u64(100 * best, asker->send_count);
    snprintf(answer, ANSWER_MAX,
             "%u headers, %u of them accepted, best of %u rounds: %llu.%02llu ns each\n",
             asker->send_count, accepted, rounds, div64_u64(best, 100),
             best - 100 * div64_u64(best, 100));
    return 0;
}

static int add_send(struct asker *asker, enum rpcrdma_role receiver, const char *digits,
                    char *answer)
{
    struct testee_send *send = &asker->sends[asker->send_count];
    size_t length = strlen(digits) / 2;
    if (asker->send_count == SENDS_MAX || strlen(digits) % 2 != 0)
        return -EINVAL;
    /* Of exactly that size: KASAN sees an octet read too far. */
    send->octets = kvmalloc(length ? length : 1, GFP_KERNEL);
    if (!send->octets)
        return -ENOMEM;
    asker->send_count++;
    send->length = length;
    send->receiver = receiver;
    if (hex2bin(send->octets, digits, length))
        return -EINVAL;
    judge(send, answer);
    return 0;
}

static int answer_line(struct asker *asker)
{
    char answer[ANSWER_MAX];
    const char *line = asker->line;
    int status = 0;
    if (strncmp(line, "call ", 5) == 0)
        status = add_send(asker, RPCRDMA_RESPONDER, line + 5, answer);
    else if (strncmp(line, "reply ", 6) == 0)
        status = add_send(asker, RPCRDMA_REQUESTER, line + 6, answer);
    else if (strncmp(line, "time ", 5) == 0)
        status = measure(asker, line + 5, answer);
    else
        strscpy(answer, "unsupported\n", sizeof answer);
    return status ? status : add_answer(asker, answer);
}

static int take(struct asker *asker, char c)
{
    int status;
    if (c != '\n') {
        if (asker->line_length == LINE_MAX - 1)
            return -EMSGSIZE;
        asker->line[asker->line_length++] = c;
        return 0;
    }
    asker->line[asker->line_length] = '\0';
    status = answer_line(asker);
    asker->line_length = 0;
    return status;
}

static ssize_t testee_write(struct file *file, const char __user *from, size_t length, loff_t *at)
{
    struct asker *asker = file->private_data;
    char part[256];
    size_t n = min(length, sizeof part), i;
    int status = 0;
    if (copy_from_user(part, from, n))
        return -EFAULT;
    mutex_lock(&asker->lock);
    for (i = 0; i < n && status == 0; i++)
        status = take(asker, part[i]);
    mutex_unlock(&asker->lock);
    return status ? status : (ssize_t)n;
}

static ssize_t testee_read(struct file *file, char __user *to, size_t length, loff_t *at)
{
    struct asker *asker = file->private_data;
    ssize_t n;
    mutex_lock(&asker->lock);
    n = (ssize_t)min(length, asker->answers_length - asker->answers_read);
    if (n > 0 && copy_to_user(to, asker->answers + asker->answers_read, n))
        n = -EFAULT;
    if (n > 0)
        asker->answers_read += n;
    mutex_unlock(&asker->lock);
    return n;
}

static int testee_release(struct inode *inode, struct file *file)
{
    struct asker *asker = file->private_data;
    while (asker->send_count > 0)
        kvfree(asker->sends[--asker->send_count].octets);
    kvfree(asker->sends);
    kvfree(asker->answers);
    kvfree(asker->line);
    kfree(asker);
    return 0;
}

static int testee_open(struct inode *inode, struct file *file)
{
    struct asker *asker = kzalloc(sizeof *asker, GFP_KERNEL);
    if (!asker)
        return -ENOMEM;
    mutex_init(&asker->lock);
    file->private_data = asker;
    asker->line = kvmalloc(LINE_MAX, GFP_KERNEL);
    asker->sends = kvcalloc(SENDS_MAX, sizeof *asker->sends, GFP_KERNEL);
    if (asker->line && asker->sends)
        return 0;
    testee_release(inode, file);
    return -ENOMEM;
}

static const struct file_operations testee_operations = {
    .owner = THIS_MODULE,
    .open = testee_open,
    .read = testee_read,
    .write = testee_write,
    .release = testee_release,
};

static struct miscdevice testee_device = {
    .minor = MISC_DYNAMIC_MINOR,
    .name = "rpcrdma_testee",
    .fops = &testee_operations,
    .mode = 0600,
};
module_misc_device(testee_device);

MODULE_DESCRIPTION("The receiver of the RPC-over-RDMA codec, as a testee");
MODULE_LICENSE("Dual BSD/GPL");
