-- ARGV: prefix.
-- Returns the number of views and the sum of their bytes.
local ids, bytes = living(), 0
for _, id in ipairs(ids) do bytes = bytes + facts_of(id) end
return {#ids, bytes}
