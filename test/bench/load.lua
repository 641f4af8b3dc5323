-- What wrk sends, and what it prints at the end: one line of JSON as load.mjs prints it.
-- Arguments: the number of the first request, the expected status, method, headers as "name: value" lines, bodies …

local only

function setup(thread)
  only = thread
end

function init(args)
  next, expected, method, headers, bodies, count, wrong = tonumber(args[1]), tonumber(args[2]), args[3], {}, {}, 0, 0
  for name, value in args[4]:gmatch("([^:\n]+): ([^\n]+)") do headers[name] = value end
  for at = 5, #args do table.insert(bodies, args[at]) end
end

-- $n never repeats; $p is one of a thousand returning people.
function request()
  next = next + 1
  local body = bodies[next % math.max(1, #bodies) + 1]
  if body then
    body = body:gsub("%$n", string.format("%07d", next)):gsub("%$p", string.format("%07d", next % 1000))
  end
  return wrk.format(method, nil, headers, body)
end

function response(status)
  count = count + 1
  if status ~= expected then wrong = wrong + 1 end
end

function done(_, latency)
  io.write(string.format('{"count":%d,"wrong":%d,"next":%d,"p50":%f,"p99":%f,"max":%f}\n',
    only:get("count"), only:get("wrong"), only:get("next"),
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000))
end
