/** Rules and patterns: exactly one host, whatever its name holds, and exactly its bare root. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { quote } from '../../../../src/kernel/text/quoted.ts'
import { parseDomainName } from '../../../../src/model/domain/hostname.ts'
import {
  bareRootPattern,
  hostRule,
  openRuleText,
  partRule,
  sniRule,
} from '../../../../src/features/routes/render/rules.ts'
import type { Version } from '../../../../src/features/routes/render/settings.ts'
import { compileRule } from '../../../fakes/traefik/rules/compile.ts'
import { HTTP_MATCHERS } from '../../../fakes/traefik/rules/matchers.ts'
import { HOSTILE_STRINGS } from '../../../model/hostile.ts'
import { runs } from '../../../kit/tier.ts'

const OLD: Version = [3, 6, 99]
const NEW: Version = [3, 7, 0]
/** As it comes back from the scalar that the file holds. */
const read = (rule: string): string => parse(quote(rule)) as string

describe('a rule', () => {
  it.each<[string, string, string]>([
    ['a plain host', hostRule('app.example.com', OLD), 'Host("app.example.com")'],
    ['a wildcard before 3.7', hostRule('*.example.com', OLD), 'HostRegexp("^[a-z0-9-]+[.]example[.]com$")'],
    ['a wildcard since 3.7', hostRule('*.example.com', NEW), 'Host("*.example.com")'],
    ['a wildcard in a later major version', hostRule('*.example.com', [4, 0, 0]), 'Host("*.example.com")'],
    ['a TLS name', sniRule('db.example.com', OLD), 'HostSNI("db.example.com")'],
    ['a TLS wildcard before 3.7', sniRule('*.a.io', OLD), 'HostSNIRegexp("^[a-z0-9-]+[.]a[.]io$")'],
    ['a TLS wildcard since 3.7', sniRule('*.a.io', NEW), 'HostSNI("*.a.io")'],
    ['everything on a TCP entrypoint', sniRule(null, NEW), 'HostSNI("*")'],
    [
      'documents of a host',
      partRule('a.io', 'document', OLD),
      'Host("a.io") && (Path("/") || PathRegexp("[.]html$"))',
    ],
    [
      'one open path',
      openRuleText({ domain: 'a.io', paths: ['/a.b'], part: null }, OLD),
      'Host("a.io") && PathRegexp("^/a[.]b$")',
    ],
  ])('for %s is one literal', (_title, said, rule) => {
    expect(read(said)).toBe(rule)
  })

  it.each(HOSTILE_STRINGS.map((text) => [JSON.stringify(text.slice(0, 40)), text]))(
    'stays one matcher even for %s, which the grammar refuses long before',
    (_title, text) => {
      for (const version of [OLD, NEW]) {
        const rule = read(hostRule(text, version))
        expect(rule).toMatch(/^Host(?:Regexp)?\("(?:[^"\\]|\\(?:["\\]|u[0-9a-f]{4}|U[0-9a-f]{8}))*"\)$/)
      }
    },
  )

  it('names exactly the host that was accepted, for 20,000 random names', () => {
    const odd = fc.constantFrom(
      '`',
      '"',
      '\\',
      ')',
      '|',
      '*',
      '.',
      '-',
      '_',
      '/',
      ' ',
      '\u0000',
      'ß',
      '。',
      '{',
      'xn--',
    )
    const name = fc
      .array(fc.oneof({ weight: 4, arbitrary: fc.stringMatching(/^[a-z0-9]{1,6}$/) }, odd), { maxLength: 6 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.tuple(name, name), ([host, zone]) => {
        const parsed = parseDomainName(`${host}.${zone}`)
        if (parsed.ok) expect(read(hostRule(parsed.value, NEW))).toBe(`Host("${parsed.value}")`)
      }),
      { numRuns: runs(20_000) },
    )
  })
})

describe('the pattern of a bare root', () => {
  // RE2's inline flag is JavaScript's outer one; the rest of the pattern means the same to both.
  const matches = (domain: string, url: string): string | null => {
    const pattern = read(bareRootPattern(domain))
    expect(pattern.startsWith('(?i)^')).toBe(true)
    return new RegExp(pattern.slice(4), 'i').exec(url)?.[1] ?? null
  }

  it.each([
    ['app.example.com', 'https://app.example.com/', 'https://app.example.com'],
    ['app.example.com', 'http://app.example.com:8080/', 'http://app.example.com:8080'],
    ['app.example.com', 'https://APP.Example.com/', 'https://APP.Example.com'],
    ['app.example.com', 'https://app.example.com./', 'https://app.example.com.'],
    ['*.example.com', 'https://x-1.example.com/', 'https://x-1.example.com'],
  ])('of %s matches %s', (domain, url, before) => {
    expect(matches(domain, url)).toBe(before)
  })

  it.each([
    ['app.example.com', 'https://app.example.com/x'],
    ['app.example.com', 'https://app.example.com/?next=/'],
    ['app.example.com', 'https://app.example.com//'],
    ['app.example.com', 'https://appXexample.com/'],
    ['app.example.com', 'https://app.example.com.evil.test/'],
    ['app.example.com', 'https://evil.test/https://app.example.com/'],
    ['app.example.com', 'https://evil.test?https://app.example.com/'],
    ['app.example.com', 'https://app.example.com:80@evil.test/'],
    ['app.example.com', 'ftp://app.example.com/'],
    ['*.example.com', 'https://example.com/'],
    ['*.example.com', 'https://a.b.example.com/'],
    ['*.example.com', 'https://evil.test/a.example.com/'],
  ])('of %s does not match %s', (domain, url) => {
    expect(matches(domain, url)).toBeNull()
  })
})

/** As Traefik matches: the rule says it, and a path alone is looked at. */
const isPart = (part: 'assets' | 'document', path: string): boolean =>
  compileRule(
    read(partRule('a.io', part, NEW)),
    HTTP_MATCHERS,
  )({
    method: 'GET',
    host: 'a.io',
    path,
    query: new URLSearchParams(),
    headers: {},
    address: '10.0.0.1',
  })

describe('the parts of a single-page application', () => {
  it.each([
    '/assets/index-B3kR9x_a.js',
    '/assets/index-4f9AbCdE.css',
    '/static/js/main.3f2a1b9c.chunk.js',
    '/main-0123456789abcdef.js',
    '/_next/static/chunks/123-0123456789abcdef.js',
    '/static/media/logo.5d5d9eefa31e5e13a6610d9fa7a283bb.svg',
    '/fonts/inter-3f2a1b9c.woff2',
  ])('%s is named by its content', (path) => {
    expect([isPart('assets', path), isPart('document', path)]).toEqual([true, false])
  })

  it.each([
    '/assets/app.js',
    '/assets/app-settings.js',
    '/assets/my-document.js',
    '/assets/Readme-Overview.js',
    '/assets/v-12345678x.js',
    '/assets/users-0123456789abcdef',
    '/api/users-0123456789abcdef.json',
    '/assets/index-B3kR9x_a.js/x',
    '/static/logo.svg',
    '/assets/deadbeef/app.js',
    '/settings',
    '/api',
  ])('%s is neither a document nor named by its content', (path) => {
    expect([isPart('assets', path), isPart('document', path)]).toEqual([false, false])
  })

  it.each(['/', '/index.html', '/a/b.html'])('%s is a document', (path) => {
    expect([isPart('assets', path), isPart('document', path)]).toEqual([false, true])
  })
})
