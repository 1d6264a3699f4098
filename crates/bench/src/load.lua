-- The load: each thread sends the bodies of a file of its own, each once, or asks the same thing
-- again and again. What came of it goes to the output as JSON.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
  thread:set("id", #threads)
end

-- Arguments: the folder of the bodies, or "-"; the mean pause before a request in milliseconds.
function init(args)
  exhausted = false
  local folder, pause = args[1], tonumber(args[2])
  if folder ~= "-" then
    local headers = { ["content-type"] = "application/json", ["connection"] = "keep-alive" }
    local next_line = io.lines(folder .. "/" .. id .. ".txt")
    request = function()
      local line = next_line()
      if not line then
        exhausted = true
        next_line = io.lines(folder .. "/" .. id .. ".txt")
        line = next_line()
      end
      return wrk.format("POST", nil, headers, line)
    end
  end
  if pause > 0 then
    math.randomseed(id)
    -- Buyers come independently of each other.
    delay = function() return math.floor(-pause * math.log(1 - math.random()) + 0.5) end
  end
end

function done(summary, latency, requests)
  local errors = summary.errors
  local is_exhausted = false
  for _, thread in ipairs(threads) do
    is_exhausted = is_exhausted or thread:get("exhausted")
  end
  io.write(string.format(
    '\n{"requests": %d, "microseconds": %d, "errors": %d, "exhausted": %s, "p50": %d, "p99": %d}\n',
    summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    tostring(is_exhausted), latency:percentile(50), latency:percentile(99)))
end
