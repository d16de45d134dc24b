-- ARGV: topic, owner, least next, then ids. Removes those that name no pending message. Does nothing and answers -1 if another owner
-- has opened the shard or has written to it since: it may have put back a message that such an id stands for. An id may also wait for
-- copies that are fed again, when Redis has fallen back.
-- While absence proves nothing, an id that names nothing is a mark.
if whole and (owner ~= ARGV[2] or other) then
  return {'OK', -1}
end
if not whole or below(next, ARGV[3]) or recalled then
  return {'OK', 0}
end
local swept = 0
for i = 4, #ARGV do
  local entry = redis.call('HGET', ids, ARGV[i])
  if entry and not sound(entry) then
    return {'CORRUPT', 'an id stands for no offset'}
  end
  local at = entry and string.sub(entry, 9)
  if entry and (at == NO_COPY or not is_far(entry) and not find(at)) then
    put(ARGV[i], entry, nil)
    swept = swept + 1
  end
end
if swept > 0 then
  note(ARGV[2])
end
return {'OK', swept}
