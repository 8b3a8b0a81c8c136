/** Hashes as Authelia makes them, judged by Debian's own argon2, a few at a time and never too many waiting. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { argon2Hasher } from '../../../../src/features/people/argon2/hasher.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import type { PasswordHasher } from '../../../../src/features/people/argon2/port.ts'
import { describePeers } from '../../../peers/peers.ts'
import { itInDepth, itOneIn } from '../../../kit/in-depth.ts'
import { newFolder } from '../../../kit/new-folder.ts'

const never = () => new AbortController().signal
const FRAGILE = new URL('children/fragile-thread.ts', import.meta.url)
const PHC = /^\$argon2id\$v=19\$m=65536,t=3,p=4\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

const hashers: PasswordHasher[] = []

function hasherHere(code?: URL): PasswordHasher {
  const hasher = argon2Hasher(code)
  hashers.push(hasher)
  return hasher
}

afterEach(async () => {
  for (const hasher of hashers.splice(0)) await hasher.close()
})

/** None of a thread that has ended since it was listed. */
function niceOfThread(id: string): readonly number[] {
  try {
    return [niceOf(`/proc/self/task/${id}/stat`)]
  } catch {
    return []
  }
}

/** Field 19 of `proc_pid_stat(5)`; the name, which may hold anything, ends with the last parenthesis. */
function niceOf(path: string): number {
  const stat = readFileSync(path, 'latin1')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}

describePeers(['argon2'], "Debian's argon2", () => {
  itOneIn(3).each(['correct horse', 'pässwörd 漢字', 'x'.repeat(120)])(
    'comes to the same hash of %s',
    async (password) => {
      const phc = await hasherHere().hash(new Secret(password), never())
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

itInDepth('every hash has a salt of its own', async () => {
  const hasher = hasherHere()
  const [a, b] = await Promise.all([
    hasher.hash(new Secret('x'), never()),
    hasher.hash(new Secret('x'), never()),
  ])
  expect(a).toMatch(PHC)
  expect(a).not.toBe(b)
})

itInDepth('beyond its queue it says when to come back; who leaves it makes room for the others', async () => {
  const hasher = hasherHere()
  const stop = new AbortController()
  const asked = Array.from({ length: 300 }, () => hasher.hash(new Secret('x'), stop.signal))
  const refused = await Promise.all(asked.slice(256).map((hash) => hash.catch((error: unknown) => error)))
  for (const error of refused)
    expect(error).toMatchObject({ code: 'component_unavailable', details: { retry_after_ms: 15_000 } })
  await Promise.race(asked.slice(0, 256))
  const gone = new Error('gone')
  stop.abort(gone)
  const settled = await Promise.allSettled(asked.slice(0, 256))
  expect(settled.at(0)).toMatchObject({ status: 'fulfilled' })
  expect(settled.at(-1)).toEqual({ status: 'rejected', reason: gone })
  expect(await hasher.hash(new Secret('y'), never())).toMatch(PHC)
})

it.skipIf(process.platform !== 'linux')('it works at a lower priority than everybody else here', async () => {
  await hasherHere().hash(new Secret('x'), never())
  const priorities = readdirSync('/proc/self/task').flatMap((id) => niceOfThread(id))
  const own = niceOf('/proc/thread-self/stat')
  expect(Math.max(...priorities)).toBe(Math.min(own + 10, 19))
  // Files share a process: a thread of another hasher may still be there, and is as polite.
  const polite = priorities.filter((nice) => nice !== own)
  expect(new Set(polite).size).toBe(1)
  expect(polite.length).toBeLessThan(priorities.length / 2)
})

describe('a thread that hashes', () => {
  it('is replaced when it dies, and nobody notices', async () => {
    const path = join(newFolder('hash'), 'alive')
    writeFileSync(path, '')
    const hash = await hasherHere(FRAGILE).hash(new Secret(`exit-while ${path}`), never())
    expect(hash).toBe('heard exit-while')
    rmSync(dirname(path), { recursive: true })
  })

  it('is not replaced for ever: that it cannot be done is said with the reason, without the password', async () => {
    const hasher = hasherHere(FRAGILE)
    const error: unknown = await hasher.hash(new Secret('throw canary'), never()).catch((e: unknown) => e)
    expect(error).toMatchObject({ code: 'component_unavailable', details: { retry_after_ms: 15_000 } })
    expect(inspect(error)).toContain('A password could not be hashed: no memory is left.')
    expect(inspect(error)).not.toContain('canary')
    expect(await hasher.hash(new Secret('hello'), never())).toBe('heard hello')
  })
})
