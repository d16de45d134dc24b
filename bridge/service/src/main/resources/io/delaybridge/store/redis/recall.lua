-- ARGV: topic, expected next, next that a new shard begins with, owner, '1' if these are the last, then per copy in the later topic that has
-- an id: id, origin. Each is far, unless something newer is known of its id. Does nothing once all were recalled.
if next == ARGV[2] and not m[6] then
  if not whole then
    next = ARGV[3]
    redis.call('HSET', meta, 'owner', ARGV[4])
  end
  for i = 6, #ARGV, 2 do
    local entry = redis.call('HGET', ids, ARGV[i])
    if not entry or lower(string.sub(entry, 1, 8), ARGV[i + 1]) then
      -- What is pending under an older one was replaced.
      local member = entry and find(string.sub(entry, 9))
      if member then redis.call('ZREM', pending, member) end
      put(ARGV[i], entry, ARGV[i + 1] .. FAR)
    end
  end
  count = redis.call('ZCARD', pending)
  redis.call('HSET', meta, 'topic', ARGV[1], 'next', next, 'seq', seq, 'count', tostring(count),
    'check', check(ARGV[1], next, seq, count, redis.call('HLEN', ids)))
  if ARGV[5] == '1' then
    redis.call('HSET', meta, 'index', '1')
  end
end
return {'OK', next}
