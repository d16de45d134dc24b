-- ARGV: topic, owner. From now on ids are swept for this owner only. A full Redis refuses the note;
-- then nobody sweeps, which does no harm.
if whole then
  redis.pcall('HSET', meta, 'owner', ARGV[2])
end
return {'OK', next, seq, count}
