/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the model of version 1 is searched, unless the command line says otherwise. */
#ifndef FORWARD
#define FORWARD 2 /* Calls of the client */
#endif
#ifndef BACK
#define BACK 1    /* Calls of the server */
#endif
#ifndef GRANT
#define GRANT 2   /* an answer grants 1 or this */
#endif
#ifndef LOSSES
#define LOSSES 1
#endif
#ifndef CHUNKS
#define CHUNKS 3  /* a Call may offer 0 nothing; 1 or a Read chunk; 2 or a Write chunk; 3 or a Reply chunk */
#endif
