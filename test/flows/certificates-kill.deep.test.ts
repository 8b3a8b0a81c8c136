/** A daemon that is killed on the way to a certificate: after its restart there is one, from one order, and nothing is left over. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { brokenPromises } from '../broken-promises.ts'
import { describePeers } from '../peers/peers.ts'
import type { Errand } from './certificates-child.ts'
import {
  CERTIFICATE_PROGRAMS,
  challengesIn,
  type CertificatesWorld,
  pairsIn,
  startWorld,
} from './certificates-world.ts'
import { openTestHouse } from './test-house.ts'
import { atNight, TIER } from '../kit/tier.ts'
import { programOf } from '../kit/programs.ts'
import { childsEnd } from '../kit/child.ts'
import { newFolder } from '../kit/new-folder.ts'

const PROGRAM = programOf(new URL('certificates-child.ts', import.meta.url))
const STEPS = [
  'planned',
  'ordered',
  'presented',
  'propagated',
  'answered',
  'validated',
  'finalised',
  'stored',
  'dropped',
]
const PERSISTED = STEPS.map((step) => `row ${step}, durable #1`)
/** The authority has made an order that nobody here has heard of: another one is made, and that one comes to nothing. */
const FORGETS_ONE = ['newOrder, answered #1', 'row ordered, not yet durable #1']
/** One for each life. */
const ZONES = TIER === 'nightly' ? 60 : 9

describePeers(CERTIFICATE_PROGRAMS, 'killed on the way to a certificate', () => {
  let world: CertificatesWorld
  let zones = 0
  beforeAll(async () => {
    world = await startWorld(
      Array.from({ length: ZONES }, (_, i) => `killed${i}.test`),
      { authz_reuse: 0 },
    )
  })
  afterAll(() => world.stop())

  it('at each step that is persisted', { timeout: 300_000 }, async () => {
    for (const point of PERSISTED) await dieAt(point)
  })

  atNight(() => {
    it('at each point at all', { timeout: 900_000 }, async () => {
      const whole = await live(null)
      rmSync(whole.directory, { recursive: true, force: true })
      for (const point of whole.points) await dieAt(point)
    })
  })

  async function dieAt(point: string): Promise<void> {
    const before = world.pebble.log().length
    const { directory, zone, env } = await live(point)
    expect(brokenPromises(directory, 'at death'), point).toEqual([])
    await using at = await openTestHouse({ directory, env })
    const found = async () => (await at.call('GET', '/api/certificates')).body['certificates']
    await expect
      .poll(found, { timeout: 60_000, message: point })
      .toMatchObject([
        { name: `app.${zone}`, state: 'healthy', in_use: true, order_step: null, last_error: null },
      ])
    await expect.poll(() => challengesIn(world.dns, zone), { message: point }).toEqual([])
    const told = world.pebble.log().slice(before)
    expect(countOf(told, 'Added order'), `orders: ${point}`).toBe(FORGETS_ONE.includes(point) ? 2 : 1)
    expect(countOf(told, 'Issued certificate'), `certificates: ${point}`).toBe(1)
    expect(pairsIn(join(directory, 'traefik', 'certificates.yml')), point).toHaveLength(1)
    expect(keysBelow(join(directory, 'certificates')), point).toHaveLength(1)
    expect(brokenPromises(directory, 'at rest'), point).toEqual([])
  }

  /** A life that ends at a point, or that ends well and tells its points. */
  async function live(dies_at: string | null): Promise<Life> {
    const zone = `killed${zones++}.test`
    const directory = newFolder('killed')
    const env = { ...world.env, PLUMBLINE_LISTEN: '127.0.0.1:0', PLUMBLINE_DATA_DIR: directory }
    const errand: Errand = { env, domain: `app.${zone}`, dies_at }
    const { signal, out, err } = await childsEnd(PROGRAM, errand)
    expect(signal, `${dies_at}: ${out}${err}`).toBe(dies_at === null ? null : 'SIGKILL')
    return { directory, zone, env, points: dies_at === null ? pointsIn(out) : [] }
  }
})

interface Life {
  readonly directory: string
  readonly zone: string
  readonly env: Readonly<Record<string, string>>
  readonly points: readonly string[]
}

function pointsIn(said: string): readonly string[] {
  const { status, points } = JSON.parse(said) as {
    readonly status: number
    readonly points: readonly string[]
  }
  expect(status).toBe(200)
  return points
}

const countOf = (text: string, words: string): number => text.split(words).length - 1

/** Every file that holds a private key, whatever it is called. */
const keysBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path, 'utf8').includes('PRIVATE KEY'))
