// SPDX-License-Identifier: BSD-3-Clause

// A testee in Go: a small receiver of RPC-over-RDMA headers, to copy from. It sends the octets of its
// RDMA_ERROR, so that more than its code is checked.
//
//	go build testee.go && rpcrdma vectors --testee ./testee vectors
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
)

const (
	msg       = 0
	nomsg     = 1
	done      = 3
	rdmaError = 4

	errVers  = 1
	errChunk = 2
)

var errMalformed = errors.New("the header is malformed")

type reader struct {
	octets []byte
	at     int
}

// word panics where the octets end; parse turns that into an error.
func (r *reader) word() uint32 {
	if len(r.octets)-r.at < 4 {
		panic(errMalformed)
	}
	r.at += 4
	return binary.BigEndian.Uint32(r.octets[r.at-4:])
}

func (r *reader) present() bool {
	word := r.word()
	if word > 1 {
		panic(errMalformed)
	}
	return word == 1
}

// segment returns the length; handle and offset are of no use here.
func (r *reader) segment() uint64 {
	r.word()
	length := r.word()
	r.word()
	r.word()
	return uint64(length)
}

func (r *reader) chunk() (length uint64) {
	for count := r.word(); count > 0; count-- {
		length += r.segment()
	}
	return length
}

type header struct {
	reads, zeros int    // entries of the Read list, and those at Position zero
	zeroLength   uint64 // octets of the latter
	aligned      bool
	replyLength  uint64
	length       int
}

func parse(octets []byte) (h header, err error) {
	defer func() {
		if recover() != nil {
			err = errMalformed
		}
	}()
	r := reader{octets, 16}
	h.aligned = true
	for r.present() {
		position, length := r.word(), r.segment()
		h.reads++
		h.aligned = h.aligned && position%4 == 0
		if position == 0 {
			h.zeros++
			h.zeroLength += length
		}
	}
	for r.present() {
		r.chunk()
	}
	if r.present() {
		h.replyLength = r.chunk()
	}
	h.length = r.at
	return h, nil
}

// isGood: just one thing holds the RPC message.
func (h header) isGood(isReply, isNomsg bool, length int) bool {
	inline := h.length+4 <= length
	if isReply {
		return h.reads == 0 && (isNomsg && h.replyLength > 0 || !isNomsg && inline && h.replyLength == 0)
	}
	return h.aligned && (isNomsg && h.zeroLength > 0 || !isNomsg && inline && h.zeros == 0)
}

// refusal is the RDMA_ERROR with the XID and version of the Call, a grant of 32, and the code.
func refusal(octets []byte, code uint32) string {
	answer := append([]byte{}, octets[:8]...)
	words := []uint32{32, rdmaError, code}
	if code == errVers {
		words = append(words, 1, 1)
	}
	for _, word := range words {
		answer = binary.BigEndian.AppendUint32(answer, word)
	}
	return "error " + hex.EncodeToString(answer)
}

func answerError(octets []byte, isReply bool) string {
	code := binary.BigEndian.Uint32(octets[16:])
	switch {
	case isReply && code == errVers && len(octets) >= 28:
		return "accept 28"
	case isReply && code == errChunk:
		return "accept 20"
	}
	return "discard"
}

func answer(octets []byte, isReply bool) string {
	if len(octets) < 20 || !isReply && len(octets) < 28 {
		return "discard"
	}
	version, procedure := binary.BigEndian.Uint32(octets[4:]), binary.BigEndian.Uint32(octets[12:])
	if procedure == rdmaError {
		return answerError(octets, isReply)
	}
	if version != 1 {
		if isReply {
			return "discard"
		}
		return refusal(octets, errVers)
	}
	h, err := parse(octets)
	known := procedure == msg || procedure == nomsg
	good := known && len(octets) >= 28 && err == nil && h.isGood(isReply, procedure == nomsg, len(octets))
	switch {
	case good:
		return fmt.Sprintf("accept %d", h.length)
	case isReply || procedure == done:
		return "discard"
	}
	return refusal(octets, errChunk)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	for lines.Scan() {
		words := strings.SplitN(lines.Text(), " ", 3) // fields that follow are not for us
		said := "unsupported"
		if len(words) > 1 && (words[0] == "call" || words[0] == "reply") {
			if octets, err := hex.DecodeString(words[1]); err == nil {
				said = answer(octets, words[0] == "reply")
			}
		}
		fmt.Println(said) // not buffered: the answer is waited for
	}
}
