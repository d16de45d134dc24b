-- ARGV: topic, now, most messages, most bytes. Reads only.
-- Answers OK, next, pending, due, then member and score of the first message not returned ('' if none),
-- then those of each message returned, in key order.
local overdue = redis.call('ZCOUNT', pending, '-inf', ARGV[2])
local most, room = math.min(overdue, tonumber(ARGV[3])), tonumber(ARGV[4])
local reply = {'OK', next, count, overdue, '', ''}
-- Ever more at a time, so that the first look at large messages is a short one.
local taken, chunk = 0, 1
while taken < most and (taken == 0 or room > 0) do
  local list = redis.call('ZRANGE', pending, taken, math.min(taken + chunk, most) - 1, 'WITHSCORES')
  for k = 1, #list, 2 do
    room = room - (#list[k] - 8)
    if room < 0 and taken > 0 then break end
    reply[#reply + 1], reply[#reply + 2] = list[k], list[k + 1]
    taken = taken + 1
  end
  chunk = math.min(2 * chunk, 64)
end
local first = redis.call('ZRANGE', pending, taken, taken, 'WITHSCORES')
if first[1] then
  reply[5], reply[6] = string.sub(first[1], 1, 8), first[2]
end
return reply
