-- KEYS: a lock.
-- ARGV: its holder, its milliseconds from now.
-- Returns whether the holder has it.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
