/**
 * Looks at each deployed domain in rounds, and keeps how that came out for a day. A round begins an interval after the one
 * before began, or when that has ended: no domain is looked at twice within an interval. Domains with one backend share one
 * connection, and eight are open at once. What was counted is written each quarter of an hour and at the end, a row each.
 */
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import { Loop } from '../../kernel/async/loop.ts'
import { mapLimit } from '../../kernel/async/map-limit.ts'
import type { CoreParts } from '../../core/parts.ts'
import type { IntentRow } from '../../model/intent.ts'
import type { CertificateService } from '../certificates/service.ts'
import type { BackendService } from '../domains/backend/service.ts'
import type { SsoService } from '../sso/service.ts'
import { vetted } from '../domains/backend/vetted.ts'
import { type Bucket, BUCKET_MS, BUCKETS, type BucketRow, Buckets } from './buckets.ts'
import { type BackendSeen, type Look, lookOf, newestSince, type ProxySeen } from './look.ts'
import { historyRecords } from './records.ts'

/** Backends, and what the proxy was seen to answer. */
interface Sources extends Pick<CoreParts, 'store' | 'clock' | 'log'> {
  readonly backend: Pick<BackendService, 'probe' | 'own' | 'here'>
  readonly certificates: Pick<CertificateService, 'wire'>
  readonly sso: Pick<SsoService, 'proof'>
}

/** Of the proxy alone, where backends are not looked at. */
const DEFAULT_EVERY_MS: Milliseconds = 300_000
/** Whoever starts the daemon has better things to do first. */
const FIRST_AFTER_MS: Milliseconds = 30_000
const AT_ONCE = 8

const NOT_TRIED: BackendSeen = { reachable: null, failure: null }

export class ProbeHistory {
  /** Between two looks at a domain; null where backends are not looked at. */
  readonly looks_every_ms: Milliseconds | null
  readonly #sources: Sources
  readonly #buckets = new Buckets()
  readonly #loop: Loop
  #last: ReadonlyMap<number, Look> = new Map()
  #is_first = true
  #written_bucket = 0

  constructor(sources: Sources, looks_every_ms: Milliseconds | null) {
    this.#sources = sources
    this.looks_every_ms = looks_every_ms
    const { clock, log } = sources
    this.#loop = new Loop({
      clock,
      failed: (error) => log.warn('backends not looked at', { error }),
      round: async (signal) => {
        if (this.#is_first) {
          this.#is_first = false
          return FIRST_AFTER_MS
        }
        const began_ms = clock.elapsed()
        await this.look(signal)
        return Math.max(1000, this.#every_ms - (clock.elapsed() - began_ms))
      },
    })
  }

  async prepare(): Promise<void> {
    const { store, clock } = this.#sources
    const now = clock.now()
    for (const { started_at, counts } of await store
      .of(historyRecords)
      .probeHistory(now - BUCKETS * BUCKET_MS))
      // A clock that was ahead left buckets that have not begun.
      if (started_at <= now) this.#buckets.restore(started_at, rowsIn(counts))
  }

  start(): void {
    this.#loop.start()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#write(this.#sources.clock.now())
  }

  /** How it came out the last time; null where nobody has looked since the start. */
  last(domain_id: number): Look | null {
    return this.#last.get(domain_id) ?? null
  }

  /** The oldest first. */
  read(domain_id: number, count: number): readonly Bucket[] {
    return this.#buckets.read(domain_id, this.#sources.clock.now(), count)
  }

  /** One look at every deployed domain. Throws the signal's reason. */
  async look(signal: AbortSignal): Promise<void> {
    const { store, clock, log } = this.#sources
    const rows = (await store.intent('released')).rows.filter(isLookedAt)
    const since = clock.now() - this.#every_ms
    const answered = await this.#proxyAnswers()
    const backends = await this.#backendsOf(rows, signal)
    const now = clock.now()
    const looks = rows.map(({ domain_id, fields }): [number, Look] => {
      const seen = backends.get(placeOf(fields)) ?? NOT_TRIED
      return [domain_id, lookOf(now, seen, newestSince(answered(fields.domain), since))]
    })
    for (const [domain_id, { state }] of looks) this.#buckets.add(domain_id, state, now)
    this.#last = new Map(looks)
    await this.#write(now).catch((error: unknown) =>
      log.warn('the history of looks is not written', { error }),
    )
  }

  get #every_ms(): Milliseconds {
    return this.looks_every_ms ?? DEFAULT_EVERY_MS
  }

  async #backendsOf(
    rows: readonly IntentRow[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, BackendSeen>> {
    if (this.looks_every_ms === null) return new Map()
    const places = new Map(
      rows.flatMap(({ fields }) => {
        const { backend_host: host, backend_port: port } = fields
        return host === null || port === null ? [] : [[placeOf(fields), { host, port }] as const]
      }),
    )
    const seen = await mapLimit(places, { at_once: AT_ONCE }, async ([place, backend]) => {
      signal.throwIfAborted()
      return [place, await this.#backendAt(backend, signal)] as const
    })
    return new Map(seen)
  }

  async #backendAt(
    place: { readonly host: string; readonly port: number },
    signal: AbortSignal,
  ): Promise<BackendSeen> {
    const { backend } = this.#sources
    const found = await vetted(place, backend, signal)
    if (!found.ok) return { reachable: found.reason === 'no_such_name' ? false : null, failure: found.reason }
    const seen = await backend.probe.connect(found.place, signal)
    return seen.ok ? { reachable: true, failure: null } : { reachable: false, failure: seen.failure }
  }

  async #proxyAnswers(): Promise<(domain: string) => readonly (ProxySeen | null)[]> {
    const { certificates, sso } = this.#sources
    const wire = new Map(
      ((await certificates.wire?.observations()) ?? []).map(({ domain, observation }) => [
        domain,
        observation,
      ]),
    )
    return (domain) => {
      const shown = wire.get(domain) ?? null
      const proof = sso.proof?.last().get(domain)
      return [
        shown && { at: shown.at, answered: shown.drift !== null, said: shown.detail },
        proof === undefined
          ? null
          : { at: proof.at, answered: proof.result !== 'unknown', said: proof.evidence },
      ]
    }
  }

  /** The bucket of this time, and for the last time the one before it. */
  async #write(now: Instant): Promise<void> {
    const { store } = this.#sources
    const started_at = Math.floor(now / BUCKET_MS) * BUCKET_MS
    const due = this.#written_bucket === started_at ? [] : [this.#written_bucket]
    const rows = [...due, started_at]
      .filter((at) => at > now - BUCKETS * BUCKET_MS)
      .map((at) => ({ started_at: at, counts: JSON.stringify(this.#buckets.rows(at)) }))
      .filter(({ counts }) => counts !== '[]')
    this.#written_bucket = started_at
    if (rows.length === 0) return
    await store.write(async (tx) => {
      const kept = tx.of(historyRecords)
      for (const row of rows) await kept.saveProbeHistory(row)
      await kept.forgetProbeHistory(now - BUCKETS * BUCKET_MS)
    })
  }
}

const isLookedAt = ({ live, fields }: IntentRow): boolean => live && fields.service_type !== 'manual'

const placeOf = ({ backend_host, backend_port }: IntentRow['fields']): string =>
  `${backend_host} ${backend_port}`

const rowsIn = (counts: string): readonly BucketRow[] => JSON.parse(counts) as BucketRow[]
