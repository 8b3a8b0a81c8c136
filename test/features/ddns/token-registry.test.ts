/** The registry of tokens: found by their secret, noted when used, and ended for good. */
import { beforeEach, expect, test } from 'vitest'
import { Secret } from '../../../src/kernel/secret.ts'
import { TokenRegistry } from '../../../src/features/ddns/tokens/token-registry.ts'
import { newSecret, secretDigest } from '../../../src/kernel/issued-secret.ts'
import type { DdnsToken } from '../../../src/features/ddns/records.ts'
import { eachScratch } from '../../store/scratch.ts'

const MINUTE = 60_000
const NOW = Date.UTC(2026, 6, 1)

const scratch = eachScratch()
let registry: TokenRegistry

beforeEach(async () => {
  registry = new TokenRegistry(await scratch.open(scratch.directory()))
})

function added(secret: Secret, change: Partial<DdnsToken> = {}): DdnsToken {
  const token: DdnsToken = {
    id: secretDigest(secret).slice(0, 8),
    host: 'home.example.com',
    digest: secretDigest(secret),
    label: '',
    created_at: NOW,
    expires_at: null,
    last_used_at: null,
    ...change,
  }
  registry.add(token)
  return token
}

test('a token is proven by its own secret and by no other', () => {
  const secret = newSecret()
  const token = added(secret)
  expect(registry.proven(secret, NOW)).toEqual(token)
  for (const wrong of ['', secret.reveal().slice(1), `${secret.reveal()} `, token.digest, token.id])
    expect(registry.proven(new Secret(wrong), NOW)).toBeNull()
})

test('a token with an end is proven until that very moment', () => {
  const secret = newSecret()
  added(secret, { expires_at: NOW + 1 })
  expect(registry.proven(secret, NOW)).not.toBeNull()
  expect(registry.proven(secret, NOW + 1)).toBeNull()
})

test('one that was ended, or was seen to have ended, is proven at no time of the clock', () => {
  const [revoked, limited] = [newSecret(), newSecret()]
  registry.end(added(revoked).id, NOW)
  const { id } = added(limited)
  registry.limit(id, NOW + MINUTE)
  expect(registry.proven(limited, NOW)).not.toBeNull()
  expect(registry.proven(limited, NOW + MINUTE)).toBeNull()
  for (const secret of [revoked, limited])
    for (const back of [0, 120 * MINUTE]) expect(registry.proven(secret, NOW - back)).toBeNull()
  expect(registry.byId(id)).toMatchObject({ expires_at: NOW + MINUTE })
})

test('its use is written down once in five minutes, and known at once', () => {
  const token = added(newSecret())
  const due = [0, 1, 5 * MINUTE - 1, 5 * MINUTE, 5 * MINUTE + 1].map((after) =>
    registry.used(token, NOW + after),
  )
  expect(due).toEqual([true, false, false, true, false])
  expect(registry.byId(token.id)).toMatchObject({ last_used_at: NOW + 5 * MINUTE + 1 })
})

test('a clock that was set back makes the use worth writing down again', () => {
  const token = added(newSecret())
  registry.used(token, NOW)
  expect(registry.used(token, NOW - 3_600_000)).toBe(true)
})

test('an update that was under way while its token was ended does not bring the token back', () => {
  const secret = newSecret()
  const token = added(secret)
  const seen = registry.proven(secret, NOW)!
  registry.end(token.id, NOW)
  registry.used(seen, NOW)
  expect(registry.proven(secret, NOW)).toBeNull()
  registry.forget(NOW + 1)
  expect(registry.used(seen, NOW)).toBe(false)
  expect(registry.list()).toEqual([])
})
