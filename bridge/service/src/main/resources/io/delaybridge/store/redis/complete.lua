-- ARGV: topic, owner, least next. Marks the index complete: from now on a message that no id names is over, because every record that
-- could say otherwise was fed.
if recalled and owner == ARGV[2] and not below(next, ARGV[3]) then
  index = COMPLETE
  note(ARGV[2])
end
return {'OK', index == COMPLETE and 1 or 0}
