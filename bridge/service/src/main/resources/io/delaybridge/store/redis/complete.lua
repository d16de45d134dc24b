-- ARGV: topic, owner, least next. From now on what no id names is over: all was fed that could say otherwise.
if recalled and redis.call('HGET', meta, 'owner') == ARGV[2] and not below(next, ARGV[3]) then
  index = COMPLETE
  note()
end
return {'OK', index == COMPLETE and 1 or 0}
