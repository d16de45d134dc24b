-- ARGV: topic, owner, least next, then ids. Removes those that name no pending message, unless another
-- owner has opened the shard since: it may have written a retry copy that such an id waits for. So may
-- copies that are fed again, when Redis has fallen back. Offsets are compared as texts, which are exact.
local function below(a, b)
  return #a < #b or (#a == #b and a < b)
end
if redis.call('HGET', meta, 'owner') ~= ARGV[2] or not whole or below(next, ARGV[3]) then
  return {'OK', 0}
end
local swept = 0
for i = 4, #ARGV do
  local entry = redis.call('HGET', ids, ARGV[i])
  if entry and #entry ~= 16 then
    return {'CORRUPT', 'an id stands for no offset'}
  end
  if entry and not redis.call('ZSCORE', due, string.sub(entry, 9)) then
    swept = swept + redis.call('HDEL', ids, ARGV[i])
  end
end
return {'OK', swept}
