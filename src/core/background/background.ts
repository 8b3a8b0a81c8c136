/**
 * Calls that go on after their caller was answered. Each has a row from before its first step, ends once, and answers
 * to nobody's connection: only the end of the daemon cuts it short.
 */
import { randomUUID } from 'node:crypto'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import { waitAtMost } from '../../kernel/async/wait-at-most.ts'
import type { Store } from '../../ports/store.ts'
import type { Committed, NewOperation, OperationQuery, StoredOperation } from '../../ports/records/trails.ts'
import type { EventLog } from '../events/event-log.ts'
import { type OperationView, operationView } from './operation.ts'
import { type Reader, type Shares, usedUp } from '../shares.ts'
import type { Subjects } from '../subjects.ts'
import type { StepView } from '../../model/operation/progress.ts'
import type { OperationProgress } from './progress.ts'

const KEPT_MS: Milliseconds = 7 * 24 * 3_600_000
/** Each holds its inputs in memory and waits for the one writer. */
const MAX_RUNNING: Shares = { all: 256, readers: 64, reader: 16 }
/** Of so many that have ended it is still told what each did with the world. */
const MAX_ENDED = 256
/** A caller who does not say how long it waits has an answer within this time: what takes longer goes on as an operation. */
const CALLERS_WAIT_MS: Milliseconds = 10_000
/** Callers count from their first byte to our last, and many give up at ten seconds sharp. */
export const ANSWER_TIMEOUT_MS: Milliseconds = CALLERS_WAIT_MS - 1000
/** As long as a caller may say that it waits (`Prefer: wait`). */
export const MAX_WAIT_MS: Milliseconds = 300_000
const BUSY_RETRY_MS: Milliseconds = 2000
/** A timer may be late by this much on a busy host. */
const LATE_MS: Milliseconds = 10_000
/** How long calls that were cut short may take to notice. */
const DRAIN_MS: Milliseconds = 500

export interface BackgroundParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly events: EventLog
}

export interface BackgroundAnswer {
  readonly status: number
  readonly body: string
}

/** Does the call. Expected trouble is an answer, too; what it throws was not expected. */
export type BackgroundWork = (signal: AbortSignal) => Promise<BackgroundAnswer>

export interface BackgroundRequest extends Omit<NewOperation, 'id' | 'created_at'> {
  /** Left out where the work has nothing to tell. */
  readonly progress?: OperationProgress
  /** Whom it turns out to be about. */
  readonly subjects?: Subjects
  /** The name of a caller who may only look or shows no key; left out: the caller may change. */
  readonly reader?: Reader
}

interface Running {
  readonly ended: Promise<void>
  readonly progress: OperationProgress | undefined
}

export class Background {
  readonly #parts: BackgroundParts
  readonly #stop = new AbortController()
  readonly #running = new Map<string, Running>()
  /** By operation, of those that have ended; the oldest first. */
  readonly #steps = new Map<string, readonly StepView[]>()
  readonly #taken = new Set<{ readonly reader: Reader }>()
  #closing = false

  constructor(parts: BackgroundParts) {
    this.#parts = parts
  }

  /** What ran when the process ended will never end by itself. */
  async prepare(): Promise<void> {
    const { store, clock, log } = this.#parts
    const interrupted = await store.write((tx) => tx.interruptOperations(clock.now()))
    if (interrupted > 0) log.warn('operations were interrupted', { count: interrupted })
  }

  /** Aborts when calls that still run are cut short. */
  get ending(): AbortSignal {
    return this.#stop.signal
  }

  /** Resolves when a caller has waited long enough for an answer, or as long as it wants to; rejects with the signal. */
  answerTimeout(signal: AbortSignal, wanted_ms: Milliseconds | null = null): Promise<void> {
    return this.#parts.clock.sleep(Math.min(wanted_ms ?? ANSWER_TIMEOUT_MS, MAX_WAIT_MS), signal)
  }

  /** Begins the work and resolves when that it began is durable. Throws `component_unavailable` or `shutting_down`. */
  async start(
    { progress, subjects, reader = null, ...request }: BackgroundRequest,
    work: BackgroundWork,
  ): Promise<OperationView> {
    if (this.#closing) throw new Failure('shutting_down', 'The daemon is shutting down; ask again later.')
    this.#assertFree(reader)
    const begun: NewOperation = { ...request, id: randomUUID(), created_at: this.#parts.clock.now() }
    const taken = await this.#take(reader, begun)
    progress?.onStep((step) => this.#hint(begun, step))
    this.#running.set(begun.id, {
      ended: this.#run(begun, work, subjects).finally(() => this.#taken.delete(taken)),
      progress,
    })
    const running = { ...begun, state: 'running', ended_at: null, status: null, body: null } as const
    return this.#view(running)
  }

  #assertFree(reader: Reader): void {
    const used_up = usedUp(this.#taken, reader, MAX_RUNNING)
    if (used_up === null) return
    const of = used_up === 'all' ? '' : ' for those who may only look or show no key'
    throw new Failure(
      'component_unavailable',
      `${MAX_RUNNING[used_up]} operations are running already${of}.`,
      { retry_after_ms: BUSY_RETRY_MS },
    )
  }

  /** Its place is taken before its row is written, and given back where that fails. */
  async #take(reader: Reader, begun: NewOperation): Promise<{ readonly reader: Reader }> {
    const taken = { reader }
    this.#taken.add(taken)
    try {
      await this.#parts.store.write(async (tx) => {
        await tx.forgetOperations(begun.created_at - KEPT_MS)
        await tx.beginOperation(begun)
      })
      return taken
    } catch (error) {
      this.#taken.delete(taken)
      throw error
    }
  }

  /** Throws `not_found`. */
  async read(id: string): Promise<OperationView> {
    const was_running = this.#running.get(id)
    const stored = await this.#parts.store.operation(id)
    if (stored === null)
      throw new Failure('not_found', `There is no operation ${id}. Operations are kept for seven days.`)
    return this.#view(stored, was_running)
  }

  /** Newest first. One whose end could not be written does not run any more. */
  async list(query: OperationQuery): Promise<readonly OperationView[]> {
    const were_running = new Map(this.#running)
    const found = await this.#parts.store.operations(query)
    const views = await Promise.all(found.map((stored) => this.#view(stored, were_running.get(stored.id))))
    return query.state === undefined ? views : views.filter(({ state }) => state === query.state)
  }

  async #view(stored: StoredOperation, was_running = this.#running.get(stored.id)): Promise<OperationView> {
    const { id, state } = stored
    const steps = was_running?.progress?.steps() ?? this.#steps.get(id) ?? []
    // Its end could not be written: nobody works on it any more.
    const lost = state === 'running' && was_running === undefined && !this.#running.has(id)
    if (lost || state === 'interrupted') {
      const committed = await this.#committedBy(stored)
      return operationView({ ...stored, state: 'interrupted' }, { progress: null, steps, committed })
    }
    const progress = state === 'running' ? was_running?.progress?.view() : null
    return operationView(stored, { progress: progress ?? null, steps, committed: null })
  }

  #hint({ id: operation_id }: NewOperation, { component, key, state }: StepView): void {
    this.#parts.events.hint('step', `${component}: ${state}.`, { operation_id, component, key, state })
  }

  #keepSteps(id: string): void {
    this.#steps.set(id, this.#running.get(id)?.progress?.steps() ?? [])
    const [oldest] = this.#steps.keys()
    if (this.#steps.size > MAX_ENDED) this.#steps.delete(oldest!)
  }

  /** No new work begins; waits for what runs, at most `grace_ms`, then cuts it short. */
  async stop(grace_ms: Milliseconds): Promise<void> {
    this.#closing = true
    await this.#settled(grace_ms)
    this.#stop.abort(new Failure('shutting_down', 'The daemon is shutting down.'))
    await this.#settled(DRAIN_MS)
  }

  /** The call began before its row where its caller had to wait for a while. */
  #committedBy({ request_id, actor, created_at, ended_at }: StoredOperation): Promise<Committed> {
    const { store, clock } = this.#parts
    const since = created_at - MAX_WAIT_MS - LATE_MS
    return store.committedBy({ request_id, actor, since, until: ended_at ?? clock.now() })
  }

  #settled(max_ms: Milliseconds): Promise<void> {
    return waitAtMost(Promise.all([...this.#running.values()].map(({ ended }) => ended)), max_ms)
  }

  async #run(begun: NewOperation, work: BackgroundWork, subjects: Subjects | undefined): Promise<void> {
    const { log, clock } = this.#parts
    const started_ms = clock.elapsed()
    const { id, request_id, method, path } = begun
    try {
      const answer = await work(this.#stop.signal)
      await this.#end(begun, answer)
      const took_ms = Math.round(clock.elapsed() - started_ms)
      const { status } = answer
      log.info('operation ended', { operation: id, request_id, status, ...subjects?.facts(), took_ms })
    } catch (error) {
      log.error('operation has no end', {
        operation: id,
        request_id,
        ...subjects?.facts(),
        method,
        path,
        error,
      })
    } finally {
      this.#keepSteps(id)
      this.#running.delete(id)
    }
  }

  async #end({ id, method, path }: NewOperation, { status, body }: BackgroundAnswer): Promise<void> {
    const { store, clock, events } = this.#parts
    const at = clock.now()
    const state = status < 400 ? 'succeeded' : 'failed'
    await store.write(async (tx) => {
      await tx.endOperation(id, { state, at, status, body })
      const facts = { operation_id: id, state, status, method, path }
      await tx.addEvent({ at, kind: 'operation', message: `${method} ${path} ${state}.`, facts })
    })
    events.added()
  }
}
