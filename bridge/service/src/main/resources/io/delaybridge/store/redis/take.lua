-- ARGV: topic, now, most messages, most bytes. Reads only.
-- Answers OK, next, pending, due, score and member of the first message not returned ('' if none),
-- then member, score, payload of each message returned, in (due, offset) order.
local reply = {'OK', next, count, 0, '', ''}
if count == 0 then
  return reply
end
local head = redis.call('ZRANGE', due, 0, 0, 'WITHSCORES')
if tonumber(head[2]) > tonumber(ARGV[2]) then
  reply[5], reply[6] = head[2], head[1]
  return reply
end

local overdue = redis.call('ZCOUNT', due, '-inf', ARGV[2])
local want = math.min(overdue, tonumber(ARGV[3]))
-- One more than wanted: the first that is not returned.
local list = redis.call('ZRANGE', due, 0, want, 'WITHSCORES')
local bytes, taken, at = 0, 0, 6
while taken < want and (taken == 0 or bytes < tonumber(ARGV[4])) do
  local members = {}
  for k = taken, math.min(taken + 32, want) - 1 do
    members[#members + 1] = list[2 * k + 1]
  end
  local payloads = redis.call('HMGET', msg, unpack(members))
  for k, payload in ipairs(payloads) do
    if not payload then
      return {'CORRUPT', 'a due message has no payload'}
    end
    if taken > 0 and bytes + #payload > tonumber(ARGV[4]) then
      bytes = tonumber(ARGV[4])
      break
    end
    reply[at + 1], reply[at + 2], reply[at + 3] = members[k], list[2 * taken + 2], payload
    at, taken, bytes = at + 3, taken + 1, bytes + #payload
  end
end
reply[4] = overdue
if list[2 * taken + 1] then
  reply[5], reply[6] = list[2 * taken + 2], list[2 * taken + 1]
end
return reply
