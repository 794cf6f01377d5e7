"""What a Redis server does for us in one step each, in its own language.

The views of a namespace are strings; beside them are ``used``, which orders their ids by use,
``facts``, which has the size and the tool of each, and ``count``, the clock of that order. A view
that the server let go by itself, because its time was over or memory was short, leaves its id
behind, and is forgotten when somebody comes by.
"""

from typing import Final

_LIVING: Final = """
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
"""
"""KEYS: used, facts, count. ARGV: what the names of views begin with, and more."""

FIND: Final = (
    _LIVING
    + """
local name = ARGV[1] .. ARGV[2]
local kind = redis.call('TYPE', name)['ok']
if kind == 'none' then forget(ARGV[2]) return false end
if kind ~= 'string' or redis.call('STRLEN', name) > tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], redis.call('INCR', KEYS[3]), ARGV[2])
return redis.call('GET', name)
"""
)
"""ARGV: prefix, id, the most bytes. Returns the value, nothing, or 0 for what can be no view."""

KEEP: Final = (
    _LIVING
    + """
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
"""
)
"""ARGV: prefix, id, value, its milliseconds or "", its facts, the most entries, the most bytes."""

FORGET: Final = (
    _LIVING
    + """
local count = 0
for _, id in ipairs(living()) do
  local _, tool = facts_of(id)
  if ARGV[2] == '' or ARGV[2] == tool or ARGV[2] == id then count = count + forget(id) end
end
return count
"""
)
"""ARGV: prefix, the hash of a tool, or an id, or "" for all. Returns how many there were."""

SIZES: Final = (
    _LIVING
    + """
local ids, bytes = living(), 0
for _, id in ipairs(ids) do bytes = bytes + facts_of(id) end
return {#ids, bytes}
"""
)
"""ARGV: prefix. Returns how many views there are, and how large they are together."""

READ: Final = """
local kind = redis.call('TYPE', KEYS[1])['ok']
if kind == 'none' then return false end
if kind ~= 'string' or redis.call('STRLEN', KEYS[1]) > tonumber(ARGV[1]) then return 0 end
return redis.call('GET', KEYS[1])
"""
"""KEYS: a name. ARGV: the most bytes. Returns the value, nothing, or 0 for what is too much or no string."""

PROLONG: Final = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
"""
"""KEYS: a lock. ARGV: whose it should be, its milliseconds from now. Returns whether it is."""

RELEASE: Final = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
"""
"""KEYS: a lock. ARGV: whose it should be. Returns whether it was."""
