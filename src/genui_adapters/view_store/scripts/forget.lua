-- ARGV: prefix; the hash of a tool, an id, or "" for all.
-- Returns how many views there were.
local count = 0
for _, id in ipairs(living()) do
  local _, tool = facts_of(id)
  if ARGV[2] == '' or ARGV[2] == tool or ARGV[2] == id then count = count + forget(id) end
end
return count
