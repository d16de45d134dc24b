-- ARGV: due, offset, most. Answers member and score of those behind this key, in key order.
local place, member = find(ARGV[1], ARGV[2])
if member then
  place = place + 1
end
return redis.call('ZRANGE', pending, place, place + tonumber(ARGV[3]) - 1, 'WITHSCORES')
