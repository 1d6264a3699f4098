-- The script of the load generator. The results are printed as JSON.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
  thread:set("id", #threads)
end

-- Arguments: the mean pause before a request in milliseconds, and the bodies of POST requests: one for all, or a directory
-- with a file for each thread, whose lines are sent once each. Without, the requests are GET.
-- NUMBER in the path or in the body is another number each time.
function init(args)
  exhausted = false
  local pause, body = tonumber(args[1]), args[2]
  local number = id * 1000000
  local function fill(text)
    number = number + 1
    return (text:gsub("NUMBER", number))
  end
  local headers = { ["content-type"] = "application/json", ["connection"] = "keep-alive" }
  if body and body:sub(1, 1) == "/" then
    local lines = io.lines(body .. "/" .. id .. ".txt")
    request = function()
      local line = lines()
      if not line then
        exhausted = true
        lines = io.lines(body .. "/" .. id .. ".txt")
        line = lines()
      end
      return wrk.format("POST", nil, headers, line)
    end
  elseif body then
    request = function() return wrk.format("POST", nil, headers, fill(body)) end
  elseif wrk.path:find("NUMBER") then
    request = function() return wrk.format("GET", fill(wrk.path)) end
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
    '\n{"requests": %d, "seconds": %f, "errors": %d, "exhausted": %s, "p50": %f, "p99": %f}\n',
    summary.requests, summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    tostring(is_exhausted), latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
