/** Rules as the real proxy reads them; each case names the line of the reference that it stands for. */
import { describe, expect, it } from 'vitest'
import { compileRule, rulePriority } from './rules/compile.ts'
import { canonicalHost } from './rules/host.ts'
import { HTTP_MATCHERS, type RequestFacts } from './rules/matchers.ts'
import { TCP_MATCHERS } from './rules/tcp-matchers.ts'

interface Sent {
  readonly host?: string
  readonly url?: string
  readonly method?: string
  readonly headers?: RequestFacts['headers']
  readonly address?: string
}

function facts({ host = 'a.example', url = '/', method = 'GET', headers = {}, address }: Sent): RequestFacts {
  const [path = '', query] = url.split('?')
  return {
    method,
    host: canonicalHost(host),
    path,
    query: new URLSearchParams(query),
    headers,
    address: address ?? '127.0.0.1',
  }
}
const isFor = (rule: string, sent: Sent): boolean => compileRule(rule, HTTP_MATCHERS)(facts(sent))
const refused = (rule: string): string => {
  try {
    compileRule(rule, HTTP_MATCHERS)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('§3 the grammar is that of a Go expression', () => {
  it.each([
    ['backticks', 'Host(`a.example`)', true],
    ['double quotes with Go’s escapes', 'Host("\\u0061.example")', true],
    ['&& before ||', 'Host(`a.example`) || Host(`b.example`) && Path(`/no`)', true],
    ['parentheses', '(Host(`a.example`) || Host(`b.example`)) && Path(`/no`)', false],
    ['not', '!Host(`b.example`) && !(Path(`/no`))', true],
    ['a newline after an operator', 'Host(`a.example`) ||\n Path(`/no`)', true],
    ['a comment hides the rest', 'Host(`a.example`) // && Path(`/no`)', true],
    ['a comment in between', 'Host(`a.example`) /* && Path(`/no`) */', true],
    ['a backtick literal loses carriage returns', 'Host(`a.exa\rmple`)', true],
    ['names in lower, upper and title case', 'host(`x`) || HOST(`x`) || Hostregexp(`^a[.]`)', true],
  ])('%s', (_what, rule, holds) => expect(isFor(rule, {})).toBe(holds))

  it.each([
    ['a newline before an operator', 'Host(`a`)\n|| Host(`b`)'],
    ['single quotes', "Host('a')"],
    ['an escape that Go lacks', 'Host("a\\/b")'],
    ['half of a surrogate pair', 'Host("\\ud83e")'],
    ['an empty rule', ''],
    ['a matcher that it does not know', 'Hosts(`a`)'],
    ['another case of a name', 'hOst(`a`)'],
    ['a matcher without parentheses', 'Host'],
    ['an operator alone', 'Host(`a`) &&'],
  ])('%s is refused', (_what, rule) => expect(refused(rule)).toContain('error while parsing rule'))

  it.each([
    ['§1.3 several values in one matcher', 'Host(`a`, `b`)', 'unexpected number of parameters; got 2'],
    ['§1.3 Header takes two values', 'Header(`a`)', 'got 1, expected one of [2]'],
    ['a host that is not ASCII', 'Host(`bücher.example`)', 'non-ASCII characters are not allowed'],
    ['a path without a slash', 'Path(`a`)', `path "a" does not start with a '/'`],
    ['a bad expression', 'PathRegexp(`(`)', 'missing closing )'],
    ['an expression that RE2 lacks', 'HostRegexp(`(?=a)`)', 'unsupported Perl syntax'],
    ['a bad network', 'ClientIP(`10.0.0.0/99`)', 'invalid CIDR address: 10.0.0.0/99'],
  ])('%s is refused', (_what, rule, words) => {
    expect(refused(rule)).toContain('error while adding rule')
    expect(refused(rule)).toContain(words)
  })
})

describe('§3 Host()', () => {
  it.each([
    ['case does not count', 'Host(`A.Example`)', 'a.EXAMPLE', true],
    ['a port does not count', 'Host(`a.example`)', 'a.example:8443', true],
    ['a dot at the end of the request', 'Host(`a.example`)', 'a.example.', true],
    ['a dot at the end of the rule', 'Host(`a.example.`)', 'a.example', true],
    ['a star is one label', 'Host(`*.example`)', 'a.example', true],
    ['a star is not two', 'Host(`*.example`)', 'a.b.example', false],
    ['a star is not none', 'Host(`*.example`)', 'example', false],
    ['a bare star is any host since 3.7.7', 'Host(`*`)', 'a.b.example', true],
    ['a rule with a port never matches', 'Host(`a.example:443`)', 'a.example:443', false],
  ])('%s', (_what, rule, host, holds) => expect(isFor(rule, { host })).toBe(holds))

  it('HostRegexp is not anchored and sees the lower-case host', () =>
    expect(isFor('HostRegexp(`example`)', { host: 'A.EXAMPLE.evil' })).toBe(true))
})

describe('§13 paths are matched as they were sent', () => {
  it.each([
    ['an encoded slash is no slash', 'PathPrefix(`/admin/`)', '/admin%2fx', false],
    ['nor for Path', 'Path(`/a/b`)', '/a%2Fb', false],
    ['it stays encoded', 'Path(`/a%2Fb`)', '/a%2fb', true],
    ['an encoded question mark begins no query', 'Path(`/a%3Fb`)', '/a%3Fb', true],
    ['what needs no encoding is decoded', 'PathPrefix(`/admin`)', '/%61dmin', true],
    ['characters of several bytes are decoded', 'Path(`/ä`)', '/%c3%a4', true],
    ['the query is no part of it', 'Path(`/a`)', '/a?x=1', true],
  ])('%s', (_what, rule, url, holds) => expect(isFor(rule, { url })).toBe(holds))
})

describe('§3 the other matchers', () => {
  it.each([
    ['Method', 'Method(`post`)', { method: 'POST' }, true],
    ['Header', 'Header(`X-A`, `1`)', { headers: { 'x-a': ['0', '1'] } }, true],
    ['HeaderRegexp', 'HeaderRegexp(`X-A`, `^1`)', { headers: { 'x-a': ['01'] } }, false],
    ['Query with a value', 'Query(`a`, `1`)', { url: '/?a=0&a=1' }, true],
    ['Query without one', 'Query(`a`)', { url: '/?a' }, true],
    ['QueryRegexp', 'QueryRegexp(`a`, `^[0-9]$`)', { url: '/?a=x' }, false],
    ['ClientIP', 'ClientIP(`10.0.0.0/8`)', { address: '::ffff:10.1.2.3' }, true],
    ['ClientIP of another', 'ClientIP(`10.0.0.0/8`)', { address: '192.0.2.1' }, false],
    ['PathRegexp', 'PathRegexp(`(?i)^/A`)', { url: '/ab' }, true],
  ])('%s', (_what, rule, sent, holds) => expect(isFor(rule, sent)).toBe(holds))
})

it('§3 a rule is as important as it is long, in bytes', () => {
  expect(rulePriority('Host(`a`)')).toBe(9)
  expect(rulePriority('Path(`/ä`)')).toBe(11)
})

it('§3 HostSNI takes only what looks like a name, and a star for everything', () => {
  const server = { server_name: 'db.example', protocols: [], address: '127.0.0.1' }
  expect(compileRule('HostSNI(`DB.example`)', TCP_MATCHERS)(server)).toBe(true)
  expect(compileRule('HostSNI(`*`)', TCP_MATCHERS)({ ...server, server_name: '' })).toBe(true)
  expect(() => compileRule('HostSNI(`a b`)', TCP_MATCHERS)).toThrow('HostSNI matcher')
  expect(() => compileRule('ALPN(`acme-tls/1`)', TCP_MATCHERS)).toThrow('not allowed')
})
