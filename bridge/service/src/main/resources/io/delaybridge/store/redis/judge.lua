-- ARGV: topic, then per message: id, origin. Reads only. Answers OK, next, whether the index is complete, then for each
-- message whether its id stands for it.
local reply = {'OK', next, index == COMPLETE and 1 or 0}
for i = 2, #ARGV, 2 do
  local entry = redis.call('HGET', ids, ARGV[i])
  if entry and not sound(entry) then
    return {'CORRUPT', 'an id stands for no offset'}
  end
  reply[#reply + 1] = entry and said(entry) == ARGV[i + 1] and 1 or 0
end
return reply
