/** A real sshd reads what we write for hundreds of fuzzed keys: who is listed logs in, and nobody else does. 100 files with FAULTS=all. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SshClient } from '../../../src/model/ssh/client.ts'
import { type HandedKey, parsePublicKey } from '../../../src/model/ssh/public-key.ts'
import { desiredBytes } from '../../../src/features/ssh-clients/target/desire.ts'
import { ED25519, OTHER, P256, RSA } from '../../model/ssh/keys.ts'
import { NO_OPTIONS } from '../../model/ssh/options.ts'
import { makeSshKey } from '../../peers/ssh-key.ts'
import { describePeers } from '../../peers/peers.ts'
import { type Sshd, SSHD_PROGRAMS, startSshd } from '../../peers/sshd.ts'
import { spoilt } from './keys.ts'
import { byTier, TIER } from '../../kit/tier.ts'
import { newFolder } from '../../kit/new-folder.ts'

const DEEP = TIER === 'nightly'
const FILES = byTier(1, 3, 100)

describePeers(SSHD_PROGRAMS, 'fuzzed lines through a real sshd', () => {
  let gateway: Sshd
  let folder: string

  beforeAll(async () => {
    gateway = await startSshd()
    folder = newFolder('crowd')
    for (const name of ['alice', 'mallory']) await makeSshKey(join(folder, name))
  })
  afterAll(() => gateway.stop())

  const keyOf = (name: string) =>
    readFileSync(join(folder, `${name}.pub`), 'utf8')
      .split(' ')
      .slice(0, 2)
      .join(' ')

  it(
    'the listed key logs in, and one that only stands in comments, options and spoilt lines does not',
    async () => {
      const mallory = accepted(keyOf('mallory'))
      // Hers is what comments and breaks are followed by.
      const pool = { keys: [OTHER, keyOf('mallory'), keyOf('mallory'), ED25519, RSA, P256] }
      for (let file = 0; file < FILES; file++) {
        const lines = Array.from({ length: 600 }, (_, i) =>
          parsePublicKey(spoilt(`crowd ${file} ${i}`, pool)),
        )
        const crowd = lines.flatMap((line) =>
          line.ok && line.value.fingerprint !== mallory.fingerprint ? [clientFrom(line.value)] : [],
        )
        expect(crowd.length).toBeGreaterThan(50)
        const clients = [...crowd, clientFrom(accepted(keyOf('alice')))]
        writeFileSync(gateway.authorized_keys, desiredBytes({ kind: 'none', before: '' }, clients))
        expect(await gateway.logIn(join(folder, 'mallory'))).toBeNull()
        expect(await gateway.logIn(join(folder, 'alice'), ['echo', 'in'])).toBe('in\n')
      }
    },
    DEEP ? 500_000 : 60_000,
  )
})

function accepted(line: string): HandedKey {
  const parsed = parsePublicKey(line)
  if (!parsed.ok) throw new Error(parsed.msg)
  return parsed.value
}

const clientFrom = ({ comment, ...key }: HandedKey): SshClient => ({
  ...key,
  name: comment === '' ? 'unnamed' : comment,
  options: NO_OPTIONS,
  revision: 1,
  created_at: 0,
  updated_at: 0,
})
