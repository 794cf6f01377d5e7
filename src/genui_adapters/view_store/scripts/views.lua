-- The start of each script about views.
-- KEYS: used, facts, count.
-- ARGV: the prefix of views' names.
local function forget(id)
  redis.call('ZREM', KEYS[1], id)
  redis.call('HDEL', KEYS[2], id)
  return redis.call('DEL', ARGV[1] .. id)
end
local function living()
  local ids = {}
  for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    if redis.call('EXISTS', ARGV[1] .. id) == 1 then ids[#ids + 1] = id else forget(id) end
  end
  return ids
end
local function facts_of(id)
  local size, tool = string.match(redis.call('HGET', KEYS[2], id) or '', '^(%d+) (%x+)$')
  return tonumber(size) or 0, tool
end
