-- SPDX-License-Identifier: BSD-3-Clause
-- Findings of `rpcrdma check` as expert informations of Wireshark, with the page of the rule.
--
-- They are comments on packets: rpcrdma check --annotate OUT IN writes them into a capture, and rpcrdma-extcap, beside this
-- file, while it captures. Copy or link this file into Wireshark's folder of Lua plugins ("tshark -G folders" names it), or:
--
--   wireshark -X lua_script:rpcrdma.lua OUT
--   tshark -X lua_script:rpcrdma.lua -r OUT -Y 'rpcrdma.finding.severity == "violation"'

local protocol = Proto("rpcrdma_findings", "RPC-over-RDMA findings")
local fields = {
    rule = ProtoField.string("rpcrdma.finding.rule", "Rule"),
    severity = ProtoField.string("rpcrdma.finding.severity", "Severity"),
    side = ProtoField.string("rpcrdma.finding.side", "Broken by"),
    frame = ProtoField.framenum("rpcrdma.finding.frame", "Frame that completed it"),
    page = ProtoField.string("rpcrdma.finding.page", "Page of the rule"),
}
local experts = {
    violation = ProtoExpert.new("rpcrdma.finding.violation", "A rule of RPC-over-RDMA is broken",
                                expert.group.PROTOCOL, expert.severity.ERROR),
    warning = ProtoExpert.new("rpcrdma.finding.warning", "A recommendation of RPC-over-RDMA is not met",
                              expert.group.PROTOCOL, expert.severity.WARN),
    note = ProtoExpert.new("rpcrdma.finding.note", "Remarkable RPC-over-RDMA", expert.group.PROTOCOL, expert.severity.NOTE),
    missed = ProtoExpert.new("rpcrdma.finding.missed", "RPC-over-RDMA that could not be checked",
                             expert.group.UNDECODED, expert.severity.CHAT),
}
protocol.fields = { fields.rule, fields.severity, fields.side, fields.frame, fields.page }
protocol.experts = { experts.violation, experts.warning, experts.note, experts.missed }
local comments = Field.new("frame.comment")

-- "rfc8166/3.4.5/position-multiple-of-four": the section where the rule stands.
local function page_of(rule)
    local document, section = rule:match("^(rfc%d+)/([^/]+)/")
    return document and "https://www.rfc-editor.org/rfc/" .. document .. "#section-" .. section
end

local function add_missed(tree, reason)
    local item = tree:add(protocol, "RPC-over-RDMA, not checked: " .. reason)
    item:add_proto_expert_info(experts.missed, reason)
end

local function add_finding(tree, frame, severity, side, text, rule)
    local item = tree:add(protocol, "RPC-over-RDMA, " .. severity .. ": " .. text)
    local page = page_of(rule)
    item:add(fields.rule, rule)
    item:add(fields.severity, severity)
    item:add(fields.side, side)
    if frame then
        item:add(fields.frame, frame)
    end
    if page then
        item:add(fields.page, page)
    end
    item:add_proto_expert_info(experts[severity], text .. " [" .. rule .. "]" .. (page and " " .. page or ""))
end

function protocol.dissector(_, _, tree)
    for _, comment in ipairs({ comments() }) do
        local frame, line = comment.value:match("^rpcrdma, of frame (%d+): (.*)$")
        line = line or comment.value:match("^rpcrdma: (.*)$") or ""
        local severity, side, text, rule = line:match("^(%l+) by the (%l+): (.*) %[([^%[%]]*)%]$")
        local reason = line:match("^not checked: (.*)$")
        if reason then
            add_missed(tree, reason)
        elseif experts[severity] then
            add_finding(tree, tonumber(frame), severity, side, text, rule)
        end
    end
end

register_postdissector(protocol)
