-- Begins every script. KEYS: pending, ids, meta, repeats of one shard.
--   pending  sorted set: a member is a key, due time and offset, and the stored message behind it. All scores are 0,
--            so Redis sorts members by their bytes, which is the order of their keys.
--   ids      hash: id to origin and key of the message that it stands for.
--   repeats  sorted set: the ids of messages that repeat, by when the next occurrence is due. For lists only: an id that
--            stands for something else by now may be there still.
-- An origin is an offset, 8 bytes big-endian. A key is 14: 6 for the milliseconds of the due time and one more, 8 for the offset.
-- What a script writes says what it means by value, never by place: a Redis that finds the end of its append-only file
-- cut off can do half of a script again, among the writes of later ones. See ADR 18.
local pending, ids, meta, repeats = KEYS[1], KEYS[2], KEYS[3], KEYS[4]

-- The key of what is far: later than every due time, then where in the later topic its value is, an offset, if that is
-- known. It is pending under no key. See ADR 32.
local FAR = '\255\255\255\255\255\255'
local SOMEWHERE = FAR .. '\127\255\255\255\255\255\255\255'

local function is_far(entry)
  return string.sub(entry, 9, 14) == FAR
end

local function key(member)
  return string.sub(member, 1, 14)
end

-- The member that has this key, if there is one.
local function find(wanted)
  local member = redis.call('ZRANGEBYLEX', pending, '[' .. wanted, '+', 'LIMIT', 0, 1)[1]
  return member and key(member) == wanted and member
end
