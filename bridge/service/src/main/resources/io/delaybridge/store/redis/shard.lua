-- Follows in the scripts of a shard's owner. ARGV[1]: id of the intake topic.
-- Answers TOPIC if the shard belongs to another topic, CORRUPT if its keys contradict each other.
local m = redis.call('HMGET', meta, 'topic', 'next', 'seq', 'count', 'check', 'index', 'far', 'owner', 'other')
local owner, other = m[8], m[9]
local count = redis.call('ZCARD', pending)
-- These also fail on a key of the wrong type before the first write.
local known = redis.call('HLEN', ids)
local repeating = redis.call('ZCARD', repeats) > 0
-- A checksum of the fields of meta, the number of ids, and the layout: scripts for another layout must do nothing here, however
-- late they come. See ADR 22. The fields about far messages are part of it once they are set. So a shard without them has the
-- check that it always had. An earlier release, which would sweep the ids of far messages, takes the other shards for damaged.
local function check(topic, next, seq, count, known, later)
  return string.sub(redis.sha1hex(table.concat({'4', topic, next, seq, count, known}, ' ') .. later), 1, 8)
end
local later = (m[6] and ' ' .. m[6] or '') .. (m[7] and ' ' .. m[7] or '')
if m[5] and m[5] ~= check(m[1] or '', m[2] or '', m[3] or '', m[4] or '', known, later) then
  return {'CORRUPT', 'meta was changed, ids came or went, or it is another layout'}
end
if m[1] and m[1] ~= ARGV[1] then
  return {'TOPIC', m[1]}
end
if tostring(count) ~= (m[4] or '0') then
  return {'CORRUPT', count .. ' pending, ' .. tostring(m[4]) .. ' counted'}
end
if redis.call('ZCOUNT', pending, 0, 0) ~= count then
  return {'CORRUPT', 'a score that is not 0'}
end
local function number(text)
  return text and #text <= 19 and string.match(text, '^%d+$')
end
local whole = m[1] and number(m[2]) and number(m[3]) and m[4] and m[5]
local absent = not (m[1] or m[2] or m[3] or m[4] or m[5] or m[6] or m[7]) and known == 0
if not whole and not absent then
  return {'CORRUPT', 'meta is incomplete or not a number'}
end
local next, seq = m[2] or '-1', m[3] or '0'
-- The state of the index of ids. NEAR: it knows nothing about far messages. RECALLED: all far messages were recalled, but a message
-- that no id names may be alive. COMPLETE: a message that no id names is over.
local NEAR, RECALLED, COMPLETE = '0', '1', '2'
local index = m[6] or NEAR
local recalled = index == RECALLED
if index ~= NEAR and not recalled and index ~= COMPLETE or not number(m[7] or '0') then
  return {'CORRUPT', 'meta does not say what the index is'}
end
local far = tonumber(m[7] or '0') -- how many ids stand for a far message

-- Compares offsets as texts, which are exact.
local function below(a, b)
  return #a < #b or (#a == #b and a < b)
end
local function sound(entry)
  return #entry == 22
end

-- The origin of the message that an id stands for.
local function said(entry)
  return string.sub(entry, 1, 8)
end

-- The key of an ask that nobody asks: the message that was requested there is over.
local function mark(offset)
  return string.rep('\0', 6) .. offset
end

-- Whether the first of two origins is the lower one. Lua's own comparison depends on the locale.
local function lower(a, b)
  for i = 1, 8 do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then return x < y end
  end
  return false
end

-- Sets the entry of an id, or removes it, and counts the ids that are far.
local function put(id, old, entry)
  far = far + (entry and is_far(entry) and 1 or 0) - (old and is_far(old) and 1 or 0)
  if entry then
    redis.call('HSET', ids, id, entry)
  else
    if repeating then redis.call('ZREM', repeats, id) end
    redis.call('HDEL', ids, id)
  end
end

-- Lists an id if it stands for the message that was requested there. That message repeats, and is due then.
local function list(id, origin, due)
  local entry = redis.call('HGET', ids, id)
  if entry and said(entry) == origin then
    redis.call('ZADD', repeats, due, id)
    repeating = true
  end
end

-- Writes the current state to meta. Writes nothing about far messages as long as the shard has nothing to do with them.
-- Notes a caller that is not the owner. It is a former owner that is late, or Redis has forgotten that it opened the shard. In that
-- case, the owner does not know of what is written.
local function note(caller)
  count = redis.call('ZCARD', pending)
  local fields = {'topic', ARGV[1], 'next', next, 'seq', seq, 'count', tostring(count)}
  local function add(name, value)
    fields[#fields + 1], fields[#fields + 2] = name, value
  end
  later = ''
  if m[6] or m[7] or index ~= NEAR or far ~= 0 then
    add('index', index)
    add('far', tostring(far))
    later = ' ' .. index .. ' ' .. far
  end
  add('check', check(ARGV[1], next, seq, count, redis.call('HLEN', ids), later))
  if owner and owner ~= caller then
    add('other', caller)
  end
  redis.call('HSET', meta, unpack(fields))
end
