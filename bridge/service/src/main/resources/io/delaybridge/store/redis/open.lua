-- ARGV: topic, owner. From now on ids are swept for this owner only, and only until another one writes.
-- A Redis that takes no writes does not open the shard. When Redis is full, a script can add a field only after a command
-- that could have freed memory. This is such a command.
redis.call('ZREMRANGEBYLEX', pending, '+', '-')
if whole then
  redis.call('HSET', meta, 'owner', ARGV[2])
  redis.call('HDEL', meta, 'other')
end
return {'OK', next, seq, count, known, index, far}
