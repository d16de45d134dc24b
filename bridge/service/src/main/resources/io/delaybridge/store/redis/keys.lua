-- Begins every script. KEYS: pending, ids, meta, repeats of one shard.
--   pending  sorted set: a member is a key, due time and offset, followed by the stored message. All scores are 0,
--            so Redis sorts members by their bytes, which is the order of their keys.
--   ids      hash: from id to the origin and key of the message that the id stands for.
--   repeats  sorted set: the ids of messages that repeat, by the due time of the next occurrence. Used for lists only: an id
--            that stands for something else by now may still be there.
-- An origin is an offset, 8 bytes big-endian. A key has 14 bytes: 6 for the milliseconds of the due time and one more, 8 for the offset.
-- Scripts write by value, never by place: a Redis that finds the end of its append-only file cut off can repeat half of a
-- script, among the writes of later scripts. See ADR 18.
local pending, ids, meta, repeats = KEYS[1], KEYS[2], KEYS[3], KEYS[4]

-- The key of a far message: a time later than every due time, then the offset of its value in the later topic, if that is
-- known. A far message is pending under no key. See ADR 32.
local FAR = '\255\255\255\255\255\255'
local SOMEWHERE = FAR .. '\127\255\255\255\255\255\255\255'

-- The key of a far message that has left and was not recalled: no copy waits in the later topic. If it came home, a record behind it
-- says so; else it is over.
local NO_COPY = FAR .. '\127\255\255\255\255\255\255\254'

local function is_far(entry)
  return string.sub(entry, 9, 14) == FAR
end

local function key(member)
  return string.sub(member, 1, 14)
end

-- Returns the member that has this key, if there is one.
local function find(wanted)
  local member = redis.call('ZRANGEBYLEX', pending, '[' .. wanted, '+', 'LIMIT', 0, 1)[1]
  return member and key(member) == wanted and member
end
