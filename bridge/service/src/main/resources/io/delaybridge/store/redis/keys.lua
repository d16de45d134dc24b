-- Begins every script. KEYS: pending, ids, meta of one shard.
--   pending  sorted set: score is the due time, a member the offset (8 bytes, big-endian) and the stored message.
--            So members sort by key, due time and offset.
--   ids      hash: id to origin and key of the message that it stands for: 8 bytes, 8 bytes, the due time as text.
-- What a script writes says what it means by value, never by place: a Redis that finds the end of its append-only file
-- cut off can do half of a script again, among the writes of later ones. See ADR 18.
local pending, ids, meta = KEYS[1], KEYS[2], KEYS[3]

-- Strings compare by the locale of the server; these must not.
local function before(a, b)
  for i = 1, 8 do
    local x, y = string.byte(a, i) or -1, string.byte(b, i) or -1
    if x ~= y then return x < y end
  end
  return false
end

-- How many members are below the key; and the member that has it, if there is one.
local function find(score, offset)
  local from = redis.call('ZCOUNT', pending, '-inf', '(' .. score)
  local to = from + redis.call('ZCOUNT', pending, score, score)
  while from < to do
    local middle = math.floor((from + to) / 2)
    local member = redis.call('ZRANGE', pending, middle, middle)[1]
    if before(member, offset) then
      from = middle + 1
    elseif before(offset, member) then
      to = middle
    else
      return middle, member
    end
  end
  return from
end
