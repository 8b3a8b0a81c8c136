/** What we write into zone files is what name servers load: BIND's, NSD's and Knot's own checkers are asked. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { HARD_TEXTS } from '../../../contract/dns-provider/texts.ts'
import { runTool } from '../../../peers/peer.ts'
import { describePeers } from '../../../peers/peers.ts'
import { never, wish, zoneFolder } from './zone-folder.ts'

const ZONE = 'example.org'

const HAND_MADE = `; kept by hand
$ORIGIN example.org.
$TTL 1h
@ IN SOA ns1.provider.test. host.provider.test. (
  2020010101 ; serial
  3h 15m 2w 5m )
  NS ns1.provider.test.
www 600 A 192.0.2.1 ; web
    AAAA 2001:DB8::1
$ORIGIN sub.example.org.
mail MX 10 @
@ A 192.0.2.2
_443._tcp TLSA 3 1 1 ${'ab'.repeat(32)}
key TXT ( "v=DKIM1; k=rsa; " "p=abc" )
`

/** Everything that we may be asked to write, into a new file and into one that people keep. */
async function written(start: 'new' | 'hand-made') {
  const folder = zoneFolder()
  const { provider, put, directory, pathOf } = folder
  if (start === 'new') await provider.makeZone(ZONE, never)
  else put(ZONE, HAND_MADE)
  const texts = Object.values(HARD_TEXTS)
  const at = (label: string) => `${label}.${ZONE}`
  await provider.change(
    ZONE,
    [
      wish(ZONE, 'A', ['192.0.2.1', '192.0.2.2'], { comment: 'plumbline:1:abc:7' }),
      wish(ZONE, 'AAAA', ['2001:db8::1', '::ffff:192.0.2.1']),
      wish(at('*'), 'A', ['192.0.2.3'], { comment: 'ünïcode; "quotes" (and) \\' }),
      wish(at('xn--bcher-kva'), 'CNAME', [`www.${ZONE}`]),
      wish(at('a'.repeat(63)), 'A', ['192.0.2.4']),
      wish(at('_plumbline.app'), 'TXT', ['plumbline:1:abc:7']),
      wish(at('texts'), 'TXT', texts),
      wish(at('_sip._tcp'), 'SRV', ['1 2 5060 sip.example.net']),
      wish(at('nomail'), 'MX', ['0 .']),
      wish(ZONE, 'CAA', ['0 issue "ca.example.net; a=\\"b\\""']),
      wish(at('odd\\.name\\032here'), 'TXT', ['x']),
      wish(at('new-type'), 'TYPE65280', ['\\# 3 abcdef']),
    ],
    never,
  )
  // The line that gave name and TTL to the one below goes.
  await provider.change(
    ZONE,
    [wish(at('www'), 'A', null), wish(at('a'.repeat(63)), 'A', ['192.0.2.9'])],
    never,
  )
  return { directory, path: pathOf(ZONE), listed: await provider.list(ZONE, never) }
}

interface Checker {
  readonly title: string
  readonly programs: Parameters<typeof describePeers>[0]
  /** Throws with the checker's words when it would not load the file. */
  readonly check: (directory: string, path: string) => Promise<unknown>
}

const CHECKERS: readonly Checker[] = [
  {
    title: 'BIND',
    programs: ['named-checkzone'],
    check: (_directory, path) => runTool('named-checkzone', ['-i', 'local', '-k', 'fail', ZONE, path]),
  },
  {
    title: 'NSD',
    programs: ['nsd-checkzone'],
    check: (_directory, path) => runTool('nsd-checkzone', [ZONE, path]),
  },
  {
    title: 'Knot’s checker',
    programs: ['kzonecheck'],
    check: (_directory, path) => runTool('kzonecheck', ['-o', ZONE, path]),
  },
  {
    title: 'Knot',
    programs: ['knotc'],
    check(directory, path) {
      const settings = join(directory, 'knot.conf')
      writeFileSync(
        settings,
        `server:\n    rundir: ${directory}\ndatabase:\n    storage: ${directory}\nzone:\n  - domain: ${ZONE}\n    file: ${path}\n    semantic-checks: on\n`,
      )
      return runTool('knotc', ['-c', settings, 'zone-check', ZONE])
    },
  },
]

for (const { title, programs, check } of CHECKERS)
  describePeers(programs, `${title} accepts`, () => {
    it.each(['new', 'hand-made'] as const)('a %s file after our changes', async (start) => {
      const { directory, path, listed } = await written(start)
      expect(listed.length).toBeGreaterThan(12)
      await check(directory, path)
    })

    it('no file with an alias beside an address, so the checker is awake', async () => {
      const { directory, put, pathOf } = zoneFolder()
      put(ZONE, `${HAND_MADE}x CNAME y\nx A 192.0.2.1\n`)
      await expect(check(directory, pathOf(ZONE))).rejects.toThrow()
    })
  })
