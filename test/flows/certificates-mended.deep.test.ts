/** A chain file that somebody spoils under a running daemon: named at once, written again, and no new order is made. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import {
  CERTIFICATE_PROGRAMS,
  type CertificatesWorld,
  openBehindProxy,
  startWorld,
} from './certificates-world.ts'
import { createActive } from './test-house.ts'

const ZONE = 'mended.test'

const WAYS: readonly (readonly [string, (chain: string) => string | null])[] = [
  ['its intermediate removed', (chain) => chain.slice(0, chain.lastIndexOf('-----BEGIN'))],
  ['one letter of its intermediate flipped', (chain) => flipped(chain, chain.length - 200)],
  ['its end cut off', (chain) => chain.slice(0, -100)],
  ['removed', () => null],
]
const flipped = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`

describePeers(CERTIFICATE_PROGRAMS, 'the chain of a certificate of our own', () => {
  let world: CertificatesWorld
  beforeAll(async () => {
    world = await startWorld([ZONE])
  })
  afterAll(() => world.stop())

  it('is written again, however it was spoilt', async () => {
    await using opened = await openBehindProxy({ env: world.env })
    const { call, directory } = opened.at
    const name = `app.${ZONE}`
    await createActive(call, { domain: name, service_type: 'internal' })
    const folder = join(directory, 'certificates', name)
    const chain = join(
      folder,
      readdirSync(folder).find((file) => file.endsWith('.chain.pem'))!,
    )
    const before = readFileSync(chain, 'utf8')
    expect((await call('GET', '/api/drift')).body).toMatchObject({ drift: false })
    const mark = world.pebble.log().length
    for (const [title, spoil] of WAYS) {
      const spoilt = spoil(before)
      if (spoilt === null) rmSync(chain)
      else writeFileSync(chain, spoilt)
      expect((await call('POST', '/api/reconcile')).status, title).toBe(202)
      await expect
        .poll(() => (existsSync(chain) ? readFileSync(chain, 'utf8') : null), { interval: 50 })
        .toBe(before)
      await expect
        .poll(async () => (await call('GET', '/api/drift')).body['drift'], { interval: 50 })
        .toBe(false)
    }
    expect(world.pebble.log().slice(mark)).not.toMatch(/order|nonce/i)
  })
})
