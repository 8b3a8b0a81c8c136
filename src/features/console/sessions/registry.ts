/**
 * The sign-ins that last, in memory and written through. Each rests on the API key that was shown for it:
 *
 *   12 hours without a call, 7 days at most        it ends
 *   its key was revoked, or has a successor        it ends
 *   sign-out, or somebody ends it from the list    it ends
 *   it is from before sessions had two secrets     it ends
 *
 * Those that an older database brings back have perhaps been ended since: while the world shows that it is older, none of them
 * counts, and all of them end. So the world is told of each end.
 *
 * When each was used last is written now and then: a crash forgets minutes of it, and lets nobody in for longer.
 */
import { randomBytes } from 'node:crypto'
import { Loop } from '../../../kernel/async/loop.ts'
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { newSecret, secretDigest } from '../../../kernel/issued-secret.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Secret } from '../../../kernel/secret.ts'
import type { Store } from '../../../ports/store.ts'
import type { EventLog } from '../../../core/events/event-log.ts'
import type { WorldGuard } from '../../../engine/world/guard.ts'
import type { FoundSession, SessionProof } from '../../../http/access/session.ts'
import { type SessionRow, sessionRecords } from '../records.ts'
import { endOf, hasMoved, takenDown } from './lifetime.ts'
import { actorOf, type By, entry, SHOWN_DIGITS } from './trail.ts'

const SWEPT_EVERY_MS: Milliseconds = 10_000
const USE_SAVED_EVERY_MS: Milliseconds = 5 * 60_000
/** One more ends the one that was used the longest ago. */
const MAX_SESSIONS = 100
/** The same among those that rest on one key. */
const MAX_OF_A_KEY = 20
const ANNOUNCED_WITHIN_MS: Milliseconds = 2000

/** Of an API key, what a sign-in has to know. */
export interface RestingKey {
  readonly id: string
  readonly name: string
  readonly access?: 'read'
}

export interface SessionRegistryParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Null where there is no such key, where it has ended, and where its successor has been issued. */
  readonly lasting: (key_id: string) => RestingKey | null
  readonly world: Pick<WorldGuard, 'announce' | 'failure'>
  readonly events: Pick<EventLog, 'hint'>
}

interface Kept {
  /** As it is saved. */
  row: SessionRow
  created_at: Instant
  used_at: Instant
  readonly ended: AbortController
  /** From before this process. */
  readonly is_old: boolean
}

export interface LastingSession extends FoundSession, Pick<SessionRow, 'client' | 'agent' | 'created_at'> {
  readonly key_name: string
  readonly used_at: Instant
}

export type NewSession = Pick<SessionRow, 'way' | 'client' | 'agent'> & { readonly key: RestingKey }

export interface BegunSession {
  readonly cookie: Secret
  /** For its page, which sends it with what changes something. */
  readonly secret: Secret
  readonly session: LastingSession
}

export class SessionRegistry implements SessionProof {
  readonly #parts: SessionRegistryParts
  #kept: ReadonlyMap<string, Kept> = new Map()
  readonly #loop: Loop
  #has_failed = false

  constructor(parts: SessionRegistryParts) {
    this.#parts = parts
    this.#loop = new Loop({
      clock: parts.clock,
      round: async () => {
        await this.#sweep()
        this.#has_failed = false
        return SWEPT_EVERY_MS
      },
      failed: (error) => {
        if (!this.#has_failed) parts.log.warn('sign-ins of the console not looked at', { error })
        this.#has_failed = true
      },
    })
  }

  async prepare(): Promise<void> {
    const rows = await this.#parts.store.of(sessionRecords).sessions()
    this.#kept = new Map(rows.map((row) => [row.digest, keptOf(row, true)]))
  }

  /** What is read by a session ends with its key at once, and the session itself with the next look. */
  keysChanged(): void {
    for (const kept of this.#kept.values()) if (this.#keyOf(kept) === null) kept.ended.abort()
    this.#loop.wake()
  }

  start(): void {
    this.#loop.start()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    for (const { ended } of this.#kept.values()) ended.abort()
    await this.#saveUse(0).catch((error: unknown) =>
      this.#parts.log.warn('when sign-ins were used last is not kept', { error }),
    )
  }

  find(token: string): FoundSession | null {
    const kept = this.#kept.get(sha256([token]))
    const key = kept === undefined ? null : this.#keyOf(kept)
    if (kept === undefined || key === null) return null
    kept.used_at = this.#parts.clock.now()
    return shown(kept, key)
  }

  /** The oldest first. */
  list(): readonly LastingSession[] {
    return [...this.#kept.values()].flatMap((kept) => {
      const key = this.#keyOf(kept)
      return key === null ? [] : [shown(kept, key)]
    })
  }

  /** Durable, with its entry in the trail, when it resolves. The cookie and the secret of the page are kept nowhere. */
  async begin(asked: NewSession, by: Omit<By, 'actor'>): Promise<BegunSession> {
    const { store, clock } = this.#parts
    const [cookie, secret] = [newSecret(), newSecret()]
    const at = clock.now()
    const { key, way, client, agent } = asked
    const row = {
      id: this.#newId(),
      digest: secretDigest(cookie),
      secret_digest: secretDigest(secret),
      way,
      key_id: key.id,
      client,
      agent,
      created_at: at,
      used_at: at,
    }
    const surplus = this.#surplus(key.id)
    await store.write(async (tx) => {
      await tx.of(sessionRecords).insertSession(row)
      await tx.audit(
        entry('sign_in', row, { ...by, actor: actorOf(row), at, detail: { way, key: key.name, client } }),
      )
      for (const one of surplus) {
        await tx.of(sessionRecords).deleteSession(one.id)
        await tx.audit(
          entry('end_sign_in', one, { ...by, actor: actorOf(row), at, detail: { why: 'too_many' } }),
        )
      }
    })
    const kept = keptOf(row, false)
    this.#kept = new Map([...this.#kept, [row.digest, kept]])
    this.#drop(surplus)
    this.#tell('Somebody has signed in.')
    return { cookie, secret, session: shown(kept, key) }
  }

  /** At once, and durable when it resolves. False where there is none. */
  async end(id: string, action: 'sign_out' | 'end_sign_in', by: By): Promise<boolean> {
    const found = [...this.#kept.values()].find(({ row }) => row.id === id)
    if (found === undefined) return false
    const { store, clock } = this.#parts
    await store.write(async (tx) => {
      await tx.of(sessionRecords).deleteSession(id)
      await tx.audit(entry(action, found.row, { ...by, at: clock.now(), detail: {} }))
    })
    this.#drop([found.row])
    await this.#announce()
    return true
  }

  #keyOf(kept: Kept): RestingKey | null {
    return this.#whyOver(kept) === null ? this.#parts.lasting(kept.row.key_id) : null
  }

  /** Null where only its key may have ended. */
  #whyOver(kept: Kept): 'no_secret' | 'time' | 'older_database' | null {
    if (kept.row.secret_digest === null) return 'no_secret'
    if (endOf(kept) <= this.#parts.clock.now()) return 'time'
    return kept.is_old && this.#parts.world.failure() !== null ? 'older_database' : null
  }

  /** Durable by now, whether or not the world takes it. */
  async #announce(): Promise<void> {
    const { world, log } = this.#parts
    if (world.failure() !== null) return
    await world
      .announce(AbortSignal.timeout(ANNOUNCED_WITHIN_MS))
      .catch((error: unknown) => log.warn('the world was not told of the end of a sign-in', { error }))
  }

  #tell(message: string): void {
    this.#parts.events.hint('session', message)
  }

  #drop(rows: readonly SessionRow[]): void {
    const dropped = new Set(rows.map(({ digest }) => digest))
    for (const digest of dropped) this.#kept.get(digest)?.ended.abort()
    this.#kept = new Map([...this.#kept].filter(([digest]) => !dropped.has(digest)))
    if (dropped.size > 0) this.#tell('A sign-in has ended.')
  }

  /** Of one key first: whoever signs in again and again pushes out nobody else. */
  #surplus(key_id: string): readonly SessionRow[] {
    const all = [...this.#kept.values()].toSorted((a, b) => a.used_at - b.used_at)
    const of_key = all.filter(({ row }) => row.key_id === key_id)
    const surplus =
      of_key.length >= MAX_OF_A_KEY
        ? of_key.slice(0, of_key.length - MAX_OF_A_KEY + 1)
        : all.slice(0, Math.max(0, all.length - MAX_SESSIONS + 1))
    return surplus.map(({ row }) => row)
  }

  /** People tell sign-ins apart by the first digits. */
  #newId(): string {
    const taken = new Set([...this.#kept.values()].map(({ row }) => row.id.slice(0, SHOWN_DIGITS)))
    for (;;) {
      const id = randomBytes(8).toString('hex')
      if (!taken.has(id.slice(0, SHOWN_DIGITS))) return id
    }
  }

  async #sweep(): Promise<void> {
    const { store, clock } = this.#parts
    const over = [...this.#kept.values()].filter((kept) => this.#keyOf(kept) === null)
    if (over.length > 0) {
      const at = clock.now()
      await store.write(async (tx) => {
        for (const kept of over) {
          const { row } = kept
          const why = this.#whyOver(kept) ?? 'key_ended'
          await tx.of(sessionRecords).deleteSession(row.id)
          await tx.audit(
            entry('end_sign_in', row, { actor: 'plumbline', request_id: row.id, at, detail: { why } }),
          )
        }
      })
      this.#drop(over.map(({ row }) => row))
    }
    await this.#saveUse(USE_SAVED_EVERY_MS)
  }

  async #saveUse(least_ms: Milliseconds): Promise<void> {
    const { store, clock } = this.#parts
    const now = clock.now()
    for (const kept of this.#kept.values()) Object.assign(kept, takenDown(kept, now))
    const moved = [...this.#kept.values()].filter((kept) => hasMoved(kept.row, kept, least_ms))
    if (moved.length === 0) return
    const rows = moved.map(({ row, created_at, used_at }) => ({ ...row, created_at, used_at }))
    await store.write(async (tx) => {
      for (const row of rows) await tx.of(sessionRecords).saveSessionTimes(row)
    })
    for (const [at, kept] of moved.entries()) kept.row = rows[at]!
  }
}

const keptOf = (row: SessionRow, is_old: boolean): Kept => ({
  row,
  created_at: row.created_at,
  used_at: row.used_at,
  ended: new AbortController(),
  is_old,
})

function shown(kept: Kept, key: RestingKey): LastingSession {
  const { row, created_at, used_at, ended } = kept
  const { id, secret_digest, way, client, agent } = row
  return {
    id,
    actor: actorOf(row),
    way,
    client,
    agent,
    created_at,
    used_at,
    key_name: key.name,
    reads_only: key.access === 'read',
    expires_at: endOf(kept),
    ended: ended.signal,
    isProvenBy: (secret) => sha256([secret]) === secret_digest,
  }
}
