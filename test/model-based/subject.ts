/**
 * What is tried: a service that is started, dies and comes back over one folder, and the model beside it. `check` holds
 * the one against the other and looks at every byte that was written since.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sha256 } from '../../src/kernel/digest.ts'
import { routesSettings } from '../../src/wiring.ts'
import { type Answer, configIn, Daemon, StillClock } from './daemon.ts'
import { Editions } from './editions.ts'
import { type Fault, Trouble, type Written } from './faults.ts'
import type { Figures } from './figures.ts'
import { openDoor } from './invariants.ts'
import { type Deed, isLive, type Model, NOTHING, pendingIds } from './model.ts'
import { requestOf } from './request.ts'
import { readShown, sameModel, type Shown, withVerdicts } from './shown.ts'
import { digestAt, type HandEdit, opensAt, standingAt, Stranger } from './stranger.ts'

export interface Sent {
  readonly answer: Answer
  /** A fault came true meanwhile. */
  readonly troubled: boolean
}

/** Nobody lives who would say what became of it. */
const UNANSWERED: Answer = { status: 503, body: {} }

export class Subject {
  readonly figures: Figures
  readonly clock = new StillClock()
  readonly editions: Editions
  model: Model = NOTHING
  trouble: Trouble
  readonly #config
  readonly #path: string
  readonly #stranger: Stranger
  #daemon: Daemon | null = null
  #inspected = 0
  /** Something went wrong in an earlier life. */
  #was_troubled = false

  constructor(folder: string, figures: Figures) {
    this.figures = figures
    this.#config = configIn(folder)
    this.editions = new Editions(routesSettings(this.#config.settings))
    this.#path = this.#config.settings.routes.file
    this.#stranger = new Stranger(this.#path)
    this.trouble = this.#newTrouble()
  }

  get daemon(): Daemon {
    if (this.#daemon === null) throw new Error('the daemon is not there')
    return this.#daemon
  }

  /** Whether what stands at the file's path lets in more than what is released. */
  get opens(): boolean | 'unsure' {
    return opensAt(this.#path, this.wanted)
  }

  /** What stands at the file's path. */
  get standing(): string {
    return standingAt(this.#path)
  }

  /** Digest of what is released. */
  get wanted(): string {
    return this.editions.checksumOf(this.model.released.values())
  }

  editByHand(edit: HandEdit): void {
    this.figures.hand_edits++
    this.#stranger.edit(edit, this.editions.bytes)
  }

  /** A start may fail of a fault that meets it; the next one has none. */
  async start(armed: readonly Fault[]): Promise<void> {
    this.editions.expect(this.model)
    for (const fault of armed) this.trouble.arm(fault)
    this.figures.starts++
    try {
      this.#daemon = await Daemon.start(this.#config, this.clock, this.trouble)
    } catch (error) {
      if (this.trouble.met.length === 0) throw error
      this.#bury()
      await this.start([])
    }
  }

  /** What was about to go wrong may go wrong in the next life. */
  async restart(): Promise<void> {
    await this.daemon.close()
    const { armed } = this.trouble
    this.#bury()
    await this.start(armed)
    await this.check([this.model])
  }

  async close(): Promise<void> {
    this.trouble.calm()
    this.figures.took(this.trouble)
    await this.#daemon?.close()
  }

  async send(deed: Deed, query = ''): Promise<Sent> {
    const { method, path, body } = requestOf(deed)
    return this.ask(method, query === '' ? path : `${path}?${query}`, body)
  }

  async ask(method: string, path: string, body?: unknown): Promise<Sent> {
    const met = this.trouble.met.length
    const answer = await this.#ended(await this.daemon.call(method, path, body))
    return { answer, troubled: this.trouble.met.length > met || this.trouble.dead }
  }

  /** What goes on as an operation (202) has neither been done nor been refused before that has ended. */
  async #ended(answer: Answer): Promise<Answer> {
    if (answer.status !== 202) return answer
    const path = `/api/operations/${String(answer.body['id'])}`
    while (!this.trouble.dead) {
      const { body } = await this.daemon.call('GET', path)
      if (body['answer'] !== null) return body['answer'] as Answer
      await nextTurn()
    }
    return UNANSWERED
  }

  /**
   * Holds the service against what it may be now, and goes on from what it is. A daemon that died comes back first.
   * @param otherwise makes a model of what is none of the candidates and right all the same.
   */
  async check(
    candidates: readonly Model[],
    otherwise: (shown: Shown) => Model | null = () => null,
  ): Promise<void> {
    await this.settled()
    if (this.trouble.dead) await this.#comeBack()
    await this.trouble.paused(async () => {
      const shown = await readShown(this.daemon.store)
      const model = candidates.find((candidate) => sameModel(candidate, shown)) ?? otherwise(shown)
      if (model === null)
        throw new Error(
          `the store shows ${JSON.stringify(shown)}, none of ${candidates.length} possible states`,
        )
      this.model = withVerdicts(model, shown)
      this.#inspectWritten()
      this.#inspectFile()
      await this.#inspectDrift()
    })
    this.figures.checks++
  }

  /** What a pass sets off is done, too. */
  async settled(): Promise<void> {
    for (let turns = 0; turns < 3; turns = this.trouble.isQuiet ? turns + 1 : 0) await nextTurn()
  }

  async #comeBack(): Promise<void> {
    this.figures.kills++
    await this.daemon.close()
    this.#bury()
    await this.start([])
    await this.settled()
  }

  #newTrouble(): Trouble {
    return new Trouble({ standing: () => this.standing, stranger: (edit) => this.editByHand(edit) })
  }

  #bury(): void {
    this.#inspectWritten()
    this.figures.took(this.trouble)
    this.#was_troubled ||= this.trouble.met.length > 0 || this.trouble.dead
    this.trouble = this.#newTrouble()
    this.#inspected = 0
    this.#daemon = null
  }

  #inspectWritten(): void {
    const fresh = this.trouble.written.slice(this.#inspected)
    this.#inspected = this.trouble.written.length
    for (const written of fresh) this.#inspect(written)
  }

  #inspect({ chunks, evidence, over }: Written): void {
    const rows = this.editions.rowsOf(sha256(chunks))
    if (rows === null) throw new Error('bytes were written that no release stands for')
    const open = openDoor(Buffer.concat(chunks).toString('latin1'), rows)
    if (open !== null) throw new Error(open)
    const ours = this.editions.rowsOf(over) !== null && !this.#stranger.left.has(over)
    if (!evidence || !ours) return
    // What was written and could not be recorded is not known for our own any more: a copy too many, and no harm.
    if (!this.#was_troubled && this.trouble.met.length === 0)
      throw new Error(`our own ${over} was taken for a stranger's`)
    this.figures.mistaken++
  }

  #inspectFile(): void {
    const digest = digestAt(this.#path)
    if (digest !== null && this.editions.rowsOf(digest) === null && !this.#stranger.left.has(digest))
      throw new Error(`the file is ${digest}: neither a release nor a stranger's`)
  }

  async #inspectDrift(): Promise<void> {
    const { body } = await this.daemon.call('GET', '/api/domains/drift')
    const { drift, pending } = body as { drift: boolean | null; pending: { domain_id: number }[] }
    const working = [...this.model.records.values()].filter(isLive)
    const differs = digestAt(this.#path) !== this.editions.checksumOf(working)
    if (drift !== differs)
      throw new Error(`drift is ${drift}, but the bytes ${differs ? 'differ' : 'are the same'}`)
    const told = pending.map(({ domain_id }) => domain_id).toSorted((a, b) => a - b)
    const wanted = pendingIds(this.model).toSorted((a, b) => a - b)
    if (told.join() !== wanted.join()) throw new Error(`pending are ${told.join()}, not ${wanted.join()}`)
  }
}
