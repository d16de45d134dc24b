-- ARGV: topic, then per message: member, id. Reads only. Answers OK if each of them that is pending is named by its
-- id: else a cancel or a replacement may not have found it.
for i = 2, #ARGV, 2 do
  local member = ARGV[i]
  local entry = redis.call('HGET', ids, ARGV[i + 1])
  if (not entry or string.sub(entry, 9) ~= member) and redis.call('ZSCORE', due, member) then
    return {'CORRUPT', 'a pending message is not named by its id'}
  end
end
return {'OK'}
