/** What the access policy may know of a request: plain data, as it stood on the wire, before any library made sense of it. */

export interface RequestFacts {
  /** As sent: `GET`. */
  readonly method: string
  /** As sent: `1.1`. */
  readonly http_version: string
  /** The request target as sent, path and query: `/api/domains?limit=2`. */
  readonly target: string
  /** Address of the TCP peer. Null when unknown, which counts as public. */
  readonly peer: string | null
  /** Every header line in order, names as sent, duplicates kept (Node's `rawHeaders`, in pairs). */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly has_body: boolean
}

/** Values of every line of a header, `name` in lower case. */
export const headerValues = (facts: RequestFacts, name: string): readonly string[] =>
  facts.headers
    .filter((line) => line[0].length === name.length && line[0].toLowerCase() === name)
    .map((line) => line[1])

/** The value of a header that is sent exactly once, else null. */
export function headerValue(facts: RequestFacts, name: string): string | null {
  const values = headerValues(facts, name)
  return values.length === 1 ? values[0]! : null
}

/** Safe methods change nothing (RFC 9110 §9.2.1). */
export const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** The target's path and query text; the query is empty when there is none. */
export function splitTarget(target: string): { path: string; query: string } {
  const mark = target.indexOf('?')
  return mark < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}
