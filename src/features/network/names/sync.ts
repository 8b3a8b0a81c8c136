/**
 * Gives clients of the controllers the names of the guests whose cards they are.
 *
 * Invariants: a row with the name before stands in the database before each write, and its outcome after it; a write whose
 * outcome is not known is read again and never repeated blindly; a name that a person gave is kept unless they say otherwise;
 * nothing is written while a guest could be hidden, or while the database may be older than the world.
 */
import type { PlannedAnswer } from '../../../core/answers.ts'
import { OF_NO_RECORD } from '../../../core/audit/facts.ts'
import type { Core } from '../../../core/core.ts'
import { ONLY_SAVES } from '../../../core/commit/change.ts'
import { planOutside } from '../../../core/commit/plan-outside.ts'
import type { Caller } from '../../../core/caller.ts'
import type { Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import { clusterSources, lookAtClusters, lookAtControllers } from '../../discovery/looks.ts'
import { type PlacedGuest, placedGuests } from '../../discovery/guests.ts'
import type { ClientNames } from '../../discovery/model/names-port.ts'
import type { DiscoveryService } from '../../discovery/service.ts'
import { type NewRename, type RenameOutcome, renameRecords, type RenameRow } from '../records.ts'
import { ourNames, type PlacedClient, planNames } from './plan.ts'
import { RenameRun } from './run.ts'
import type { SyncAnswer } from '../views.ts'

export interface SyncWish {
  readonly overwrite: boolean
  /** Also more writes than a run makes by itself. */
  readonly confirm: boolean
}

/** A write of an earlier run that was cut off, and what became of it. */
export interface Recovered extends NewRename {
  readonly outcome: RenameOutcome
}

type PlannedSync = SyncAnswer & PlannedAnswer

export type SyncCore = Pick<Core, 'store' | 'clock' | 'log' | 'commit' | 'assertNewest'>

const MAX_UNCONFIRMED = 50

export class NameSync {
  readonly #core: SyncCore
  readonly #lab: DiscoveryService
  #is_running = false

  constructor(core: SyncCore, lab: DiscoveryService) {
    this.#core = core
    this.#lab = lab
  }

  /** Says at the start what an end in the middle of a run left open; the next run settles it. */
  async prepare(): Promise<void> {
    const open = await this.#core.store.of(renameRecords).openRenames()
    if (open.length > 0)
      this.#core.log.warn('renames of clients were cut off; "plumbline network sync-names" settles them', {
        clients: open.map(({ controller, mac, name }) => `${controller} ${mac} ${name}`),
      })
  }

  /** Throws `component_unavailable`, `conflict` while a run is under way, or `refused_by_guard` for many writes. */
  async sync(caller: Caller, wish: SyncWish): Promise<SyncAnswer | PlannedSync> {
    if (caller.dry_run) return this.#sync(caller, wish)
    if (this.#is_running) throw new Failure('conflict', 'Names are being written already, by another call.')
    this.#is_running = true
    try {
      return await this.#sync(caller, wish)
    } finally {
      this.#is_running = false
    }
  }

  async #sync(caller: Caller, { overwrite, confirm }: SyncWish): Promise<SyncAnswer | PlannedSync> {
    const { store, assertNewest } = this.#core
    const { dry_run, signal } = caller
    if (!dry_run) await assertNewest()
    const guests = await this.#guests()
    const read_since = this.#core.clock.elapsed()
    const clients = await this.#clients(signal)
    const recovered = await this.#recover(clients, dry_run)
    const ours = ourNames(await store.of(renameRecords).renames())
    const plan = planNames(guests, clients, { ours, overwrite })
    const { renames, unchanged, skipped } = plan
    const rest = { unchanged, skipped, recovered }
    const is_unconfirmed = renames.length > MAX_UNCONFIRMED && !confirm
    if (dry_run) {
      const plan = await this.#plan(renames, { caller, is_unconfirmed })
      return { ...plan, success: true, renamed: renames, failed: [], ...rest }
    }
    if (is_unconfirmed)
      throw new Failure(
        'refused_by_guard',
        `${renames.length} names would be written, more than ${MAX_UNCONFIRMED}. Look at them with dry_run=true; confirm=true writes them.`,
      )
    const { renamed, failed } = await this.#written(renames, read_since, caller)
    return { success: failed.length === 0, dry_run, renamed, failed, ...rest }
  }

  #plan(
    renames: readonly NewRename[],
    { caller, is_unconfirmed }: { readonly caller: Caller; readonly is_unconfirmed: boolean },
  ): Promise<PlannedAnswer> {
    return planOutside(this.#core.commit, caller, {
      component: 'network',
      actions: renames.map(({ controller, site, mac, name_before: before, name: after }) => ({
        verb: before === null ? 'create' : 'update',
        item: `name of ${mac} at ${controller}/${site}`,
        before,
        after,
      })),
      warnings: is_unconfirmed
        ? [`These are more than ${MAX_UNCONFIRMED} names: confirm=true writes them.`]
        : [],
    })
  }

  async #written(
    renames: readonly NewRename[],
    read_since: Milliseconds,
    caller: Caller,
  ): Promise<Pick<SyncAnswer, 'renamed' | 'failed'>> {
    const run = new RenameRun(this.#core, this.#lab.names, read_since)
    try {
      return await run.write(renames, caller.signal)
    } finally {
      if (run.begun > 0) {
        for (const look of this.#lab.controllers) look.changed()
        await this.#audit(caller, run)
      }
    }
  }

  async #audit(caller: Caller, { begun, renamed }: RenameRun): Promise<void> {
    const detail = { begun, written: renamed.length }
    const audit = [{ action: 'sync_network_names', ...OF_NO_RECORD, detail }]
    try {
      await this.#core.commit(caller, () =>
        Promise.resolve({ result: null, audit, ...ONLY_SAVES, warnings: [] }),
      )
    } catch (error) {
      // The journal has each of them.
      this.#core.log.warn('a run of renames is not in the audit trail', { error, ...detail })
    }
  }

  /** Throws `component_unavailable` while a guest may be hidden: its card could be the one of another. */
  async #guests(): Promise<readonly PlacedGuest[]> {
    const looks = await lookAtClusters(this.#lab)
    if (looks.length === 0) throw notSet('PLUMBLINE_PROXMOX')
    const dark = clusterSources(looks).flatMap(({ name, known, detail, unreadable }) => {
      if (known !== true || detail !== null) return [detail ?? `${name ?? ''} does not answer`]
      return unreadable === 0 ? [] : [`${name ?? ''}: ${unreadable} guests cannot be read`]
    })
    if (dark.length > 0) throw unknown(`Not all guests are known: ${dark.join('; ')}`)
    return placedGuests(looks, [])
  }

  /** Afresh, since names may have changed since the last look. Throws `component_unavailable`. */
  async #clients(signal: AbortSignal): Promise<readonly PlacedClient[]> {
    const looks = await lookAtControllers(this.#lab)
    if (looks.length === 0) throw notSet('PLUMBLINE_UNIFI_URL')
    const clients: PlacedClient[] = []
    for (const { name: controller, look } of looks) {
      if (!look.known) throw unknown(look.detail)
      const names = namesAt(this.#lab.names, controller)
      for (const { site } of look.state.sites) {
        const answer = await names!.all(site, signal)
        if (!answer.known) throw unknown(answer.detail)
        clients.push(...answer.value.map((client) => ({ controller, site, ...client })))
      }
    }
    return clients
  }

  /** What became of writes that were cut off, by what the controllers say now. */
  async #recover(clients: readonly PlacedClient[], dry_run: boolean): Promise<readonly Recovered[]> {
    const { store, clock } = this.#core
    const open = await store.of(renameRecords).openRenames()
    const settled = open.map((row) => ({ row, outcome: outcomeOf(row, clients) }))
    if (!dry_run && settled.length > 0)
      await store.write(async (tx) => {
        for (const { row, outcome } of settled)
          await tx.of(renameRecords).endRename(row.id, { outcome, ended_at: clock.now() })
      })
    return settled.map(({ row, outcome }) => {
      const { controller, site, user_id, mac, name_before, name, guest } = row
      return { controller, site, user_id, mac, name_before, name, guest, outcome }
    })
  }
}

function outcomeOf(row: RenameRow, clients: readonly PlacedClient[]): RenameOutcome {
  const now = clients.find(
    ({ controller, site, id }) => controller === row.controller && site === row.site && id === row.user_id,
  )
  if (now?.name === row.name) return 'written'
  return now !== undefined && now.name === row.name_before ? 'not_written' : 'superseded'
}

const namesAt = (all: readonly ClientNames[], controller: string): ClientNames | undefined =>
  all.find(({ name }) => name === controller)

const notSet = (setting: string): Failure =>
  new Failure('component_unavailable', `No names can be taken over: ${setting} is not set.`)

const unknown = (why: string): Failure =>
  new Failure('component_unavailable', `${why.replace(/\.$/, '')}. Nothing was written.`)
