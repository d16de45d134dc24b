-- ARGV: topic, then per message: due, offset, id. Reads only. Answers OK if no id of them stands for another message
-- while they are pending: else a cancel or a replacement has not found them. An id that is not there may be right:
-- settling by a pair removes it although the message stays, if the shard was fed beyond that pair.
for i = 2, #ARGV, 3 do
  local entry = redis.call('HGET', ids, ARGV[i + 2])
  if entry and string.sub(entry, 9) ~= ARGV[i + 1] .. ARGV[i] then
    local _, member = find(ARGV[i], ARGV[i + 1])
    if member then
      return {'CORRUPT', 'a pending message is not named by its id'}
    end
  end
end
return {'OK'}
