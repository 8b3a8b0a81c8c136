/** How much of a host a rule takes, held against rules that run. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateRule, type Stars } from '../../../../../src/features/routes/proxy/shadow/reach.ts'
import type { Reach } from '../../../../../src/features/routes/proxy/shadow/host-pattern.ts'
import { hostPattern } from '../../../../../src/features/routes/proxy/shadow/host-pattern.ts'
import { goRegexp } from '../../../../fakes/traefik/go-regexp.ts'
import { compileRule } from '../../../../fakes/traefik/rules/compile.ts'
import { HTTP_MATCHERS } from '../../../../fakes/traefik/rules/matchers.ts'
import { runs } from '../../../../kit/tier.ts'

const NEWEST: Stars = { one_label: true, any_host: true }
const reach = (rule: string, host = 'app.example.com', stars = NEWEST): Reach =>
  evaluateRule('http', rule, stars).reachOver(host)

describe('one host', () => {
  it.each<[string, Reach]>([
    ['Host(`app.example.com`)', 'all'],
    ['Host("APP.example.com.")', 'all'],
    ['host(`app.example.com`)', 'all'],
    ['Host(`other.example.com`)', 'none'],
    ['Host(`*.example.com`)', 'all'],
    ['Host(`*`)', 'all'],
    ['Host(`*.app.example.com`)', 'none'],
    ['Host(`other.example.com`) || Host(`app.example.com`)', 'all'],
    ['Host(`other.example.com`, `app.example.com`)', 'all'],
    ['Host(`app.example.com`) && PathPrefix(`/`)', 'all'],
    ['PathPrefix(`/`)', 'all'],
    ['Host(`app.example.com`) && PathRegexp(`.*`)', 'all'],
    ['Host(`app.example.com`) && PathRegexp(`^/`)', 'all'],
    ['Host(`app.example.com`) && PathRegexp(`^/.*$`)', 'all'],
    ['Host(`app.example.com`) && PathRegexp(`.+`)', 'all'],
    ['Host(`app.example.com`) && PathRegexp(`^/(.*)$`)', 'all'],
    ['Host(`app.example.com`) && PathRegexp(`^/.+$`)', 'some'],
    ['Host(`app.example.com`) && (PathPrefix(`/a`) || !PathPrefix(`/a`))', 'all'],
    ['PathPrefix(`/a`) || (Method(`GET`) || !PathPrefix(`/a`))', 'all'],
    ['PathPrefix(`/a`) || !PathPrefix(`/b`)', 'some'],
    ['PathPrefix(`/a`) || !(PathPrefix(`/a`) && Method(`GET`))', 'all'],
    ['PathPrefix(`/a`) && !PathPrefix(`/a`)', 'none'],
    ['!(PathPrefix(`/a`) && !PathPrefix(`/a`))', 'all'],
    ['Host(`app.example.com`) && (ClientIP(`0.0.0.0/0`) || ClientIP(`::/0`))', 'all'],
    ['Host(`app.example.com`) && ClientIP(`0.0.0.0/0`, `::/0`)', 'all'],
    ['Host(`app.example.com`) && ClientIP(`0.0.0.0/0`)', 'some'],
    ['Host(`other.example.com`) && (ClientIP(`0.0.0.0/0`) || ClientIP(`::/0`))', 'none'],
    ['!ClientIP(`0.0.0.0/0`) && !ClientIP(`::/0`)', 'none'],
    ['ClientIP(`10.0.0.0/8`) || ClientIP(`::/0`)', 'some'],
    ['Host(`app.example.com`) && !PathRegexp(`^/`)', 'none'],
    ['Host(`app.example.com`) && PathRegexp(`^/$`)', 'some'],
    ['Host(`app.example.com`) && PathRegexp(`^$`)', 'some'],
    ['Host(`app.example.com`) && PathRegexp(`^/a`)', 'some'],
    ['Host(`app.example.com`) && PathPrefix(`/api`)', 'some'],
    ['Host(`app.example.com`) && !Path(`/x`)', 'some'],
    ['PathPrefix(`/api`)', 'some'],
    ['Host(`app.example.com`) && Header(`A`, `b`)', 'some'],
    ['Host(`other.example.com`) && PathPrefix(`/api`)', 'none'],
    ['!Host(`other.example.com`)', 'all'],
    ['!Host(`app.example.com`)', 'none'],
    ['HostRegexp(`.+`)', 'all'],
    ['HostRegexp(`^.+$`)', 'all'],
    ['HostRegexp(`^[a-z]+\\.example\\.com$`)', 'all'],
    ['HostRegexp(`^(www|app)[.]example[.]com$`)', 'all'],
    ['HostRegexp(`^[0-9]+\\.example\\.com$`)', 'none'],
    ['HostRegexp(`^(a+)+$`)', 'unjudged'],
    ['HostRegexp(`{sub:.+}.example.com`)', 'unjudged'],
    ['HostRegexp(`^\\pL+$`) && Path(`/x`)', 'some'],
    ['HostRegexp(`^\\pL+$`) && Host(`other.example.com`)', 'none'],
    ['Host(`app.example.com', 'unjudged'],
    ['Host(`app.example.com`) // && Path(`/x`)', 'all'],
  ])('%s takes %s of it', (rule, expected) => {
    expect(reach(rule)).toBe(expected)
  })

  it.each<[string, Stars, Reach]>([
    ['Host(`*.example.com`)', { one_label: false, any_host: false }, 'none'],
    ['Host(`*.example.com`)', { one_label: null, any_host: null }, 'unjudged'],
    ['Host(`*`)', { one_label: true, any_host: false }, 'none'],
    ['Host(`*`)', { one_label: true, any_host: null }, 'unjudged'],
  ])('a star depends on the version: %s with %j', (rule, stars, expected) => {
    expect(reach(rule, 'app.example.com', stars)).toBe(expected)
  })
})

describe('all names that a star stands for', () => {
  it.each<[string, Reach]>([
    ['Host(`*.example.com`)', 'all'],
    ['Host(`app.example.com`)', 'some'],
    ['Host(`a.b.example.com`)', 'none'],
    ['Host(`example.com`)', 'none'],
    ['Host(`*.b.example.com`)', 'none'],
    ['HostRegexp(`^.+$`)', 'all'],
    ['HostRegexp(`^[a-z0-9-]+\\.example\\.com$`)', 'all'],
    ['HostRegexp(`^.+\\.example\\.com$`)', 'all'],
    ['HostRegexp(`^[^.]+[.]example[.]com$`)', 'all'],
    ['HostRegexp(`example\\.com$`)', 'all'],
    ['HostRegexp(`^[a-z]+\\.example\\.com$`)', 'unjudged'],
    ['HostRegexp(`^app\\.example\\.com$`)', 'unjudged'],
    ['HostRegexp(`^[a-z]+\\.other\\.com$`)', 'none'],
  ])('%s takes %s of them', (rule, expected) => {
    expect(reach(rule, '*.example.com')).toBe(expected)
  })
})

const LABELS = ['a', 'app', 'www', '0', 'x-y'] as const
const HOSTS = ['app.example.com', 'a.example.com', '*.example.com', 'example.com', '0.app.example.com']
const names = fc.constantFrom(...HOSTS, '*.app.example.com', 'APP.example.com.', '*')
const atom = fc.constantFrom(
  'a',
  'p',
  'example',
  '\\.',
  '[.]',
  '.',
  '[a-z]',
  '[a-z0-9-]',
  '[^.]',
  '\\d',
  'com',
)
const piece = fc
  .tuple(atom, fc.constantFrom('', '', '?', '*', '+'))
  .map(([one, many]) => (one.length > 2 && /^[a-z]/.test(one) ? one : one + many))
const line = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''))
const patterns = fc
  .tuple(fc.constantFrom('', '^'), line, fc.option(fc.tuple(line, line)), line, fc.constantFrom('', '$'))
  .map(([from, before, choice, after, to]) =>
    [from, before, choice === null ? '' : `(${choice[0]}|${choice[1]})`, after, to].join(''),
  )
const matchers = fc.oneof(
  names.map((name) => `Host(\`${name}\`)`),
  patterns.map((pattern) => `HostRegexp(\`${pattern}\`)`),
  fc.constantFrom('PathPrefix(`/`)', 'Path(`/x`)', 'PathPrefix(`/api`)', 'Method(`GET`)', 'Header(`A`, `b`)'),
  fc.constantFrom('ClientIP(`0.0.0.0/0`)', 'ClientIP(`::/0`)', 'PathRegexp(`.+`)', 'PathRegexp(`^/(.*)$`)'),
)
const { rule } = fc.letrec<{ rule: string }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 3 },
    matchers,
    tie('rule').map((one) => `!(${one})`),
    fc.tuple(tie('rule'), tie('rule')).map(([a, b]) => `(${a}) && (${b})`),
    fc.tuple(tie('rule'), tie('rule')).map(([a, b]) => `(${a}) || (${b})`),
  ),
}))
const request = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  path: fc.constantFrom('/', '/x', '/api/y'),
  label: fc.constantFrom(...LABELS),
  header: fc.boolean(),
})
const hostFor = (host: string, label: string): string =>
  host.startsWith('*.') ? label + host.slice(1) : host

describe('what is certain', () => {
  it('all takes every request, none takes none', () => {
    fc.assert(
      fc.property(rule, fc.constantFrom(...HOSTS), request, (text, host, asked) => {
        const said = reach(text, host)
        if (said !== 'all' && said !== 'none') return
        const is_taken = compileRule(
          text,
          HTTP_MATCHERS,
        )({
          method: asked.method,
          path: asked.path,
          host: hostFor(host, asked.label),
          query: new URLSearchParams(),
          headers: asked.header ? { a: ['b'] } : {},
          address: '10.0.0.1',
        })
        expect(is_taken, `${text} over ${host}`).toBe(said === 'all')
      }),
      { numRuns: runs(50_000) },
    )
  })

  it('a pattern of the grammar is judged as it runs', () => {
    fc.assert(
      fc.property(
        patterns,
        fc.constantFrom(...HOSTS.filter((host) => !host.startsWith('*'))),
        (text, host) => {
          expect(hostPattern(text)(host)).toBe(goRegexp(text).test(host) ? 'all' : 'none')
        },
      ),
      { numRuns: runs(50_000) },
    )
  })

  it('names are all that a rule can touch', () => {
    fc.assert(
      fc.property(rule, fc.constantFrom(...HOSTS), (text, host) => {
        const judged = evaluateRule('http', text, NEWEST)
        if (judged.names === null || judged.reachOver(host) === 'none') return
        const touched = judged.names.some((name) => reach(`Host(\`${name}\`)`, host) !== 'none')
        expect(touched, `${text} over ${host}`).toBe(true)
      }),
      { numRuns: runs(20_000) },
    )
  })

  it.each([
    '(.|.)'.repeat(6) + '.*'.repeat(480),
    `${'(.|.)'.repeat(6)}${'.*'.repeat(100)}[q]x?`,
    '(a|b)?'.repeat(6) + '.+'.repeat(200),
  ])('a pattern that spells thousands of places out is not judged: %s', (text) => {
    expect(hostPattern(text)('app.example.com')).toBe('unjudged')
  })

  it('what a rule has more of than can be followed at once is not judged, and told from none', () => {
    const hard = `HostRegexp(\`${'(.|.)'.repeat(5)}${'.*'.repeat(27)}[q]x?\`)`
    expect(reach(hard)).toBe('none')
    const rule = Array.from({ length: 40 }, () => hard).join(' || ')
    expect(reach(rule)).toBe('unjudged')
    expect(reach(`${rule} || Host(\`app.example.com\`)`)).toBe('all')
    expect(reach(`(${rule}) && Host(\`other.example.com\`)`)).toBe('none')
  })

  it('no text of anybody’s takes long, and none throws', () => {
    for (const text of [
      '.+'.repeat(400),
      '(a|b)'.repeat(100),
      `${'('.repeat(50)}a`,
      '[',
      '(?P<a>b)',
      'a{1,9}',
    ])
      expect(['all', 'none', 'unjudged']).toContain(hostPattern(text)(`${'a'.repeat(60)}.example.com`))
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...HOSTS), (text, host) => {
        expect(['all', 'none', 'unjudged']).toContain(hostPattern(text)(host))
        expect(['all', 'some', 'none', 'unjudged']).toContain(reach(text, host))
      }),
    )
  })
})
