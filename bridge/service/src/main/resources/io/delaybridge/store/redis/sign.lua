-- KEYS: signs of the processes of a group. ARGV: process, its sign. Returns process, sign and so on, for all processes.
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return redis.call('HGETALL', KEYS[1])
