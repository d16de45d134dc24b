-- ARGV: topic, expected next, next that a new shard begins with, owner, '1' if these are the last, the mark that the page before
-- this one has left, empty for the first page, the mark of this one, then per copy in the later topic that has an id: id, origin,
-- its key, its due time if it repeats, otherwise empty. Each copy is far and replaces the pending message of its id, unless
-- something newer is known of the id. Does nothing if the index is complete, if Redis has lost the page before this one, or if
-- another owner has opened the shard since: that owner may know of other copies.
if not absent and owner ~= ARGV[4] then
  return {'OK', '-1'}
end
if next ~= ARGV[2] or index == COMPLETE then
  return {'OK', next}
end
if ARGV[6] ~= '' and redis.call('HGET', meta, 'recall') ~= ARGV[6] then
  return {'OK', '-1'}
end
for i = 8, #ARGV, 4 do
  local id, origin, at, due = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local old = redis.call('HGET', ids, id)
  if old and not sound(old) then
    return {'CORRUPT', 'an id stands for no offset'}
  end
  if not old or lower(said(old), origin) then
    local replaced = old and find(string.sub(old, 9))
    if replaced then
      if id_of(replaced) ~= id then
        return {'CORRUPT', 'an id stands for a message of another id'}
      end
      redis.call('ZREM', pending, replaced)
    end
    put(id, old, origin .. at)
  elseif is_far(old) and said(old) == origin then
    put(id, old, origin .. at)
  end
  if due ~= '' then
    list(id, origin, due)
  end
end
if absent then
  next = ARGV[3]
end
if ARGV[5] == '1' then
  index = RECALLED
end
note(ARGV[4])
redis.call('HSET', meta, 'recall', ARGV[7])
if absent then
  redis.call('HSET', meta, 'owner', ARGV[4])
end
return {'OK', next}
