-- The script of the load generator: each thread sends every body of its own file once, or GET requests.
-- The results are printed as JSON.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
  thread:set("id", #threads)
end

-- Arguments: "same" for one URL, "numbered" for URLs that end with different numbers, or the directory of the bodies; the mean pause before a request in milliseconds.
function init(args)
  exhausted = false
  local folder, pause = args[1], tonumber(args[2])
  if folder == "numbered" then
    local number = id * 1000000
    request = function()
      number = number + 1
      return wrk.format("GET", wrk.path .. number)
    end
  elseif folder ~= "same" then
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
    -- Exponentially distributed pauses, because buyers arrive independently.
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
