/** A daemon that is killed on its way back from what its proxy did not take, and what the next ones make of it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type FakeTraefik, startFakeTraefik } from '../fakes/traefik/traefik.ts'
import { childsEnd } from '../kit/child.ts'
import { programOf } from '../kit/programs.ts'
import type { GoBackOrder } from './children/go-back.ts'
import { hurriedClock } from './proxy-house.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'

const CHILD = programOf(new URL('children/go-back.ts', import.meta.url))

interface Life {
  readonly killed: boolean
  /** At which it could have been killed; none of one that was. */
  readonly points: readonly string[]
}

export interface Trial {
  readonly env: Readonly<Record<string, string>>
  /** Leaves what the proxy will not take ready to be deployed. */
  readonly prepare: (at: TestHouse, traefik: FakeTraefik) => Promise<Prepared>
}

export interface Prepared {
  /** Is posted to deploy it. */
  readonly path: string
  /** What every daemon after it must come to. */
  readonly check: (at: TestHouse, message: string) => Promise<void>
}

/** One life that ends at this point (null: that lives), and two after it. */
export async function killedAt(dies_at: string | null, { env: more, prepare }: Trial): Promise<Life> {
  const traefik = await startFakeTraefik()
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-killed-'))
  const env = {
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_DATA_DIR: directory,
    // As the houses of this process have them: another rendering would not go back.
    PLUMBLINE_CERT_RESOLVER: 'letsencrypt',
    PLUMBLINE_ENTRYPOINTS: 'web=80,websecure=443',
    PLUMBLINE_TRAEFIK_API: traefik.origin,
    ...more,
  }
  const options = { env, directory, clock: hurriedClock() }
  try {
    const before = await openTestHouse(options)
    traefik.follow(before.house.routes_path)
    const { path, check } = await prepare(before, traefik)
    await before.house.close()
    const life = await live({ env, path, dies_at })
    let at = await openTestHouse(options)
    try {
      await check(at, `${dies_at}`)
      at = await at.reopen()
      await check(at, `${dies_at}, started once more`)
    } finally {
      await at.house.close()
    }
    return life
  } finally {
    rmSync(directory, { recursive: true, force: true })
    await traefik.stop()
  }
}

async function live(order: GoBackOrder): Promise<Life> {
  const { code, signal, out, err } = await childsEnd(CHILD, order)
  if (signal === 'SIGKILL') return { killed: true, points: [] }
  expect(code, `${order.dies_at}: ${err}`).toBe(0)
  const { status, points } = JSON.parse(out) as { status: number; points: readonly string[] }
  expect(status).toBe(502)
  return { killed: false, points }
}

/** What is written in the background (conditions, events) is not always in the same number of writes. */
const MAX_MISSED = 2

export async function killedAtEach(points: readonly string[], trial: Trial): Promise<void> {
  let killed = 0
  for (const point of points) if ((await killedAt(point, trial)).killed) killed++
  expect(killed).toBeGreaterThanOrEqual(points.length - MAX_MISSED)
}
