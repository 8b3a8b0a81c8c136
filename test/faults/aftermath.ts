/** What a dead child left, and what the next start makes of it. Only looks and restarts; `invariants.ts` judges. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { loadConfig } from '../../src/config/load.ts'
import { buildHouse, type House } from '../../src/house.ts'
import { sha256 } from '../../src/kernel/digest.ts'
import { silentLog } from '../../src/kernel/log.ts'
import type { Report } from '../../src/model/report.ts'
import type { Applied, JournalStep, Store } from '../../src/ports/store.ts'
import { clientOf } from '../flows/client.ts'
import { Failpoints, isWriting } from './failpoints.ts'
import { dataIn, environmentFor } from './order.ts'
import { untilGood } from './settled.ts'
import { type State, stateOf } from './state.ts'
import { pointedFile, pointedStore } from './wrap.ts'

export interface Aftermath {
  /** SHA-256 of the routes file as the child left it; null when there was none. */
  readonly file_found: string | null
  /** Why the next start failed, else null. Then nothing below is known. */
  readonly refused: string | null
  readonly next: NextStart | null
}

export interface NextStart {
  /** The journal and the memory as the restart found them. */
  readonly open_steps: readonly JournalStep[]
  readonly applied: readonly Applied[]
  readonly converged: boolean
  readonly reports: readonly Report[]
  readonly state: State
  readonly file: string | null
  readonly left_open: number
  readonly drift: Drift
  /** What a second pass over everything wrote. */
  readonly rewritten: readonly string[]
  /** Paths below the data directory, once the daemon has stopped. */
  readonly paths: readonly string[]
  /** Digests of the overwritten contents that were kept. */
  readonly evidence: readonly string[]
  readonly audit: readonly string[]
}

export interface Drift {
  readonly drift: boolean | null
  readonly causes: readonly string[]
  readonly pending: readonly number[]
}

const ROUTES = 'traefik/routes.yml'
const SIBLING = '.traefik.plumbline'

/** @param patience_ms how long the next start may take to make the world true. */
export async function aftermathIn(folder: string, patience_ms: number): Promise<Aftermath> {
  const data = dataIn(folder)
  const file_found = digestAt(join(data, ROUTES))
  const seen: Seen = { store: null, open_steps: [], applied: [], points: new Failpoints() }
  let house: House
  try {
    house = await restart(folder, seen)
  } catch (error) {
    return { file_found, refused: String(error), next: null }
  }
  try {
    const met = await meet(house, seen, patience_ms)
    const file = digestAt(join(data, ROUTES))
    await house.close()
    return { file_found, refused: null, next: { ...met, file, ...leftIn(data) } }
  } finally {
    await house.close()
  }
}

interface Seen {
  store: Store | null
  open_steps: readonly JournalStep[]
  applied: readonly Applied[]
  readonly points: Failpoints
}

function restart(folder: string, seen: Seen): Promise<House> {
  return buildHouse(loadConfig(environmentFor(folder)), {
    log: silentLog,
    wrap: {
      store: (store) => {
        seen.store = store
        return pointedStore(overheard(store, seen), seen.points)
      },
      file: (file) => pointedFile(file, seen.points),
    },
  })
}

/** Notes what the start reads of journal and memory before it closes what it finds. */
const overheard = (store: Store, seen: Seen): Store => ({
  ...store,
  openSteps: async () => (seen.open_steps = await store.openSteps()),
  applied: async () => (seen.applied = await store.applied()),
})

async function meet(house: House, seen: Seen, patience_ms: number) {
  await house.open()
  const converged = await untilGood(house.engine, patience_ms)
  const reports = house.engine.lastReports()
  const drift = await driftOf(house)
  const before = seen.points.reached.length
  await house.engine.converge('open')
  return {
    open_steps: seen.open_steps,
    applied: seen.applied,
    converged,
    reports,
    drift,
    rewritten: seen.points.reached.slice(before).filter(isWriting),
    state: await stateOf(seen.store!),
    left_open: (await seen.store!.openSteps()).length,
  }
}

async function driftOf(house: House): Promise<Drift> {
  const { body } = await clientOf(house)('GET', '/api/domains/drift')
  const { drift, differences, pending } = body as unknown as {
    drift: boolean | null
    differences: readonly { cause: string }[]
    pending: readonly { domain_id: number }[]
  }
  return {
    drift,
    causes: differences.map(({ cause }) => cause),
    pending: pending.map(({ domain_id }) => domain_id),
  }
}

function leftIn(data: string): Pick<NextStart, 'paths' | 'evidence' | 'audit'> {
  const sibling = join(data, SIBLING)
  const kept = existsSync(sibling) ? readdirSync(sibling).filter((name) => name.startsWith('evidence-')) : []
  return {
    paths: readdirSync(data, { recursive: true, encoding: 'utf8' }),
    evidence: kept.flatMap((name) => digestAt(join(sibling, name)) ?? []),
    audit: auditIn(data),
  }
}

/** The trail as `action id`, in order. Read past the store, which only writes it. */
export function auditIn(data: string): string[] {
  const database = new Database(join(data, 'plumbline.db'), { readonly: true, fileMustExist: true })
  try {
    return database
      .prepare<[], string>(`SELECT action || ' ' || COALESCE(domain_id, '-') FROM audit ORDER BY id`)
      .pluck()
      .all()
  } finally {
    database.close()
  }
}

const digestAt = (path: string): string | null => (existsSync(path) ? sha256([readFileSync(path)]) : null)
