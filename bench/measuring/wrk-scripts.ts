// Lua scripts for wrk that vary the requests.

/** Requests all pages of 50 of a catalog in turn, without adjacent pages in succession. */
export function differentPages(token: string, products: number): string {
  return `
    local turn = 0
    request = function()
      turn = turn + 7
      local page = 1 + turn % ${Math.floor(products / 50)}
      return wrk.format("GET", "/v1/products.json?access_token=${token}&page=" .. page)
    end`;
}

/** Requests the first page, with one key after another. */
export function firstPages(tokens: readonly string[]): string {
  return `
    local tokens = {${tokens.map((token) => JSON.stringify(token)).join(', ')}}
    local turn = 0
    request = function()
      turn = turn + 1
      return wrk.format("GET", "/v1/products.json?access_token=" .. tokens[1 + turn % #tokens])
    end`;
}

export function retrievals(token: string, identifiers: readonly string[]): string {
  return `
    local identifiers = {${identifiers.map((identifier) => JSON.stringify(encodeURIComponent(identifier))).join(', ')}}
    local turn = 0
    request = function()
      turn = turn + 1
      local identifier = identifiers[1 + turn % #identifiers]
      return wrk.format("GET", "/v1/variations/retrieve.json?access_token=${token}&identifier=" .. identifier)
    end`;
}

/** A GET or, with a form, a POST. */
export interface ScriptedRequest {
  path: string;
  form?: string;
}

export function inTurn(requests: readonly ScriptedRequest[]): string {
  const entries = requests.map(({ path, form }) =>
    form === undefined ? `{${JSON.stringify(path)}}` : `{${JSON.stringify(path)}, ${JSON.stringify(form)}}`,
  );
  return `
    local requests = {${entries.join(', ')}}
    local form = {["Content-Type"] = "application/x-www-form-urlencoded"}
    local turn = 0
    request = function()
      turn = turn + 1
      local current = requests[1 + turn % #requests]
      if current[2] then return wrk.format("POST", current[1], form, current[2]) end
      return wrk.format("GET", current[1])
    end`;
}

/** Sends about `perSecond` requests in turn, as long as responses take much less time than the pauses. */
export function steadyRequests(
  requests: readonly ScriptedRequest[],
  { perSecond, connections }: { perSecond: number; connections: number },
): string {
  const meanPause = (1000 * connections) / perSecond;
  return `${inTurn(requests)}
    delay = function() return math.random(0, ${Math.round(2 * meanPause)}) end`;
}
