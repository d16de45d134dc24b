-- KEYS: pending of one shard. ARGV: the first key, the key behind the last one, most messages, most bytes. Reads only.
-- Answers 1 if there may be more, else 0, then the members in the order of their keys: at least one, if there is one.
local from, most, room = '[' .. ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local reply, chunk = {'0'}, 1
while #reply <= most do
  local wanted = math.min(chunk, most + 1 - #reply)
  local list = redis.call('ZRANGEBYLEX', KEYS[1], from, '(' .. ARGV[2], 'LIMIT', 0, wanted)
  for _, member in ipairs(list) do
    room = room - #member
    if room < 0 and #reply > 1 then
      reply[1] = '1'
      return reply
    end
    reply[#reply + 1] = member
    -- Behind the key: a stored message never begins with this byte.
    from = '(' .. string.sub(member, 1, 14) .. '\255'
  end
  if #list < wanted then return reply end
  -- What is read is in the memory of Redis twice: little of it, since it may be large.
  chunk = math.min(2 * chunk, 8)
end
reply[1] = '1'
return reply
