// SPDX-License-Identifier: BSD-3-Clause
//! A testee in Rust: a small receiver of RPC-over-RDMA headers, to copy from. It says all that it
//! decoded, so that more than the header's length is compared.
//!
//! rustc --edition 2021 -O testee.rs && rpcrdma vectors --testee ./testee vectors

use std::io::{self, BufRead, Write};

type Segment = (u32, u32, u64); // handle, length, offset

#[derive(Default)]
struct Header {
    reads: Vec<(u32, Segment)>, // Position
    writes: Vec<Vec<Segment>>,
    reply: Option<Vec<Segment>>,
    length: usize,
}

struct Reader<'a> {
    octets: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn word(&mut self) -> Option<u32> {
        let octets = self.octets.get(self.at..self.at + 4)?;
        self.at += 4;
        Some(u32::from_be_bytes(octets.try_into().ok()?))
    }

    fn present(&mut self) -> Option<bool> {
        self.word().filter(|word| *word < 2).map(|word| word == 1)
    }

    fn segment(&mut self) -> Option<Segment> {
        let (handle, length) = (self.word()?, self.word()?);
        Some((handle, length, u64::from(self.word()?) << 32 | u64::from(self.word()?)))
    }

    // No memory is taken for a count that lies: the octets end first.
    fn chunk(&mut self) -> Option<Vec<Segment>> {
        let count = self.word()?;
        let mut segments = Vec::new();
        for _ in 0..count {
            segments.push(self.segment()?);
        }
        Some(segments)
    }

    fn header(&mut self) -> Option<Header> {
        let mut header = Header::default();
        while self.present()? {
            header.reads.push((self.word()?, self.segment()?));
        }
        while self.present()? {
            header.writes.push(self.chunk()?);
        }
        if self.present()? {
            header.reply = Some(self.chunk()?);
        }
        header.length = self.at;
        Some(header)
    }
}

// What has to hold beyond the XDR: just one thing has the RPC message.
fn is_good(header: &Header, is_reply: bool, is_nomsg: bool, length: usize) -> bool {
    let zero: Vec<_> = header.reads.iter().filter(|read| read.0 == 0).collect();
    let in_calls: u64 = zero.iter().map(|read| u64::from(read.1 .1)).sum();
    let in_reply: u64 = header.reply.iter().flatten().map(|segment| u64::from(segment.1)).sum();
    let held = if is_reply { in_reply } else { in_calls };
    let inline = header.length + 4 <= length;
    let aligned = header.reads.iter().all(|read| read.0 % 4 == 0);
    let holds = match is_nomsg {
        true => held > 0,
        false => inline && if is_reply { held == 0 } else { zero.is_empty() },
    };
    holds && aligned && !(is_reply && !header.reads.is_empty())
}

fn shown(chunk: &[Segment]) -> String {
    let parts: Vec<_> = chunk.iter().map(|s| format!("{}/{}/{}", s.0, s.1, s.2)).collect();
    format!("[{}]", parts.join(","))
}

fn accept(header: &Header) -> String {
    let reads = header.reads.iter().map(|(p, s)| format!("{}/{}/{}/{}", p, s.0, s.1, s.2));
    let writes: String = header.writes.iter().map(|chunk| shown(chunk)).collect();
    let reply = header.reply.as_deref().map(shown).unwrap_or_default();
    let reads = reads.collect::<Vec<_>>().join(",");
    format!("accept {} reads={} writes={} reply={}", header.length, reads, writes, reply)
}

fn answer_error(octets: &[u8], is_reply: bool) -> &'static str {
    let code = octets.get(16..20).map(|code| code[3]);
    match (is_reply, code, octets.len()) {
        (true, Some(1), 28..) if octets[16..19] == [0; 3] => "accept 28",
        (true, Some(2), _) if octets[16..19] == [0; 3] => "accept 20",
        _ => "discard",
    }
}

fn answer(octets: &[u8], is_reply: bool) -> String {
    if octets.len() < if is_reply { 20 } else { 28 } {
        return "discard".into();
    }
    let mut reader = Reader { octets, at: 4 };
    let fixed = [reader.word(), reader.word(), reader.word()].map(|word| word.unwrap_or(0));
    let (version, procedure) = (fixed[0], fixed[2]);
    let refuse = if is_reply { "discard" } else { "error err-chunk" };
    match procedure {
        4 => return answer_error(octets, is_reply).into(),
        _ if version != 1 => return if is_reply { "discard" } else { "error err-vers" }.into(),
        3 => return "discard".into(),
        0 | 1 if octets.len() >= 28 => (),
        _ => return refuse.into(),
    }
    match reader.header() {
        Some(header) if is_good(&header, is_reply, procedure == 1, octets.len()) => accept(&header),
        _ => refuse.into(),
    }
}

fn octets_of(digits: &str) -> Option<Vec<u8>> {
    let pairs = (0..digits.len()).step_by(2);
    pairs.map(|i| u8::from_str_radix(digits.get(i..i + 2)?, 16).ok()).collect()
}

fn main() {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let mut words = line.split(' '); // fields that follow are not for us
        let verb = words.next().unwrap_or("");
        let octets = octets_of(words.next().unwrap_or(""));
        let said = match (verb, octets) {
            ("call" | "reply", Some(octets)) => answer(&octets, verb == "reply"),
            _ => "unsupported".into(),
        };
        println!("{}", said);
        io::stdout().flush().expect("the answer is waited for");
    }
}
