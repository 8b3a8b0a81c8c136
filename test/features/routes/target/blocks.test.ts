/** Cutting a file into blocks: every byte ends up somewhere, whatever the bytes are, and in linear time. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanBlocks } from '../../../../src/features/routes/read/blocks.ts'
import { textOfRows } from './settings.ts'
import { runs } from '../../../kit/tier.ts'

const items = (text: string): string[] => [...scanBlocks(text).keys()]

describe('the blocks of a text', () => {
  it('are the entries of a rendering, by section and name', () => {
    expect(
      items(textOfRows([{ auth_required: false }, { domain: 't.io', service_type: 'tcp-proxy' }])),
    ).toEqual([
      'line 1',
      expect.stringMatching(/^http\.middlewares\.plumbline-generation-[0-9a-f]{16}$/),
      'http.middlewares.plumbline-no-identity',
      'http.middlewares.plumbline-redirect-https',
      'http.middlewares.plumbline-security-headers',
      'http.routers.plumbline-redirect_app.example.com',
      'http.routers.plumbline-site_app.example.com',
      'http.services.plumbline-site_app.example.com',
      'tcp.routers.plumbline-tcp_t.io',
      'tcp.services.plumbline-tcp_t.io',
    ])
  })

  it.each<[string, string, string[]]>([
    ['nothing', '', []],
    [
      'a name in single quotes or none',
      "http:\n  routers:\n    'a b':\n      x: 1\n    c-d: {}\n",
      ['http.routers.a b', 'http.routers.c-d'],
    ],
    ['a section in one line', 'http: { routers: { a: {} } }\n', ['line 1']],
    [
      'a name twice',
      'http:\n  routers:\n    a:\n      x: 1\n    a:\n      x: 2\n',
      ['http.routers.a', 'line 5'],
    ],
    ['other indentation', 'http:\n    routers:\n        a:\n            x: 1\n', ['line 2']],
    [
      'a comment between entries',
      'http:\n  routers:\n    a:\n      x: 1\n# mine\n    b:\n      x: 1\n',
      ['http.routers.a', 'line 5', 'http.routers.b'],
    ],
    [
      'a section of its own',
      'tls:\n  options:\n    default:\n      sniStrict: true\n',
      ['tls.options.default'],
    ],
    ['an entry outside any section', 'http:\n    a:\n      x: 1\n', ['line 2']],
    ['windows line ends', 'http:\r\n  routers:\r\n    a:\r\n      x: 1\r\n', ['http.routers.a']],
    ['a name that would drive a terminal', 'http:\n  routers:\n    "a\u001b[2J":\n      x: 1\n', ['line 3']],
    ['a name beyond all bounds', `http:\n  routers:\n    ${'a'.repeat(1000)}:\n      x: 1\n`, ['line 3']],
  ])('of %s', (_title, text, expected) => {
    expect(items(text)).toEqual(expected)
  })

  it('hold all of the text but the section lines, each byte once and in order', () => {
    const line = fc.oneof(
      fc.constantFrom(
        'http:',
        '  routers:',
        '    "a":',
        '    b:',
        '      rule: x',
        '',
        '   ',
        '\t',
        '- x',
        '    - y',
        '...',
      ),
      fc.string({ maxLength: 10 }),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.boolean(), (lines, ends) => {
        const text = lines.join('\n') + (ends ? '\n' : '')
        const sections = text
          .split(/(?<=\n)/)
          .filter((one) => /^(?: {2})?[A-Za-z]{1,32}:[ \t\r]*\n?$/.test(one))
        const kept = [...scanBlocks(text).values()].reduce((sum, block) => sum + block.text.length, 0)
        expect(kept).toBeLessThanOrEqual(text.length)
        expect(kept).toBeGreaterThanOrEqual(text.length - sections.join('').length)
        let from = 0
        for (const block of scanBlocks(text).values()) {
          from = text.indexOf(block.text, from)
          expect(from).toBeGreaterThanOrEqual(0)
          from += block.text.length
        }
      }),
      { numRuns: runs(3000) },
    )
  })

  it.each([
    ['one endless line', 'x'.repeat(4_000_000)],
    ['an endless quoted name', `http:\n  routers:\n    "${'a'.repeat(4_000_000)}`],
    ['a deep nest', '[ '.repeat(2_000_000)],
    ['empty lines', '\n'.repeat(4_000_000)],
    [
      'a wide map',
      `http:\n  routers:\n${Array.from({ length: 200_000 }, (_, i) => `    k${i}: {}\n`).join('')}`,
    ],
    ['aliases upon aliases', `a: &a [x]\n${'b: [*a,*a,*a]\n'.repeat(200_000)}`],
  ])('of %s are found without stalling', (_title, text) => {
    expect(scanBlocks(text).size).toBeGreaterThan(0)
  })
})
