/** The reader of Unbound's settings against Unbound itself. */
import { join } from 'node:path'
import fc from 'fast-check'
import { it } from 'vitest'
import { unboundConfig } from '../../../../src/features/dns/resolver/unbound/config.ts'
import { describePeers } from '../../../peers/peers.ts'
import { startUnbound, UNBOUND_PROGRAMS } from '../../../peers/unbound.ts'
import { EVERY_NAME, someAddress, someName } from './arbitrary-names.ts'
import { expectSameAnswers } from './same-answers.ts'
import { byTier } from '../../../kit/tier.ts'

const KINDS = [
  'transparent',
  'typetransparent',
  'static',
  'redirect',
  'refuse',
  'inform',
  'inform_redirect',
  'noview',
  'always_transparent',
  'always_refuse',
  'always_nxdomain',
  'always_nodata',
  'always_null',
] as const

const zone = fc.tuple(
  fc.oneof({ weight: 5, arbitrary: someName }, { weight: 1, arbitrary: fc.constant('lan') }),
  fc.constantFrom(...KINDS),
)

const data = fc.tuple(
  someName,
  fc.oneof(
    {
      weight: 5,
      arbitrary: someAddress.map((literal) => `${literal.includes(':') ? 'AAAA' : 'A'} ${literal}`),
    },
    { weight: 1, arbitrary: fc.constant('TXT "text"') },
    { weight: 1, arbitrary: someName.map((name) => `CNAME ${name}.`) },
  ),
)

/** Only what Unbound accepts: aliases alone, and in a redirected zone nothing below its name and no alias. */
const settings = fc
  .tuple(fc.uniqueArray(zone, { maxLength: 5, selector: ([name]) => name }), fc.array(data, { maxLength: 8 }))
  .map(([zones, records]) => {
    const kinds = new Map<string, string>(zones)
    const taken = records.filter(([name, record], at) => {
      const around = [...parents(name)].find((parent) => kinds.has(parent))
      if (around !== undefined && kinds.get(around)!.endsWith('redirect'))
        return name === around && !record.startsWith('CNAME')
      const is_alone = records.every(([other], i) => i === at || other !== name)
      return is_alone || records.every(([other, its]) => other !== name || !its.startsWith('CNAME'))
    })
    return [
      'server:',
      ...zones.map(([name, kind]) => `  local-zone: "${name}." ${kind}`),
      ...taken.map(([name, record]) => `  local-data: '${name}. ${record}'`),
      '',
    ].join('\n')
  })

function* parents(name: string): Generator<string> {
  for (let at = name; at !== ''; at = at.includes('.') ? at.slice(at.indexOf('.') + 1) : '') yield at
}

describePeers(UNBOUND_PROGRAMS, 'the model of Unbound', () => {
  it('answers every name as Unbound does, whatever the settings are', async () => {
    await fc.assert(
      fc.asyncProperty(settings, async (text) => {
        const server = await startUnbound({ config: { 'random.conf': text } })
        try {
          await expectSameAnswers(
            unboundConfig(join(server.directory, 'unbound.conf')),
            server.dns_port,
            EVERY_NAME,
          )
        } finally {
          await server.stop()
        }
      }),
      { numRuns: byTier(5, 25, 250) },
    )
  })

  it('reads names without quotes, several settings on a line, and the zones that come by default', async () => {
    const text = [
      'server: local-zone: home.lan static local-data: "a.home.lan A 192.0.2.1"  # not: local-data: "b.home.lan A 192.0.2.2"',
      'local-data:"c.home.lan. 60 IN A 192.0.2.3"',
      'local-zone: "invalid." nodefault',
      'local-data: "w.test. A 192.0.2.4"',
      'local-data: "*.star.home.lan. A 192.0.2.5"',
    ].join('\n')
    const server = await startUnbound({ config: { 'x.conf': `${text}\n` } })
    try {
      const names = [
        'home.lan',
        'a.home.lan',
        'b.home.lan',
        'c.home.lan',
        'w.test',
        'v.test',
        'x.invalid',
        'x.onion',
      ]
      const more = ['localhost', 'x.localhost', 'x.home.arpa', 'q.star.home.lan', 'x.example']
      await expectSameAnswers(unboundConfig(join(server.directory, 'unbound.conf')), server.dns_port, [
        ...names,
        ...more,
      ])
    } finally {
      await server.stop()
    }
  })
})
