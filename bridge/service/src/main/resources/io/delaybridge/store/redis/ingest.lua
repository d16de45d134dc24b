-- ARGV: topic, expected next, new next, owner, then entries in offset order:
--   s count (due member)...             schedules without an id; a member is offset and stored message
--   S due member id                     schedule, replaces the pending message of that id
--   c due offset id                     covered schedule: only its effect on the id
--   R due member id origin              retry copy, acts only if the id still stands for its origin
--   r due offset id origin              covered retry copy
--   A due offset id named suffix other  ask: takes the place of the message with the key due, named, if that has
--                                       this id; what is stored, behind the message in this case and alone in the other, is empty if it is covered
--   X id                                cancel
--   F                                   first of all: what follows is to be done even if Redis is full
if next ~= ARGV[2] then
  return {'GAP', next, count}
end

local function add(score, member)
  redis.call('ZADD', pending, score, member)
end

local function drop(member)
  if member then redis.call('ZREM', pending, member) end
end

local function name(id, origin, member, score, replaced)
  drop(replaced)
  redis.call('HSET', ids, id, origin .. string.sub(member, 1, 8) .. score)
end

-- Whether a stored message has this id: a header in Protobuf.
local function is(member, id)
  local size = #id < 128 and string.char(#id) or string.char(#id % 128 + 128, math.floor(#id / 128))
  return string.find(member, '\n\8delay-id\18' .. size .. id, 9, true)
end

local size = {S = 4, c = 4, R = 5, r = 5, A = 7, X = 2, F = 1}

local i = 5
while i <= #ARGV do
  local op, due, member, id = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  if op == 'X' then
    id = due
  elseif op == 's' or op == 'F' then
    id = nil
  end
  local old = id and redis.call('HGET', ids, id)
  if old and not sound(old) then
    return {'CORRUPT', 'an id stands for no offset'}
  end
  local _, stands -- what is pending of that id
  if old then
    _, stands = find(string.sub(old, 17), string.sub(old, 9, 16))
    if stands and not is(stands, id) then
      return {'CORRUPT', 'an id stands for a message of another id'}
    end
  end
  if op == 'F' then
    -- A full Redis lets a script add something only behind a command that could have freed memory: here is one.
    redis.call('ZREMRANGEBYSCORE', pending, 1, 0)
  elseif op == 's' then
    local last = i + 1 + 2 * due
    -- What unpack gives has to fit on a stack.
    for from = i + 2, last, 512 do
      redis.call('ZADD', pending, unpack(ARGV, from, math.min(from + 511, last)))
    end
  elseif op == 'S' or op == 'c' then
    name(id, string.sub(member, 1, 8), member, due, stands)
    if op == 'S' then add(due, member) end
  elseif op == 'R' or op == 'r' then
    local origin = ARGV[i + 4]
    if old and string.sub(old, 1, 8) == origin then
      name(id, origin, member, due, stands)
      if op == 'R' then add(due, member) end
    end
  elseif op == 'A' then
    local named, suffix = ARGV[i + 4], ARGV[i + 5]
    local named_by_id = old and string.sub(old, 9) == named .. due
    local _, there
    if named ~= '' then
      _, there = find(due, named)
      -- The name of a header in Protobuf: a message that has an id is not named without it.
      if id == '' and there and string.find(there, '\n\8delay-id', 9, true) or id ~= '' and not named_by_id then
        there = nil
      end
    end
    drop(there)
    if named_by_id and (there or suffix == '') then
      redis.call('HSET', ids, id, string.sub(old, 1, 8) .. member .. '-1')
    end
    if suffix ~= '' then
      add('-1', member .. (there and string.sub(there, 9) .. suffix or ARGV[i + 6]))
    end
  elseif op == 'X' then
    if old then
      drop(stands)
      redis.call('HDEL', ids, id)
    end
  else
    return redis.error_reply('ERR unknown entry ' .. tostring(op))
  end
  i = i + (op == 's' and 2 + 2 * due or size[op])
end

count = redis.call('ZCARD', pending)
redis.call('HSET', meta, 'topic', ARGV[1], 'next', ARGV[3], 'seq', seq, 'count', tostring(count),
  'check', check(ARGV[1], ARGV[3], seq, count, redis.call('HLEN', ids)))
if next == '-1' then
  redis.call('HSET', meta, 'owner', ARGV[4])
end
return {'OK', ARGV[3], count}
