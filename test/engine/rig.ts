/** An engine over a real store in a temporary directory and one fake target. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../src/store/open.ts'
import { layInstallation } from '../kit/new-installation.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { AnyFamily, AnyTarget } from '../../src/engine/target.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { silentMetrics } from '../fakes/silent-metrics.ts'
import { checkNew } from '../../src/model/domain/rules.ts'
import { rowOf } from '../../src/model/intent.ts'
import type { Mode } from '../../src/model/mode.ts'
import type { Store } from '../../src/ports/store.ts'
import type { ReleaseHead } from '../../src/ports/records/trails.ts'
import { fakeTarget, type FakeWorld, fakeWorld } from './fake-target.ts'
import { wholeWorld } from './whole-world.ts'

const OFFER = {
  tcp_entrypoints: ['tcp'],
  tls_entrypoint: 'websecure',
  middlewares: new Map(),
  open_paths: new Map(),
  backend_authorities: new Set<string>(),
} as const

export interface Rig {
  readonly store: Store
  readonly engine: Engine
  readonly world: FakeWorld
  /** Saves one live domain on the port and releases it. */
  release(domain: string, backend_port: number): Promise<ReleaseHead | null>
  /** Saves without releasing. */
  save(domain: string, backend_port: number): Promise<number>
  /** As after a crash: a new engine over what the disk holds. The old one is simply forgotten. */
  restart(options?: RigOptions): Promise<Rig>
  [Symbol.asyncDispose](): Promise<void>
}

export interface RigOptions {
  readonly mode?: Mode
  readonly world?: FakeWorld
  readonly target?: Partial<AnyTarget>
  /** Beside the one of the world. */
  readonly others?: readonly AnyTarget[]
  readonly families?: readonly AnyFamily[]
  readonly directory?: string
  readonly started?: boolean
}

export async function openRig(options: RigOptions = {}): Promise<Rig> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'plumbline-engine-'))
  const world = options.world ?? fakeWorld()
  await layInstallation(directory)
  const store = await openStore({ directory, log: silentLog, clock: systemClock })
  const engine = new Engine({
    store,
    targets: [fakeTarget(world, options.target), ...(options.others ?? []), ...(options.families ?? [])],
    clock: systemClock,
    log: silentLog,
    metrics: silentMetrics,
    random: () => 0.5,
    world: wholeWorld(store),
    carryOver: async () => undefined,
    mode: options.mode ?? 'repair',
    protection: () => null,
  })
  await engine.prepare()
  if (options.started !== false) engine.start()
  const save = (domain: string, backend_port: number) =>
    store.write(async (tx) => {
      const wanted = {
        domain,
        backend_host: '10.0.0.1',
        backend_port,
        service_type: 'http',
        environment: 'production',
      }
      const checked = checkNew(wanted, OFFER)
      if (!checked.ok) throw new Error(JSON.stringify(checked.errors))
      const present = await tx.domainByName(domain)
      const change = { fields: checked.fields, status: 'active' } as const
      const record = present ?? (await tx.insertDomain(checked.fields, Date.now()))
      return (await tx.reviseDomain(record.id, change, Date.now())).id
    })
  return {
    store,
    engine,
    world,
    save,
    release: async (domain, backend_port) => {
      const id = await save(domain, backend_port)
      const head = await store.write(async (tx) => {
        const record = (await tx.domain(id))!
        const rows = [{ domain_id: id, row: rowOf(record) }]
        return engine.release(tx, {
          rows,
          actor: 'test',
          request_id: '',
          reason: 'test',
          plan_hash: null,
          warnings: [],
        })
      })
      engine.onReleased()
      return head
    },
    restart: async (again = {}) => {
      await engine.stop(0)
      await store.close()
      return openRig({ directory, world, ...again })
    },
    [Symbol.asyncDispose]: async () => {
      await engine.stop(1000)
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
