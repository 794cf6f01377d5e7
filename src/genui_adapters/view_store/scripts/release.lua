-- KEYS: a lock.
-- ARGV: its holder.
-- Returns whether the holder had it.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
