-- ARGV: topic, expected next, new next, owner, then entries in offset order:
--   s count (0 member)...           schedules without an id, in the form of the arguments of ZADD
--   S member id                     schedule; replaces the pending message of that id
--   c key id                        covered schedule; has only its effect on the id
--   R member id origin              retry copy; acts only if the id still stands for its origin
--   r key id origin                 covered retry copy
--   A key id named suffix other     ask; takes the place of the message with the key "named", if the id stands for that message, so
--                                   never of one that leaves for the later topic. Stores the suffix behind the message if it took its
--                                   place, otherwise "other" alone. Both are empty if the ask is covered
--   H member                        home copy without an id; takes the place of one that was read before
--   f id offset member              far schedule; its id stands for the far message from now on. The member, which leaves at once, is
--                                   empty if it is covered
--   g id origin member              far retry copy, likewise
--   W id named offset told          condition: the next entry, requested at this offset, acts only if its id stands for a far message
--                                   that was requested at the offset "named". While absence proves nothing, it also acts if nothing
--                                   newer is known, but only if told is '1': the log has every record that could say otherwise.
--                                   If not, it leaves a mark of what it names, for which the id stood: another one that names the same
--                                   came too late, or did nothing either
--   N id origin due                 the message that was requested there repeats, and is due then
--   X id offset                     cancel
--   K                               comes first: do nothing if the ids of far messages were not recalled, or are forgotten
--   F                               comes first, except for K: apply the entries even if Redis is full
if ARGV[5] == 'K' and index == NEAR then
  return {'GAP', '-1', count}
end
if next ~= ARGV[2] then
  return {'GAP', next, count}
end

local function add(member)
  redis.call('ZADD', pending, 0, member)
end

local function drop(member)
  if member then redis.call('ZREM', pending, member) end
end

local function name(id, origin, member, replaced, old)
  drop(replaced)
  put(id, old, origin .. key(member))
end

-- Keeps the place of the value if it is known.
local function name_far(id, origin, member, replaced, old, at)
  if not (old and is_far(old) and said(old) == origin) then
    name(id, origin, at, replaced, old)
  end
  if member ~= '' then add(member) end
end

-- Whether an id stands for the member. A malformed message has at most the header.
local function is_named(member)
  local id = id_of(member)
  local entry = id and redis.call('HGET', ids, id)
  return entry and (string.sub(entry, 9) == key(member) or is_far(entry))
end

-- Whether something newer than this origin is known. While it is not known which messages were taken back, only a later request takes
-- one back.
local function over(old, origin)
  return recalled and old and lower(origin, said(old))
end

-- Whether a copy of the message that was requested there acts.
local function lives(old, origin)
  return recalled and not over(old, origin) or old and said(old) == origin
end

-- Whether a message that replaces a far one acts; it was requested at this offset.
local function replaces(old, named, offset, told)
  if old and said(old) == offset then return true end
  if recalled and not told then return false end
  return old and said(old) == named and is_far(old) or recalled and (not old or lower(said(old), named))
end

local size = {S = 3, c = 3, R = 4, r = 4, A = 6, X = 3, F = 1, K = 1, H = 2, f = 4, g = 4, W = 5, N = 4}

local acts = true
local i = 5
while i <= #ARGV do
  local op, member, id = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  if op == 'X' or op == 'f' or op == 'g' or op == 'W' or op == 'N' then
    id = member
  elseif op == 's' or op == 'F' or op == 'H' or op == 'K' then
    id = nil
  end
  local old = id and redis.call('HGET', ids, id)
  if old and not sound(old) then
    return {'CORRUPT', 'an id stands for no offset'}
  end
  local stands = old and find(string.sub(old, 9)) -- the pending message of that id
  if stands and id_of(stands) ~= id then
    return {'CORRUPT', 'an id stands for a message of another id'}
  end
  if not acts then
    acts = true
  elseif op == 'W' then
    local named, offset = ARGV[i + 2], ARGV[i + 3]
    acts = replaces(old, named, offset, ARGV[i + 4] == '1')
    if not acts and replaces(old, named, offset, true) then
      name(id, named, mark(named), stands, old)
    end
  elseif op == 'F' then
    -- When Redis is full, a script can add data only after a command that could have freed memory. This is such a command.
    redis.call('ZREMRANGEBYLEX', pending, '+', '-')
  elseif op == 's' then
    local last = i + 1 + 2 * ARGV[i + 1]
    -- The results of unpack must fit on a stack.
    for from = i + 2, last, 512 do
      redis.call('ZADD', pending, unpack(ARGV, from, math.min(from + 511, last)))
    end
  elseif op == 'S' or op == 'c' then
    local origin = string.sub(member, 7, 14)
    if not over(old, origin) then
      name(id, origin, member, stands, old)
      if op == 'S' then add(member) end
    end
  elseif op == 'f' then
    if not over(old, ARGV[i + 2]) then
      -- Nothing before it has this origin, so the place of its copy is known if that was recalled.
      name_far(id, ARGV[i + 2], ARGV[i + 3], stands, old, recalled and ARGV[i + 3] == '' and NO_COPY or SOMEWHERE)
    end
  elseif op == 'g' then
    if lives(old, ARGV[i + 2]) then
      name_far(id, ARGV[i + 2], ARGV[i + 3], stands, old, SOMEWHERE)
    end
  elseif op == 'R' or op == 'r' then
    local origin = ARGV[i + 3]
    if lives(old, origin) then
      name(id, origin, member, stands, old)
      if op == 'R' then add(member) end
    end
  elseif op == 'H' then
    drop(find(key(member)))
    add(member)
  elseif op == 'A' then
    local named, suffix = ARGV[i + 3], ARGV[i + 4]
    local named_by_id = old and string.sub(old, 9) == named
    local there
    if named ~= '' then
      there = find(named)
      -- An ask cannot name a message that has an id without giving the id.
      if id == '' and there and is_named(there) or id ~= '' and not named_by_id then
        there = nil
      end
    end
    drop(there)
    if named_by_id and (there or suffix == '') then
      put(id, old, said(old) .. member)
    end
    if suffix ~= '' then
      add(member .. (there and string.sub(there, 15) .. suffix or ARGV[i + 5]))
    end
  elseif op == 'X' then
    if recalled then
      if not over(old, ARGV[i + 2]) then
        name(id, ARGV[i + 2], mark(ARGV[i + 2]), stands, old)
      end
    elseif old then
      drop(stands)
      put(id, old, nil)
    end
  elseif op == 'N' then
    list(id, ARGV[i + 2], ARGV[i + 3])
  elseif op ~= 'K' then
    return redis.error_reply('ERR unknown entry ' .. tostring(op))
  end
  i = i + (op == 's' and 2 + 2 * ARGV[i + 1] or size[op])
end

next = ARGV[3]
note(ARGV[4])
if absent then
  redis.call('HSET', meta, 'owner', ARGV[4])
end
return {'OK', next, count}
