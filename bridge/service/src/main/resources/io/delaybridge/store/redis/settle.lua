-- ARGV: topic, seq, then per message: member, id. An empty id: there is none, or it lives on.
-- The entry of an id goes only if it still points to this message.
if next == '-1' then
  return {'OK', 0}
end
for i = 3, #ARGV, 2 do
  local member, id = ARGV[i], ARGV[i + 1]
  redis.call('ZREM', due, member)
  redis.call('HDEL', msg, member)
  if id ~= '' then
    local entry = redis.call('HGET', ids, id)
    if entry and string.sub(entry, 9) == member then
      redis.call('HDEL', ids, id)
    end
  end
end
count = redis.call('ZCARD', due)
if tonumber(ARGV[2]) > tonumber(seq) then
  seq = ARGV[2]
end
redis.call('HSET', meta, 'seq', seq, 'count', tostring(count), 'check', check(ARGV[1], next, seq, tostring(count)))
return {'OK', count}
