-- ARGV: topic, then per message: key, id. Reads only. Answers OK if each of these messages that is pending is named by
-- its id. Otherwise a cancel or a replacement may not have found the message.
for i = 2, #ARGV, 2 do
  local entry = redis.call('HGET', ids, ARGV[i + 1])
  if (not entry or string.sub(entry, 9) ~= ARGV[i]) and find(ARGV[i]) then
    return {'CORRUPT', 'a pending message is not named by its id'}
  end
end
return {'OK'}
