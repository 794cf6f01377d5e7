-- ARGV: prefix, id, the most bytes.
-- Returns the value, nothing, or 0 for a value that is no view.
local name = ARGV[1] .. ARGV[2]
local kind = redis.call('TYPE', name)['ok']
if kind == 'none' then forget(ARGV[2]) return false end
if kind ~= 'string' or redis.call('STRLEN', name) > tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], redis.call('INCR', KEYS[3]), ARGV[2])
return redis.call('GET', name)
