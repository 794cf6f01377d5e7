-- ARGV: prefix, id, value, its lifetime in ms or "", its facts, the most entries, the most bytes.
local id, milliseconds = ARGV[2], ARGV[4]
if milliseconds == '' then redis.call('SET', ARGV[1] .. id, ARGV[3])
else redis.call('SET', ARGV[1] .. id, ARGV[3], 'PX', milliseconds) end
redis.call('HSET', KEYS[2], id, ARGV[5])
redis.call('ZADD', KEYS[1], redis.call('INCR', KEYS[3]), id)
local ids, bytes = living(), 0
for _, each in ipairs(ids) do bytes = bytes + facts_of(each) end
local count = #ids
for _, each in ipairs(ids) do
  if each == id or (count <= tonumber(ARGV[6]) and bytes <= tonumber(ARGV[7])) then break end
  bytes, count = bytes - facts_of(each), count - 1
  forget(each)
end
return 1
