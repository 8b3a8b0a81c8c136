/** Right bytes that nobody can read, or that anybody may write: named with cause and mode, and put right. */
import { chmodSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ED25519 } from '../model/ssh/keys.ts'
import { openSsoHouse, type SsoHouse } from './sso-house.ts'
import { createActive } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import type { DriftAnswer } from '../../src/features/explain/read-drift.ts'
import { newFolder } from '../kit/new-folder.ts'

let keys: string
let at: SsoHouse | null = null
beforeEach(() => {
  keys = join(newFolder('access'), 'authorized_keys')
})
afterEach(async () => {
  await at?.[Symbol.asyncDispose]()
  at = null
  rmSync(join(keys, '..'), { recursive: true })
})

async function opened(mode: 'observe' | 'repair'): Promise<SsoHouse> {
  const house = await openSsoHouse({ env: { PLUMBLINE_AUTHORIZED_KEYS: keys, PLUMBLINE_MODE: mode } })
  at = house
  await createActive(house.call, { auth_required: true })
  const added = await house.call('POST', '/api/ssh-clients', { body: { public_key: `${ED25519} alice` } })
  expect(added.status).toBe(200)
  await expect.poll(async () => (await house.call('GET', '/api/drift')).body['drift']).toBe(false)
  return house
}

const worlds = ({ house, rules_path }: SsoHouse): readonly (readonly [string, string, number])[] => [
  ['routes', house.routes_path, 0o000],
  ['routes', house.routes_path, 0o666],
  ['sso', rules_path, 0o000],
  ['ssh-gateway', keys, 0o666],
  ['ssh-gateway', keys, 0o000],
]
const modeOf = (path: string): number => statSync(path).mode & 0o777

itInDepth(
  'where the mode is only reported, each is drift with its cause, and mended by hand it is none',
  async () => {
    const house = await opened('observe')
    for (const [key, path, mode] of worlds(house)) {
      const before = modeOf(path)
      chmodSync(path, mode)
      const { body } = await house.call('GET', '/api/drift')
      const { drift, components } = body as unknown as DriftAnswer
      expect(drift).toBe(true)
      const told = components.find((component) => component.key === key)
      expect(told, key).toMatchObject({ drift: true, differences: [{ cause: 'access' }] })
      expect(told!.differences[0]!.detail).toMatch(/mode 0|chmod/)
      expect(modeOf(path)).toBe(mode)
      if (key === 'sso')
        // No rule differs, and still it is not as it should be.
        expect((await house.call('GET', '/api/sso/drift')).body).toMatchObject({
          ok: false,
          drift: true,
          differences: [{ cause: 'access' }],
          missing_rule: [],
          weaker_policy: [],
          not_loaded: [],
          unknown: [],
        })
      chmodSync(path, before)
      const mended = (await house.call('GET', '/api/drift')).body as unknown as DriftAnswer
      const left = mended.components.find((component) => component.key === key)!
      expect(left.differences.filter(({ cause }) => cause === 'access')).toEqual([])
    }
  },
)

it('is put right by itself, and what stood there stays, byte for byte', async () => {
  const house = await opened('repair')
  for (const [key, path, mode] of worlds(house)) {
    const before = modeOf(path)
    chmodSync(path, mode)
    // Who may read the keys is their owner's choice; who may write them is not.
    const readers = key === 'ssh-gateway' ? 0o044 : 0
    await expect
      .poll(() => modeOf(path) & ~readers, { timeout: 60_000, message: `${key} ${mode}` })
      .toBe(before & ~readers)
    await expect.poll(async () => (await house.call('GET', '/api/drift')).body['drift']).toBe(false)
  }
})

itInDepth(
  'a mode that is stricter is whoever runs the host, stays over writes too, and restarts nothing',
  async () => {
    const house = await opened('repair')
    for (const path of [house.house.routes_path, house.rules_path]) chmodSync(path, 0o640)
    const { restarts } = house.authelia
    expect((await house.call('GET', '/api/drift')).body['drift']).toBe(false)
    expect(house.authelia.restarts).toBe(restarts)
    await createActive(house.call, { domain: 'second.example.com', auth_required: true })
    expect(readFileSync(house.rules_path, 'utf8')).toContain('second.example.com')
    for (const path of [house.house.routes_path, house.rules_path]) expect(modeOf(path)).toBe(0o640)
    // Closed altogether, each gets back what it had.
    for (const path of [house.house.routes_path, house.rules_path]) {
      chmodSync(path, 0o000)
      await expect.poll(() => modeOf(path)).toBe(0o640)
    }
  },
)

itInDepth('a wrong mode of the rules is mended without a restart, in place', async () => {
  const house = await opened('repair')
  const { restarts } = house.authelia
  const { ino } = statSync(house.rules_path)
  for (const mode of [0o000, 0o666, 0o660]) {
    chmodSync(house.rules_path, mode)
    await expect.poll(() => modeOf(house.rules_path) & 0o422).toBe(0o400)
    await expect.poll(async () => (await house.call('GET', '/api/drift')).body['drift']).toBe(false)
  }
  expect(statSync(house.rules_path).ino).toBe(ino)
  expect(house.authelia.restarts).toBe(restarts)
})
