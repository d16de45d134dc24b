-- ARGV: topic, owner. From now on ids are swept for this owner only.
-- A Redis that takes no writes does not open the shard. A full one lets a script add a field only behind a command that
-- could have freed memory: here is one.
redis.call('ZREMRANGEBYLEX', pending, '+', '-')
if whole then
  redis.call('HSET', meta, 'owner', ARGV[2])
end
return {'OK', next, seq, count, known, index, far}
