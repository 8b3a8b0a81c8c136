/** The matchers of HTTP rules: each takes its values and gives what holds for a request. */
import { addressList } from '../addresses.ts'
import { goRegexp } from '../go-regexp.ts'
import { hostMatcher, isAscii } from './host.ts'

/** What a rule may ask about. */
export interface RequestFacts {
  readonly method: string
  /** Lower case, without a port. */
  readonly host: string
  /** As it was sent, without the query: `%2F` is no slash. */
  readonly path: string
  readonly query: URLSearchParams
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
  /** Of the connection, whatever headers say. */
  readonly address: string
}

export type IsMatch<Facts> = (facts: Facts) => boolean
export interface Matcher<Facts> {
  readonly counts: readonly number[]
  /** @throws for a value that it does not take. */
  readonly build: (...values: readonly string[]) => IsMatch<Facts>
}
export type Matchers<Facts> = Readonly<Record<string, Matcher<Facts>>>

const ONE = [1]
const slashed = (path: string): string => {
  if (!path.startsWith('/')) throw new Error(`path "${path}" does not start with a '/'`)
  return path
}

export const HTTP_MATCHERS: Matchers<RequestFacts> = {
  Host: {
    counts: ONE,
    build: (value = '') => {
      const isHost = hostMatcher(value)
      return ({ host }) => isHost(host)
    },
  },
  HostRegexp: {
    counts: ONE,
    build: (source = '') => {
      if (!isAscii(source))
        throw new Error(
          `invalid value ${JSON.stringify(source)} for HostRegexp matcher, non-ASCII characters are not allowed`,
        )
      const pattern = compiled('HostRegexp', source)
      return ({ host }) => pattern.test(host)
    },
  },
  Path: {
    counts: ONE,
    build: (value = '') => {
      const path = slashed(value)
      return (facts) => routingPath(facts.path) === path
    },
  },
  PathPrefix: {
    counts: ONE,
    build: (value = '') => {
      const prefix = slashed(value)
      return ({ path }) => routingPath(path).startsWith(prefix)
    },
  },
  PathRegexp: {
    counts: ONE,
    build: (source = '') => {
      const pattern = compiled('PathPrefix', source)
      return ({ path }) => pattern.test(routingPath(path))
    },
  },
  Method: {
    counts: ONE,
    build: (value = '') => {
      const method = value.toUpperCase()
      return (facts) => facts.method === method
    },
  },
  Header: {
    counts: [2],
    build: (name = '', value = '') => {
      const key = name.toLowerCase()
      return ({ headers }) => headers[key]?.includes(value) ?? false
    },
  },
  HeaderRegexp: {
    counts: [2],
    build: (name = '', source = '') => {
      const [key, pattern] = [name.toLowerCase(), compiled('HeaderRegexp', source)]
      return ({ headers }) => headers[key]?.some((value) => pattern.test(value)) ?? false
    },
  },
  Query: {
    counts: [1, 2],
    build:
      (key = '', value = '') =>
      ({ query }) =>
        query.getAll(key).includes(value),
  },
  QueryRegexp: {
    counts: [1, 2],
    build: (key = '', source) => {
      if (source === undefined) return ({ query }) => query.getAll(key).includes('')
      const pattern = compiled('QueryRegexp', source)
      return ({ query }) => query.getAll(key).some((value) => pattern.test(value))
    },
  },
  ClientIP: {
    counts: ONE,
    build: (value = '') => {
      const isListed = listed(value)
      return ({ address }) => isListed(address)
    },
  },
}

export function listed(value: string): (address: string) => boolean {
  try {
    return addressList([value])
  } catch (error) {
    throw new Error(`initializing IP checker for ClientIP matcher: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

function compiled(matcher: string, source: string): RegExp {
  try {
    return goRegexp(source)
  } catch (error) {
    throw new Error(`compiling ${matcher} matcher: ${(error as Error).message}`, { cause: error })
  }
}

/** What is not reserved (RFC 3986 §2.2), by its hexadecimal digits: the reserved ones stay encoded for a rule. */
const ORDINARY = /(?:%(?!2[13-9abcf]|3[abdf]|40|5[bcd]|00)[0-9a-f]{2})+/gi

const routingPath = (path: string): string =>
  path.replaceAll(ORDINARY, decoded).replaceAll(/%[0-9a-f]{2}/gi, (one) => one.toUpperCase())

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
