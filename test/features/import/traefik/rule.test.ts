/** Traefik's rule grammar, and which hosts a rule stands for. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostsOf, reachOf, wildcardOf } from '../../../../src/features/import/traefik/routers/hosts.ts'
import { HTTP_MATCHERS, parseRule, type Rule } from '../../../../src/features/routes/grammar/rule.ts'
import { runs } from '../../../kit/tier.ts'

/** The tree as a text with every parenthesis, so that a table can show it. */
function shown(rule: Rule): string {
  if (rule.kind === 'match')
    return `${rule.name}(${rule.values.map((value) => JSON.stringify(value)).join(',')})`
  if (rule.kind === 'not') return `!${shown(rule.of)}`
  return `(${rule.of.map(shown).join(rule.kind === 'any' ? ' || ' : ' && ')})`
}

const parse = (text: string) => parseRule(text, HTTP_MATCHERS)

describe('rules that parse', () => {
  test.each([
    ['Host(`a.b`)', 'Host("a.b")'],
    ['Host("a.b")', 'Host("a.b")'],
    ['host(`a.b`) || HOST(`c.d`)', '(Host("a.b") || Host("c.d"))'],
    ['Hostregexp(`x`)', 'HostRegexp("x")'],
    ['Host(`a`,`b`)', 'Host("a","b")'],
    ['Host(`a`, `b`,)', 'Host("a","b")'],
    ['Host(`a`) || Host(`b`) && Path(`/c`)', '(Host("a") || (Host("b") && Path("/c")))'],
    ['(Host(`a`) || Host(`b`)) && Path(`/c`)', '((Host("a") || Host("b")) && Path("/c"))'],
    ['!Host(`a`) && !(Path(`/b`))', '(!Host("a") && !Path("/b"))'],
    ['!!Host(`a`)', '!!Host("a")'],
    ['Host(`a`) ||\n  Host(`b`)\n', '(Host("a") || Host("b"))'],
    ['Host(`a`) // the rest is a comment', 'Host("a")'],
    ['Host(/* which? */ `a`)', 'Host("a")'],
    ['Host("\\u0061\\x2e\\142\\U00000063")', 'Host("a.bc")'],
    ['Host("\\"\\\\")', 'Host("\\"\\\\")'],
    ['Host(`a\r\nb`)', 'Host("a\\nb")'],
    ['  ( Host( `a` ) )  ', 'Host("a")'],
  ])('%s', (text, tree) => {
    const parsed = parse(text)
    expect(parsed.ok ? shown(parsed.rule) : parsed.reason).toBe(tree)
  })
})

describe('rules that do not', () => {
  test.each([
    ['', /a matcher is expected at character 1, not the end/],
    ['Host', /"\(" is expected/],
    ['Host()', /a quoted text is expected/],
    ["Host('a')", /character 6 starts neither/],
    ['Host(`a`', /"\)" is expected/],
    ['Host(`a', /starts neither/],
    ['Host(`a`) Host(`b`)', /the end is expected at character 11/],
    ['Host(`a`) ||', /a matcher is expected/],
    ['&& Host(`a`)', /a matcher is expected/],
    ['Host(`a`)\n|| Host(`b`)', /line break ends it/],
    ['Host(`a`\n)', /line break ends it/],
    ['Hots(`a`)', /`Hots` is no matcher\. Did you mean "Host"/],
    ['hOST(`a`)', /is no matcher/],
    ['Host:a.b', /starts neither/],
    ['Host("\\q")', /no escape/],
    ['Host("\\ud800")', /no escape/],
    ['Host("\\xff")', /no escape/],
    ['Host("a\nb")', /starts neither/],
    ['/* open Host(`a`)', /starts neither/],
    [`${'('.repeat(65)}Host(\`a\`)${')'.repeat(65)}`, /nested deeper than 64/],
    [`${'!'.repeat(200_00)}Host(\`a\`)`, /nested deeper than 64/],
    ['x'.repeat(70_000), /more than 65536 characters/],
  ])('%s', (text, reason) => {
    expect(parse(text)).toEqual({ ok: false, reason: expect.stringMatching(reason) as string })
  })

  test('no text makes the parser throw', () => {
    const piece = fc.constantFrom(
      'Host',
      '(',
      ')',
      '`a`',
      '"b"',
      '||',
      '&&',
      '!',
      ',',
      '\n',
      ' ',
      '`',
      '"',
      '\\',
      '//',
      '/*',
      '*/',
      'Path',
      '|',
      '\u0000',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece).map((pieces) => pieces.join('')),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          parse(text)
        },
      ),
      { numRuns: runs(20_000) },
    )
  })

  test('long chains are no depth', () => {
    const text = Array.from({ length: 2000 }, (_, i) => `Host(\`h${i}.a.b\`)`).join(' || ')
    const parsed = parse(text)
    expect(parsed.ok && parsed.rule.kind === 'any' && parsed.rule.of.length).toBe(2000)
  })
})

describe('the hosts of a rule', () => {
  const hosts = (text: string) => {
    const parsed = parse(text)
    if (!parsed.ok) throw new Error(parsed.reason)
    const found = hostsOf(parsed.rule)
    return { exact: found.ok ? found.value.names : found.msg, reach: reachOf(parsed.rule) }
  }

  test.each<[string, readonly string[] | RegExp, readonly string[] | null]>([
    ['Host(`A.Example.com.`)', ['a.example.com'], ['a.example.com']],
    [
      'Host(`a.example`) || Host(`b.example`) || Host(`a.example`)',
      ['a.example', 'b.example'],
      ['a.example', 'b.example', 'a.example'],
    ],
    ['Host(`a.example`, `b.example`)', ['a.example', 'b.example'], ['a.example', 'b.example']],
    ['Host(`*.example.com`)', ['*.example.com'], ['*.example.com']],
    ['Host(`bücher.example`)', ['xn--bcher-kva.example'], ['xn--bcher-kva.example']],
    ['Host(`a.example`) && PathPrefix(`/`)', ['a.example'], ['a.example']],
    [
      '(Host(`a.example`) || Host(`b.example`)) && PathPrefix(`/`)',
      ['a.example', 'b.example'],
      ['a.example', 'b.example'],
    ],
    ['HostRegexp(`^[a-z0-9-]+\\.example\\.com$`)', ['*.example.com'], ['*.example.com']],
    ['Host(`a.example`) && PathPrefix(`/x`)', /also matches on `PathPrefix\(`\/x`\)`/, ['a.example']],
    ['Host(`a.example`) || PathPrefix(`/x`)', /also matches/, null],
    ['Host(`a.example`) || PathPrefix(`/`)', /matches every host/, null],
    ['Host(`a.example`) && Host(`b.example`)', /two hosts at once/, ['a.example']],
    ['Host(`a.example`) && !Path(`/x`)', /"!"/, ['a.example']],
    ['!Host(`a.example`)', /"!"/, null],
    ['PathPrefix(`/`)', /matches every host/, null],
    ['Host(`*`)', /matches every host/, null],
    ['Host(`nas`)', /fully qualified/, ['nas']],
    ['Host(`a.example:8443`)', /host name/, ['a.example:8443']],
    ['Host(`a.example`, `nas`)', /fully qualified/, ['a.example', 'nas']],
    ['HostRegexp(`.+`)', /host pattern/, null],
    ['HostRegexp(`{any:.*}`)', /host pattern/, null],
    ['Header(`Host`, `a.example`)', /also matches on/, null],
    ['ClientIP(`10.0.0.0/8`) && Host(`a.example`)', /ClientIP/, ['a.example']],
  ])('%s', (text, exact, reach) => {
    const found = hosts(text)
    if (exact instanceof RegExp) expect(found.exact).toMatch(exact)
    else expect(found.exact).toEqual(exact)
    expect(found.reach).toEqual(reach)
  })

  test.each([
    ['^[a-z0-9-]+\\.example\\.com$', '*.example.com'],
    ['^[a-zA-Z0-9-]+\\.example\\.com$', '*.example.com'],
    ['^[a-z0-9\\-]+\\.example\\.com$', '*.example.com'],
    ['^[-a-z0-9]+\\.example\\.com$', '*.example.com'],
    ['^[^.]+\\.example\\.com$', '*.example.com'],
    ['^[^\\.]+\\.example\\.com$', '*.example.com'],
    ['{sub:[a-z0-9-]+}.example.com', '*.example.com'],
    ['{sub:[^.]+}.example.com', '*.example.com'],
    ['[a-z0-9-]+\\.example\\.com', null], // not anchored: also a.example.com.evil.test
    ['^[a-z0-9-]+\\.example\\.com', null],
    ['^[a-z0-9-]+.example.com$', null], // dots that take any character
    ['^.+\\.example\\.com$', null], // several labels
    ['^[a-z]+\\.example\\.com$', null], // no digits
    ['^[a-z0-9]+\\.example\\.com$', null], // no hyphens
    ['^[a-z-]+\\.example\\.com$', null],
    ['^(a|b)\\.example\\.com$', null],
    ['^[a-z0-9-]*\\.example\\.com$', null],
    ['{sub:.+}.example.com', null],
    ['{sub:[a-z]+}.example.com', null],
    ['^[a-z0-9-]+\\.com$', null], // a public suffix is no domain of ours
  ])('the pattern %s is the wildcard %s', (pattern, name) => {
    expect(wildcardOf(pattern)).toBe(name)
  })
})
