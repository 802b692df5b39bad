// Lua scripts for wrk that vary the requests.

/** Returns a script that requests all pages of 50 of a catalog in turn, without adjacent pages in succession. */
export function differentPages(token: string, products: number): string {
  return `
    local turn = 0
    request = function()
      turn = turn + 7
      local page = 1 + turn % ${Math.floor(products / 50)}
      return wrk.format("GET", "/v1/products.json?access_token=${token}&page=" .. page)
    end`;
}

/** Returns a script that retrieves one variation after another. */
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
