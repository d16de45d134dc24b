-- ARGV: topic, owner, least next. From now on what no id names is over: all was fed that could say otherwise.
if recalled and redis.call('HGET', meta, 'owner') == ARGV[2] and not below(next, ARGV[3]) then
  redis.call('HSET', meta, 'index', '2')
  return {'OK', 1}
end
return {'OK', m[6] == '2' and 1 or 0}
