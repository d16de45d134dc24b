-- ARGV: topic, the first due time that is too late, most messages, most bytes. Reads only.
-- Answers OK, next, number of pending and of due messages, then the key of the first message not returned ('' if none), then
-- the member of each message returned, in key order.
local overdue = redis.call('ZLEXCOUNT', pending, '-', '(' .. ARGV[2])
local most, room = math.min(overdue, tonumber(ARGV[3])), tonumber(ARGV[4])
local reply = {'OK', next, count, overdue, ''}
-- Reads more and more at a time, so that the first read of large messages is short.
local taken, chunk = 0, 1
while taken < most and (taken == 0 or room > 0) do
  local list = redis.call('ZRANGE', pending, taken, math.min(taken + chunk, most) - 1)
  for _, member in ipairs(list) do
    room = room - (#member - 14)
    if room < 0 and taken > 0 then break end
    reply[#reply + 1] = member
    taken = taken + 1
  end
  chunk = math.min(2 * chunk, 64)
end
local first = redis.call('ZRANGE', pending, taken, taken)[1]
if first then
  reply[5] = key(first)
  -- Settling stops before this key: if two messages had it, the first would be taken again and again.
  if taken > 0 and key(reply[#reply]) == reply[5] then
    return {'CORRUPT', 'two messages have one key'}
  end
end
return reply
