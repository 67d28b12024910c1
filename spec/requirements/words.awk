# SPDX-License-Identifier: BSD-3-Clause
# The words of the register's columns, and of the reactions that rows and vectors name, in their
# order. The proof of the register, the C tables and the options of the command take them from here.
#
# usage: awk -f words.awk -f ANOTHER.awk ..., which finds them in register_words[COLUMN]

BEGIN {
    register_words["keyword"] = "MUST,MUST NOT,SHALL,SHALL NOT,REQUIRED,SHOULD,SHOULD NOT,RECOMMENDED,NOT RECOMMENDED,MAY,OPTIONAL,lower-case,derived"
    register_words["level"] = "must,should,derived,advisory,none"
    register_words["role"] = "requester,responder,sender,receiver,implementation,ulb,spec"
    register_words["message"] = "call,reply,error,reply/error,any"
    register_words["scope"] = "header,message,transaction,connection,transfer,binding,internal"
    register_words["severity"] = "-,note,warning,violation"
    register_words["reaction"] = "process,discard,err-vers,err-chunk,garbage-args,terminate,close,err-bad-xdr,err-invalid-proc,err-invalid-option,err-bad-propval,err-inval-htype,err-inval-cont,err-read-chunks,err-write-chunks,err-segments,err-write-resource,err-reply-resource,err-vers-mismatch,err-system"
    register_words["test"] = "passive,responder,requester"
}
