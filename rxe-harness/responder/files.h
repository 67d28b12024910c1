// SPDX-License-Identifier: BSD-3-Clause
/* What the reference Responder's NFS servers have: a directory, and one file in it. */
#ifndef HARNESS_RESPONDER_FILES_H
#define HARNESS_RESPONDER_FILES_H

#define FILES_SIZE 65536u     /* octets of the file */
#define FILES_READ_SIZE 4096u /* small: reading the file takes many Calls at a time */
#define FILES_FSID 0x8166
#define FILES_DIRECTORY_ID 2
#define FILES_FILE_ID 3
#define FILES_HANDLE 8 /* octets of a file handle */

#endif
