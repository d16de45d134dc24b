-- ARGV: due, offset. Answers the member that has this key, or nothing.
local _, member = find(ARGV[1], ARGV[2])
return {member}
