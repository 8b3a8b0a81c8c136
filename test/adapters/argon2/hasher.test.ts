/** Hashes as Authelia makes them, judged by Debian's own argon2, a few at a time and never too many waiting. */
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { argon2Hasher } from '../../../src/adapters/argon2/hasher.ts'
import { Secret } from '../../../src/kernel/secret.ts'
import { describePeers } from '../../peers/peers.ts'

const never = () => new AbortController().signal
const PHC = /^\$argon2id\$v=19\$m=65536,t=3,p=4\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

describePeers(['argon2'], "Debian's argon2", () => {
  it.each(['correct horse', 'pässwörd 漢字', 'x'.repeat(120)])(
    'comes to the same hash of %s',
    async (password) => {
      const phc = await argon2Hasher().hash(new Secret(password), never())
      const [, salt = ''] = PHC.exec(phc) ?? []
      // Its salt is an argument, so it must be free of zero bytes: the same salt is given to both in hexadecimal words.
      const bytes = Buffer.from(salt, 'base64')
      expect(bytes).toHaveLength(16)
      if (bytes.includes(0)) return
      const said = execFileSync('perl', ['-e', PERL], {
        input: `${bytes.toString('hex')}\n${password}`,
      }).toString()
      expect(said.trim()).toBe(phc)
    },
  )
})

/** Arguments of Node are UTF-8 texts, and a salt is any bytes: perl hands them over as they are. */
const PERL = `my $salt = pack('H*', scalar(<STDIN> =~ s/\\n//r)); my $password = do { local $/; <STDIN> };
open(my $to, '|-', 'argon2', $salt, '-id', '-t', '3', '-m', '16', '-p', '4', '-l', '32', '-e') or die; print $to $password; close $to;`

it('every hash has a salt of its own', async () => {
  const hasher = argon2Hasher()
  const [a, b] = await Promise.all([
    hasher.hash(new Secret('x'), never()),
    hasher.hash(new Secret('x'), never()),
  ])
  expect(a).toMatch(PHC)
  expect(a).not.toBe(b)
})

it(
  'beyond its queue it says when to come back, and serves everybody who waits',
  { timeout: 120_000 },
  async () => {
    const hasher = argon2Hasher()
    const stop = new AbortController()
    const asked = Array.from({ length: 300 }, () => hasher.hash(new Secret('x'), stop.signal))
    const refused = await Promise.all(asked.slice(257).map((hash) => hash.catch((error: unknown) => error)))
    for (const error of refused)
      expect(error).toMatchObject({ code: 'component_unavailable', details: { retry_after_ms: 15_000 } })
    // Those who leave the queue leave it to the others.
    stop.abort(new Error('gone'))
    const settled = await Promise.allSettled(asked.slice(0, 257))
    expect(settled.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1)
    expect(await hasher.hash(new Secret('y'), never())).toMatch(PHC)
  },
)
