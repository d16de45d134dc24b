-- Follows in scripts that remove the message that an id stands for.
-- Returns the id of a stored message. It is among the headers, field 3 of the message in Protobuf. The same bytes in a value mean
-- nothing.
local function id_of(member)
  local at = 16 -- behind the key and the version
  local function varint()
    local value, unit = 0, 1
    repeat
      local byte = string.byte(member, at) or 0
      at, value, unit = at + 1, value + byte % 128 * unit, unit * 128
    until byte < 128
    return value
  end
  while at <= #member do
    local tag = varint()
    local kind = tag % 8
    if kind == 2 then
      local length = varint()
      if tag == 26 and string.sub(member, at, at + 10) == '\n\8delay-id\18' then
        at = at + 11
        length = varint()
        return string.sub(member, at, at + length - 1)
      end
      at = at + length
    elseif kind == 0 then
      varint()
    else
      at = at + (kind == 5 and 4 or 8)
    end
  end
end
