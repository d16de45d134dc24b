-- ARGV: topic, seq, owner, then what Kafka has committed:
--   p next key   a pair of the frontier: everything below this key. If the shard was fed beyond that next, the call does
--                nothing, because the pair does not apply to later records. The owner of the shard by then finds what is
--                covered.
--   m key        one message
--   i id key     the entry of an id, if it still stands for this message; not while absence proves nothing
--   f id origin key   the far message that was requested there is found under this key; it is over if the key is empty
if next == '-1' then
  return {'OK', 0}
end
-- When Redis is full, a script can add data only after a command that could have freed memory. This is such a command.
redis.call('ZREMRANGEBYLEX', pending, '+', '-')
local i = 4
while i <= #ARGV do
  local op = ARGV[i]
  if op == 'p' then
    if below(ARGV[i + 1], next) then break end
    redis.call('ZREMRANGEBYLEX', pending, '-', '(' .. ARGV[i + 2])
    i = i + 3
  elseif op == 'm' then
    local member = find(ARGV[i + 1])
    if member then redis.call('ZREM', pending, member) end
    i = i + 2
  else
    local id = ARGV[i + 1]
    local entry = redis.call('HGET', ids, id)
    local origin, at = ARGV[i + 2], ARGV[i + 3]
    if op == 'f' then
      if entry and is_far(entry) and said(entry) == origin then
        if at == '' then
          at = recalled and mark(origin)
        end
        put(id, entry, at and origin .. at)
      end
    elseif entry and string.sub(entry, 9) == ARGV[i + 2] and not recalled then
      put(id, entry, nil)
    end
    i = i + (op == 'i' and 3 or 4)
  end
end
-- A late call of a former owner says nothing about a shard that was emptied and is fed again.
if tonumber(ARGV[2]) > tonumber(seq) and owner == ARGV[3] then
  seq = ARGV[2]
end
note(ARGV[3])
return {'OK', count}
