// Lua scripts for wrk, for requests that differ from each other.

/** Requests every page of 50 of a catalog in turn, no page right after its neighbor. */
export function otherPages(token: string, products: number): string {
  return `
    local turn = 0
    request = function()
      turn = turn + 7
      local page = 1 + turn % ${Math.floor(products / 50)}
      return wrk.format("GET", "/v1/products.json?access_token=${token}&page=" .. page)
    end`;
}

/** Retrieves one variation after the other. */
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
