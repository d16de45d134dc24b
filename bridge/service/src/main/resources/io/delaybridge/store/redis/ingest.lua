-- ARGV: topic, expected next, new next, owner, then entries in offset order:
--   s member due payload               schedule without an id
--   S member due id payload            schedule, replaces the pending message of that id
--   c member id                        covered schedule: only its effect on the id
--   R member due id origin payload     retry copy, acts only if the id still stands for its origin
--   r member id origin                 covered retry copy
--   A member named due id suffix other  ask: takes the place of the named member, if that has this due time and
--                                      this id; what is stored, in this case behind the message and else alone, is empty if it is covered
--   X id                               cancel
if next ~= ARGV[2] then
  return {'GAP', next, count}
end

local scores, bodies, n = {}, {}, 0

local function flush()
  if n > 0 then
    redis.call('ZADD', due, unpack(scores, 1, 2 * n))
    redis.call('HSET', msg, unpack(bodies, 1, 2 * n))
    n = 0
  end
end

local function add(member, score, payload)
  scores[2 * n + 1], scores[2 * n + 2] = score, member
  bodies[2 * n + 1], bodies[2 * n + 2] = member, payload
  n = n + 1
  if n == 64 then flush() end
end

local function remove(member)
  flush()
  redis.call('ZREM', due, member)
  redis.call('HDEL', msg, member)
end

-- Whether the message that an id stands for, if it is there, has this id: a header in Protobuf.
local function is(stored, id)
  local size = #id < 128 and string.char(#id) or string.char(#id % 128 + 128, math.floor(#id / 128))
  return not stored or string.find(stored, '\n\8delay-id\18' .. size .. id, 1, true)
end

-- An entry of ids is origin and current member, 8 bytes each.
local function name(id, origin, member, old)
  if old then remove(string.sub(old, 9)) end
  redis.call('HSET', ids, id, origin .. member)
end

-- Where an entry that has an id has it.
local place = {S = 3, c = 2, R = 3, r = 2, A = 4, X = 1}

local i = 5
while i <= #ARGV do
  local op = ARGV[i]
  local id = place[op] and ARGV[i + place[op]]
  local old = id and redis.call('HGET', ids, id)
  if old and #old ~= 16 then
    return {'CORRUPT', 'an id stands for no offset'}
  end
  if old and not is(redis.call('HGET', msg, string.sub(old, 9)), id) then
    return {'CORRUPT', 'an id stands for a message of another id'}
  end
  if op == 's' then
    add(ARGV[i + 1], ARGV[i + 2], ARGV[i + 3])
    i = i + 4
  elseif op == 'S' then
    name(id, ARGV[i + 1], ARGV[i + 1], old)
    add(ARGV[i + 1], ARGV[i + 2], ARGV[i + 4])
    i = i + 5
  elseif op == 'c' then
    name(id, ARGV[i + 1], ARGV[i + 1], old)
    i = i + 3
  elseif op == 'R' then
    local origin = ARGV[i + 4]
    if old and string.sub(old, 1, 8) == origin then
      name(id, origin, ARGV[i + 1], old)
      add(ARGV[i + 1], ARGV[i + 2], ARGV[i + 5])
    end
    i = i + 6
  elseif op == 'r' then
    local origin = ARGV[i + 3]
    if old and string.sub(old, 1, 8) == origin then
      name(id, origin, ARGV[i + 1], old)
    end
    i = i + 4
  elseif op == 'A' then
    flush()
    local named, suffix = ARGV[i + 2], ARGV[i + 5]
    local score = redis.call('ZSCORE', due, named)
    local there = score == ARGV[i + 3]
    local payload = there and redis.call('HGET', msg, named)
    if id == '' then
      -- The name of a header in Protobuf: a message that has an id is not named without it.
      there = payload and not string.find(payload, '\n\8delay-id', 1, true)
    else
      there = payload and old and string.sub(old, 9) == named
    end
    if there then remove(named) end
    -- If the member is still there, the ask does not name it: another due time, another id.
    if (there or (suffix == '' and not score)) and old and string.sub(old, 9) == named then
      redis.call('HSET', ids, id, string.sub(old, 1, 8) .. ARGV[i + 1])
    end
    if suffix ~= '' then
      add(ARGV[i + 1], '-1', there and payload .. suffix or ARGV[i + 6])
    end
    i = i + 7
  elseif op == 'X' then
    if old then
      remove(string.sub(old, 9))
      redis.call('HDEL', ids, id)
    end
    i = i + 2
  else
    return redis.error_reply('ERR unknown entry ' .. tostring(op))
  end
end
flush()

count = redis.call('ZCARD', due)
redis.call('HSET', meta, 'topic', ARGV[1], 'next', ARGV[3], 'seq', seq, 'count', tostring(count),
  'check', check(ARGV[1], ARGV[3], seq, tostring(count)))
if next == '-1' then
  redis.call('HSET', meta, 'owner', ARGV[4])
end
return {'OK', ARGV[3], count}
