/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the models are searched, unless the command line says otherwise. */
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
#define LOSSES 0
#endif
#ifndef CHUNKS
#define CHUNKS 0  /* a Call may offer 0 nothing; 1 or a Read chunk; 2 or a Write chunk; 3 or a Reply chunk; */
#endif                /* 4 or a Read and a Write chunk, and a Reply chunk may stay unused */

/* Of version 2: */
#ifndef ADVERTISED
#define ADVERTISED 2 /* Receives of a side; one more is for a GRANT */
#endif
#ifndef SENDS
#define SENDS 9      /* of a side, after which nobody need go on */
#endif
#ifndef GRANTS
#define GRANTS 9     /* of a side, of those that are no RPC message; 9: as many as there may be */
#endif
#ifndef PIECES
#define PIECES 1     /* a message may come in two */
#endif
#ifndef PROPERTIES
#define PROPERTIES 0 /* a side may tell 1 one message of them, 2 two */
#endif
#ifndef ERRORS
#define ERRORS 1     /* a Call may be answered by one; of version 2: 2 also amid its pieces */
#endif
#ifndef REFUSALS
#define REFUSALS 0   /* the server may speak version 1 alone */
#endif
