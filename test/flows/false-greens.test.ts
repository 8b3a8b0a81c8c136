/**
 * The hunt for false greens: whatever is changed behind the daemon's back is in the endpoint of its own at once, and on the
 * health page in time, on the house's clock. A sample of the ways in every run, at night all; the table is printed at the end.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TIER, byTier } from '../kit/tier.ts'
import { describePeersInDepth } from '../peers/peers.ts'
import { type Catch, FILES_MS, hunt, huntInNew, isCaught, tableOf, type Way } from './false-greens.ts'
import { CERTIFICATE_WAYS } from './false-greens-certificates.ts'
import { DATABASE_WAYS } from './false-greens-databases.ts'
import { FILE_WAYS } from './false-greens-files.ts'
import { LOCK_WAYS } from './false-greens-locks.ts'
import { PROXY_WAYS } from './false-greens-proxy.ts'
import { openServedHouse, SERVED_WAYS, type ServedHouse } from './false-greens-served.ts'
import { LOSSES, openSmallHouse, SMALL_WAYS, type SmallHouse } from './false-greens-small.ts'
import { ZONE_WAYS } from './false-greens-zones.ts'
import { HEALTH_PROGRAMS } from './health-peers.ts'
import { type HealthWorld, openHealthWorld } from './health-world.ts'

const WAYS: readonly Way<HealthWorld>[] = [
  ...FILE_WAYS,
  ...LOCK_WAYS,
  ...CERTIFICATE_WAYS,
  ...ZONE_WAYS,
  ...DATABASE_WAYS,
  ...PROXY_WAYS,
]
/** All at night, else one in `nth`, beginning with the first; in the gate a third of these. */
const tried = <T>(ways: readonly T[], nth: number): readonly T[] =>
  TIER === 'nightly' ? ways : ways.filter((_, i) => i % byTier(3 * nth, nth) === 0)

const catches: Catch[] = []
afterAll(() => void process.stdout.write(`${tableOf(catches)}\n`))

function judge(found: Catch): void {
  catches.push(found)
  if (found.aside === null) expect(isCaught(found), tableOf([found])).toBe(true)
}

describe('what is done to the database and to what says how far the world is', () => {
  it.each(tried(LOSSES, 6))('$title', async (way) => {
    judge(await huntInNew(openSmallHouse, way))
  })
})

describe('what is changed in the files of a small house', () => {
  let house: SmallHouse
  beforeAll(async () => {
    house = await openSmallHouse()
  })
  afterAll(() => house[Symbol.asyncDispose]())

  it.each(tried(SMALL_WAYS, 6))('$title', async (way) => {
    judge(await hunt(house, way))
  })
})

describe('what a proxy shows a name in a handshake', () => {
  let house: ServedHouse
  beforeAll(async () => {
    house = await openServedHouse()
  })
  afterAll(() => house[Symbol.asyncDispose]())

  it.each(tried(SERVED_WAYS, 2))('$title', async (way) => {
    judge(await hunt(house, way))
  })
})

/** Logins over SFTP and ten minutes take their time. */
const QUICK = WAYS.filter(({ aside, within_ms }) => aside === undefined && within_ms === FILES_MS)

// In the gate the small houses above stand for it.
describePeersInDepth(HEALTH_PROGRAMS, 'what is changed behind the back of a whole house', () => {
  let world: HealthWorld
  beforeAll(async () => {
    world = await openHealthWorld()
    await world.mode('observe')
  })
  afterAll(() => world[Symbol.asyncDispose]())

  it.each(TIER === 'nightly' ? WAYS : tried(QUICK, 9))('$title', async (way) => {
    judge(await hunt(world, way))
  })
})
