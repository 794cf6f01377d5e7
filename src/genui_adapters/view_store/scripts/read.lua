-- KEYS: a name.
-- ARGV: the most bytes.
-- Returns the value, nothing, or 0 if it is too large or no text.
local kind = redis.call('TYPE', KEYS[1])['ok']
if kind == 'none' then return false end
if kind ~= 'string' or redis.call('STRLEN', KEYS[1]) > tonumber(ARGV[1]) then return 0 end
return redis.call('GET', KEYS[1])
