/** What a dead child left, and what the next start makes of it. Only looks and restarts; `invariants.ts` judges. */
import { Failure } from '../../src/kernel/failure.ts'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../src/settings-wiring.ts'
import { buildDaemon, type Daemon } from '../../src/build-daemon.ts'
import { sha256 } from '../../src/kernel/digest.ts'
import { silentLog } from '../../src/kernel/log.ts'
import type { Report } from '../../src/model/report.ts'
import type { Applied, Store } from '../../src/ports/store.ts'
import { brokenPromises } from '../broken-promises.ts'
import { clientOf } from '../flows/client.ts'
import { inProcessRules } from '../kit/in-process-rules.ts'
import { Failpoints, isWriting } from './failpoints.ts'
import { dataIn, environmentFor, routesPath, worldIn } from './order.ts'
import { untilGood } from './settled.ts'
import { type State, stateOf } from './state.ts'
import { readTrail, type Trail } from './trail.ts'
import { pointedFile, pointedStore } from './wrap.ts'

export type Aftermath =
  | { readonly started: true; readonly next: NextStart }
  /** Why the next start failed. */
  | { readonly started: false; readonly refused: string }

export interface NextStart extends Trail {
  /** What was recorded as written when it started. */
  readonly applied: readonly Applied[]
  readonly converged: boolean
  readonly reports: readonly Report[]
  readonly state: State
  /** SHA-256 of the routes file, as all the following once the world was true or the patience over. */
  readonly file: string | null
  readonly drift: Drift
  /** What a second pass over everything wrote. */
  readonly rewritten: readonly string[]
  /** Paths below the data directory and the proxy's, once the daemon has stopped. */
  readonly paths: readonly string[]
  /** Digests of the overwritten contents that were kept. */
  readonly evidence: readonly string[]
  /** Invariants that the database broke, as the dead child left it and at the end. */
  readonly promises: readonly string[]
}

export interface Drift {
  readonly drift: boolean | null
  readonly causes: readonly string[]
  readonly pending: readonly number[]
}

export const routesDigest = (folder: string): string | null => digestAt(routesPath(folder))

/** @param patience_ms how long the next start may take to make the world true. */
export async function aftermathIn(folder: string, patience_ms: number): Promise<Aftermath> {
  const left = brokenPromises(dataIn(folder), 'at death')
  const seen: Seen = { store: null, applied: [], points: new Failpoints() }
  let house: Daemon
  try {
    house = await restart(folder, seen)
  } catch (error) {
    return { started: false, refused: String(error) }
  }
  let met: Met
  try {
    met = await meet(house, seen, patience_ms)
  } catch (error) {
    // It listens, but writes nothing outside any more: its database has lost what the world has.
    if (error instanceof Failure && error.code === 'restored_from_backup')
      return { started: false, refused: error.message }
    throw error
  } finally {
    await house.close()
  }
  const data = dataIn(folder)
  const world = worldIn(folder)
  const paths = [...new Set([data, world])].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }),
  )
  const promises = [...left, ...brokenPromises(data, 'at rest')]
  return {
    started: true,
    next: { ...met, paths, promises, evidence: evidenceIn(world), ...readTrail(data) },
  }
}

interface Seen {
  store: Store | null
  applied: readonly Applied[]
  readonly points: Failpoints
}

function restart(folder: string, seen: Seen): Promise<Daemon> {
  return buildDaemon(loadConfig(environmentFor(folder)), {
    log: silentLog,
    invariants: inProcessRules,
    wrap: {
      store: (store) => {
        seen.store = store
        const overheard = { ...store, applied: async () => (seen.applied = await store.applied()) }
        return pointedStore(overheard, seen.points)
      },
      file: (file) => pointedFile(file, seen.points),
    },
  })
}

type Met = Omit<NextStart, keyof Trail | 'paths' | 'evidence' | 'promises'>

async function meet(house: Daemon, seen: Seen, patience_ms: number): Promise<Met> {
  await house.open()
  const converged = await untilGood(house.engine, patience_ms)
  const reports = house.engine.lastReports()
  const drift = await driftOf(house)
  // What the first passes have still to write down is theirs.
  await house.engine.conditions()
  const before = seen.points.reached.length
  await house.engine.converge('open')
  return {
    applied: seen.applied,
    converged,
    reports,
    drift,
    rewritten: seen.points.reached.slice(before).filter(isWriting),
    state: await stateOf(seen.store!),
    file: digestAt(house.routes_path),
  }
}

async function driftOf(house: Daemon): Promise<Drift> {
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

/** Beside the proxy's folder, or hidden in it where that was full or closed. */
function evidenceIn(world: string): string[] {
  const paths = readdirSync(world, { recursive: true, encoding: 'utf8' })
  const kept = paths.filter((path) => /(^|\/)(\.plumbline-)?evidence-/.test(path))
  return kept.flatMap((path) => digestAt(join(world, path)) ?? [])
}

const digestAt = (path: string): string | null => (existsSync(path) ? sha256([readFileSync(path)]) : null)
