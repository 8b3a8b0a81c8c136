/**
 * Whatever key we take, `ssh-keygen` reads our line of it as exactly that one key. 2,000 tries in every run, 100,000 with
 * FAULTS=all. A line that held two keys would let in somebody whom nobody listed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { readKeysText } from '../../../src/features/ssh-clients/model/block.ts'
import type { SshClient } from '../../../src/model/ssh/client.ts'
import { readLine } from '../../../src/features/ssh-clients/model/line.ts'
import { type AskedOptions, readOptions } from '../../../src/model/ssh/options.ts'
import { parsePublicKey } from '../../../src/model/ssh/public-key.ts'
import { desiredBytes } from '../../../src/features/ssh-clients/target/desire.ts'
import { runTool } from '../../peers/peer.ts'
import { describePeers } from '../../peers/peers.ts'
import { onToken, type Pool, randomFrom, spoilt } from './keys.ts'
import { TIER } from '../../kit/tier.ts'
import { itInDepth } from '../../kit/in-depth.ts'
import { newFolder } from '../../kit/new-folder.ts'

const DEEP = TIER === 'nightly'
const TRIES = DEEP ? 100_000 : 2_000
const BATCH = 2_000

const OFF = {
  pty: false,
  port_forwarding: false,
  agent_forwarding: false,
  x11_forwarding: false,
  user_rc: false,
}
const WISHES: readonly AskedOptions[] = [
  {},
  { pty: true, port_forwarding: true, agent_forwarding: true, x11_forwarding: true, user_rc: true },
  { from: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.7'] },
  { command: "/usr/local/bin/gate --user 'a, b' # ssh-ed25519 AAAA" },
  {
    port_forwarding: true,
    permit_open: ['db.lan:5432', '[2001:db8::1]:*'],
    permit_listen: ['localhost:8080', '*'],
  },
  { expires_at: '2031-01-01T00:00:00Z' },
]

/** What `ssh-keygen -l` says of a file: bits and fingerprint of each key, in order. */
async function judged(folder: string, bytes: Uint8Array): Promise<string[]> {
  const path = join(folder, 'authorized_keys')
  writeFileSync(path, bytes)
  const said = await runTool('ssh-keygen', ['-l', '-f', path])
  return said
    .trim()
    .split('\n')
    .map((line) => line.split(' ').slice(0, 2).join(' '))
}

describePeers(['ssh-keygen'], 'keys and comments through ssh-keygen', () => {
  let folder: string
  let pool: Pool

  beforeAll(async () => {
    folder = newFolder('key-fuzz')
    const kinds = [
      ['ed25519', '256'],
      ['ecdsa', '256'],
      ['ecdsa', '384'],
      ['ecdsa', '521'],
      ['rsa', '2048'],
      ['rsa', '3072'],
    ] as const
    const keys: string[] = []
    for (const [type, bits] of kinds) {
      const path = join(folder, `${type}-${bits}`)
      await runTool('ssh-keygen', ['-q', '-t', type, '-b', bits, '-N', '', '-f', path])
      keys.push(readFileSync(`${path}.pub`, 'utf8').split(' ').slice(0, 2).join(' '))
    }
    pool = { keys: [...keys, onToken(keys[0]!), onToken(keys[1]!)] }
  })

  it(
    'each accepted one is read as exactly one key, with our fingerprint and size',
    async () => {
      let taken = 0
      let refused = 0
      const types = new Set<string>()
      for (let start = 0; start < TRIES; start += BATCH) {
        const clients: SshClient[] = []
        for (let i = start; i < Math.min(start + BATCH, TRIES); i++) {
          const parsed = parsePublicKey(spoilt(`key ${i}`, pool))
          if (!parsed.ok) {
            refused++
            continue
          }
          const { comment, ...key } = parsed.value
          const on_token = key.type.startsWith('sk-')
          const { options, errors } = readOptions(WISHES[i % WISHES.length]!, { defaults: OFF, on_token })
          expect(errors).toEqual([])
          types.add(key.type)
          const name = comment === '' ? 'unnamed' : comment
          clients.push({ ...key, name, options, revision: 1, created_at: 0, updated_at: 0 })
        }
        taken += clients.length
        const bytes = desiredBytes({ kind: 'none', before: '' }, clients)
        expect(Buffer.from(bytes).toString('latin1').split('\n')).toHaveLength(clients.length + 3)
        expect(await judged(folder, bytes)).toEqual(
          clients.map(({ bits, fingerprint }) => `${bits} ${fingerprint}`),
        )
      }
      if (DEEP) process.stderr.write(`${TRIES} keys: ${taken} taken, ${refused} refused\n`)
      expect([...types].toSorted()).toEqual(
        pool.keys
          .map((key) => key.split(' ')[0]!)
          .filter(unique)
          .toSorted(),
      )
      expect(taken).toBeGreaterThan(TRIES / 10)
      expect(refused).toBeGreaterThan(TRIES / 10)
    },
    DEEP ? 600_000 : 60_000,
  )

  itInDepth(
    'of a file of any bytes we see every key that ssh-keygen sees, in the same order',
    async () => {
      const rounds = DEEP ? 1_000 : 30
      for (let round = 0; round < rounds; round++) {
        const random = randomFrom(`file ${round}`)
        const lines = Array.from({ length: 20 }, (_, i) => spoilt(`line ${round} ${i}`, pool))
        const text = Buffer.from(
          `${lines.join(random.pick(['\n', '\r\n', '\n\n']))}\n${pool.keys[0]}\n`,
          'utf8',
        ).toString('latin1')
        const read = text
          .split('\n')
          .flatMap((line) => readLine(line) ?? [])
          .map(({ fingerprint }) => fingerprint)
        // A stranger's comment may break the line on which it is told.
        const said = (await judged(folder, Buffer.from(text, 'latin1'))).filter((line) =>
          /^\d+ SHA256:/.test(line),
        )
        const seen = said.map((line) => line.split(' ')[1])
        // We only show them, so one more does no harm; one less could let somebody in unseen.
        expect(withoutOthers(read, seen)).toEqual(seen)
        expect(readKeysText(text).kind).toBe('none')
      }
    },
    DEEP ? 600_000 : 60_000,
  )
})

const unique = (value: string, index: number, all: readonly string[]): boolean => all.indexOf(value) === index

/** As much of `wanted` as `found` holds in this order. */
function withoutOthers<T>(found: readonly T[], wanted: readonly T[]): T[] {
  const kept: T[] = []
  for (const value of found) if (value === wanted[kept.length]) kept.push(value)
  return kept
}
