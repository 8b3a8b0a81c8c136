/** The reader of dnsmasq's settings against dnsmasq itself. */
import { join } from 'node:path'
import fc from 'fast-check'
import { it } from 'vitest'
import { dnsmasqConfig } from '../../../../src/features/dns/resolver/dnsmasq/config.ts'
import { DNSMASQ_PROGRAMS, startDnsmasq } from '../../../peers/dnsmasq.ts'
import { describePeers } from '../../../peers/peers.ts'
import { EVERY_NAME, someAddress, someName } from './arbitrary-names.ts'
import { expectSameAnswers } from './same-answers.ts'
import { byTier } from '../../../kit/tier.ts'

const domain = fc.oneof(
  { weight: 5, arbitrary: someName },
  { weight: 2, arbitrary: someName.map((name) => `*.${name}`) },
  { weight: 1, arbitrary: fc.constant('lan') },
)

const address = fc
  .tuple(
    fc.array(domain, { minLength: 1, maxLength: 2 }),
    fc.oneof({ weight: 6, arbitrary: someAddress }, fc.constantFrom('', '#')),
  )
  .map(([domains, value]) => `address=/${domains.join('/')}/${value}`)
const local = domain.map((name) => `local=/${name}/`)
const upstream = domain.map((name) => `server=/${name}/#`)
const hostRecord = fc
  .tuple(
    fc.array(someName, { minLength: 1, maxLength: 2 }),
    fc.array(someAddress, { minLength: 1, maxLength: 2 }),
  )
  .map(([names, addresses]) => `host-record=${[...names, ...addresses].join(',')}`)

/** An alias is declared once and leads to a later name, so that there are no loops, at which dnsmasq does not start. */
const aliases = fc
  .array(fc.tuple(someName, someName), { maxLength: 3 })
  .map((pairs) => [
    ...new Map(
      pairs
        .filter(([alias, target]) => alias < target)
        .map(([alias, target]) => [alias, `cname=${alias},${target}`]),
    ).values(),
  ])

const settings = fc
  .tuple(
    fc.array(
      fc.oneof({ weight: 4, arbitrary: address }, { weight: 2, arbitrary: hostRecord }, local, upstream),
      {
        maxLength: 9,
      },
    ),
    aliases,
  )
  .map(([lines, more]) => [...lines, ...more].join('\n'))

const hosts = fc
  .array(fc.tuple(someAddress, fc.array(someName, { minLength: 1, maxLength: 2 })), { maxLength: 4 })
  .map((lines) => lines.map(([literal, names]) => `${literal} ${names.join(' ')}`).join('\n'))

describePeers(DNSMASQ_PROGRAMS, 'the model of dnsmasq', () => {
  it('answers every name as dnsmasq does, whatever the settings are', async () => {
    await fc.assert(
      fc.asyncProperty(settings, hosts, async (text, hosts_text) => {
        const server = await startDnsmasq({
          config: { 'random.conf': `${text}\n` },
          hosts: `${hosts_text}\n`,
        })
        try {
          const main = dnsmasqConfig(join(server.directory, 'dnsmasq.conf'))
          await expectSameAnswers(main, server.dns_port, EVERY_NAME)
        } finally {
          await server.stop()
        }
      }),
      { numRuns: byTier(5, 25, 250) },
    )
  })

  it('reads quotes, comments, upper case and several hosts folders as dnsmasq does', async () => {
    const text = [
      'address=/UP.lan/192.0.2.1 # not /down.lan/',
      'address="/quoted.lan/192.0.2.2"',
      '  local = /spaced.lan/  ',
      'host-record=h.spaced.lan,192.0.2.3,60',
      'domain=lan',
      'expand-hosts',
      'address=/.dotted.lan/192.0.2.4',
    ].join('\n')
    const server = await startDnsmasq({
      config: { 'x.conf': text, 'y.conf~': 'nonsense' },
      hosts: '192.0.2.9 short s.lan.\n',
    })
    try {
      const names = [
        'up.lan',
        'x.up.lan',
        'down.lan',
        'quoted.lan',
        'spaced.lan',
        'h.spaced.lan',
        'z.spaced.lan',
      ]
      const more = ['short', 'short.lan', 's.lan', 'dotted.lan', 'x.dotted.lan']
      await expectSameAnswers(dnsmasqConfig(join(server.directory, 'dnsmasq.conf')), server.dns_port, [
        ...names,
        ...more,
      ])
    } finally {
      await server.stop()
    }
  })
})
