-- ARGV: topic, then ids. Removes those that name no pending message.
local swept = 0
for i = 2, #ARGV do
  local entry = redis.call('HGET', ids, ARGV[i])
  if entry and not redis.call('ZSCORE', due, string.sub(entry, 9)) then
    swept = swept + redis.call('HDEL', ids, ARGV[i])
  end
end
return {'OK', swept}
