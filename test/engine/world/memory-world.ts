/** A trail and holders in memory, so that the guard's rules can be tried without files. They keep their contracts. */
import { WorldGuard } from '../../../src/engine/world/guard.ts'
import type { WorldGuardParts } from '../../../src/engine/world/guard-parts.ts'
import { RESUMED, type Trail } from '../../../src/engine/world/history.ts'
import type { Facts, Log } from '../../../src/kernel/log.ts'
import { markOf } from '../../../src/model/world-stamp.ts'
import type { AuditEntry, AuditRecord } from '../../../src/ports/records/trails.ts'
import type { HeldWorld, HolderStamp, WorldHolder } from '../../../src/ports/world-holder.ts'

const OURS = 'ours'
/** What is held beside each number. */
export const CONTENT = { release: 4, rows: [], present: [7], ssh_clients: [], people: [] }

export const auditEntry = (action: string, detail: object = {}): AuditEntry => ({
  at: 1,
  actor: 'test',
  request_id: '',
  action,
  domain_id: null,
  domain: null,
  revision_before: null,
  revision_after: null,
  plan_hash: null,
  detail: { ...detail },
})

export interface MemoryTrail extends Trail {
  /** Commits so many changes. */
  change(most?: number): void
  /** A person's decision over the world up to a number, above which it stands itself. */
  decide(world_number: number): void
  /** The stamp of a change of this database. */
  stampOf(number: number): HolderStamp
  /** How often it was asked. */
  readonly asked: () => number
}

function memoryTrail(): MemoryTrail {
  const records: AuditRecord[] = []
  let asked = 0
  const newest = () => records.at(-1)?.id ?? 0
  return {
    installation_id: OURS,
    asked: () => asked,
    async auditTrail({ action, before = Infinity, limit }) {
      asked++
      return records
        .filter((record) => record.id < before && (action === undefined || record.action === action))
        .toReversed()
        .slice(0, limit)
    },
    change(most = 1) {
      for (let i = 0; i < most; i++) records.push({ id: newest() + 1, ...auditEntry('create') })
    },
    decide: (world_number) =>
      void records.push({
        id: Math.max(newest(), world_number) + 1,
        ...auditEntry(RESUMED, { world_number }),
      }),
    stampOf: (number) => ({
      installation_id: OURS,
      number,
      mark: markOf(records.find(({ id }) => id === number)!),
      signed: true,
    }),
  }
}

export interface MemoryHolder extends WorldHolder {
  stands: HolderStamp | null
  /** What a look or a write fails with, instead of working. */
  fault: Error | null
  refusal: Error | null
  /** Its glance says nothing. */
  is_blind: boolean
  reads: number
  readonly writes: HeldWorld[]
}

export function memoryHolder(world: string): MemoryHolder {
  const path = `/${world}/held`
  const holder: MemoryHolder = {
    world,
    place: path,
    stands: null,
    fault: null,
    refusal: null,
    is_blind: false,
    reads: 0,
    writes: [],
    glance: () => (holder.is_blind ? null : JSON.stringify([holder.stands, holder.fault?.message])),
    async stamp() {
      holder.reads++
      if (holder.fault !== null) throw holder.fault
      return holder.stands
    },
    async read() {
      if (holder.fault !== null) throw holder.fault
      const { stands } = holder
      return {
        signed: stands?.signed === true ? { path, stamp: stands, content: CONTENT } : null,
        unsigned: stands?.signed === false ? [path] : [],
      }
    },
    async write(held) {
      if (holder.refusal !== null) throw holder.refusal
      holder.writes.push(held)
      holder.stands = { ...held.stamp, signed: true }
    },
  }
  return holder
}

/** A stamp of our installation that no change of its database has. */
export const newer = (number: number): HolderStamp => ({
  installation_id: OURS,
  number,
  mark: '0123456789abcdef',
  signed: true,
})

export interface Line {
  readonly level: keyof Log
  readonly message: string
  readonly facts: Facts
}

/** A guard over two holders, `routes` and `keys`, at change 2. */
export function memoryWorld(over: Partial<WorldGuardParts> = {}) {
  const trail = memoryTrail()
  trail.change(2)
  const routes = memoryHolder('routes')
  const keys = memoryHolder('keys')
  const lines: Line[] = []
  const line =
    (level: keyof Log) =>
    (message: string, facts: Facts = {}) =>
      void lines.push({ level, message, facts })
  const log: Log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
  const guard = new WorldGuard({
    store: trail,
    content: async () => CONTENT,
    holders: [routes, keys],
    older_database: 'wait',
    log,
    ...over,
  })
  return { guard, trail, routes, keys, lines }
}
