-- KEYS: signs of the processes of a group, so that all ask the same node. Returns seconds and microseconds, or nothing if
-- the user of this connection may not ask.
local time = redis.pcall('TIME')
return time.err and {} or time
