-- ARGV: topic, then per message: due, offset, id. Reads only. Answers OK if each of them that is pending is named by
-- its id: else a cancel or a replacement may not have found it.
for i = 2, #ARGV, 3 do
  local entry = redis.call('HGET', ids, ARGV[i + 2])
  if not entry or string.sub(entry, 9) ~= ARGV[i + 1] .. ARGV[i] then
    local _, member = find(ARGV[i], ARGV[i + 1])
    if member then
      return {'CORRUPT', 'a pending message is not named by its id'}
    end
  end
end
return {'OK'}
