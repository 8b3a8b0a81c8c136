/**
 * Invitations on their way, each a row that says how far it has come (`steps.ts`). Every step ends with that row, so that
 * after a crash anywhere the next start goes on behind the last one that is done.
 *
 * The file step finds its own earlier work (the user with this hash), a restart may happen twice without harm, and the
 * mail has a key under which it is sent once.
 */
import { randomBytes } from 'node:crypto'
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import { backoffDelay } from '../../../kernel/async/backoff.ts'
import type { Engine } from '../../../engine/engine.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Log } from '../../../kernel/log.ts'
import { Secret } from '../../../kernel/secret.ts'
import { Loop } from '../../../kernel/async/loop.ts'
import { waitAtMost } from '../../../kernel/async/wait-at-most.ts'
import type { PasswordHasher } from '../argon2/port.ts'
import { type Invitation, peopleRecords, type Person } from '../records.ts'
import type { Store } from '../../../ports/store.ts'
import type { MailService } from '../../mail/service.ts'
import type { UsersView } from '../../../ports/users-file.ts'
import { asInFile, entryOf } from '../target/as-in-file.ts'
import { bringIntoFile } from '../in-force.ts'
import { sendInvitation } from './invitation-mail.ts'
import type { Reloader } from '../reloader.ts'
import { type InvitationEvent, stepAfter } from './steps.ts'
import { GroupCommit } from './group-commit.ts'

export interface InvitationParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly engine: () => Engine
  readonly hasher: PasswordHasher
  readonly reloader: Reloader
  readonly mail: MailService
  readonly portal_url: string | null
  /** The people in the database have changed. */
  readonly changed: () => void
  readonly users: UsersView | null
}

const LOOK_EVERY_MS: Milliseconds = 5_000
const BACKOFF = { first_ms: 5_000, max_ms: 600_000 }
const DRAIN_MS: Milliseconds = 500
/** In a burst one rewrite of the file serves all calls of this window, for each that is under way and at most. */
const BATCH_WINDOW_MS: Milliseconds = 10
const MAX_BATCH_WINDOW_MS: Milliseconds = 2_000
/** Below this number of calls, do not batch. */
const MIN_BURST = 4

export class Invitations {
  readonly #parts: InvitationParts
  readonly #running = new Map<string, Promise<Invitation>>()
  readonly #stop = new AbortController()
  readonly #group: GroupCommit
  readonly #loop: Loop
  #batch_window: Promise<void> | null = null
  #reloading: Promise<void> | null = null
  /** By user name, the key of a mail of which its caller heard that it failed, and not how it ended. A restart forgets them. */
  readonly unheard = new Map<string, string>()

  constructor(parts: InvitationParts) {
    this.#parts = parts
    this.#group = new GroupCommit(parts.store)
    const { clock, log } = parts
    this.#loop = new Loop({
      clock,
      round: async () => {
        await this.#resume()
        return LOOK_EVERY_MS
      },
      failed: (error) => {
        log.error('invitations not resumed', { error })
        return LOOK_EVERY_MS
      },
    })
  }

  /** Goes on with what an earlier process left, and tries again what failed. */
  start(): void {
    this.#loop.start()
  }

  /** What is under way may end its step, at most for `grace_ms`. */
  async stop(grace_ms: Milliseconds): Promise<void> {
    const timer = setTimeout(
      () => this.#stop.abort(new Failure('shutting_down', 'The daemon is shutting down.')),
      this.#running.size === 0 ? 0 : grace_ms,
    )
    await Promise.allSettled(this.#running.values())
    clearTimeout(timer)
    this.#stop.abort(new Failure('shutting_down', 'The daemon is shutting down.'))
    await waitAtMost(Promise.all([this.#loop.stop(), this.#reloading]), DRAIN_MS)
  }

  /**
   * Goes on until it is done or something stands in the way, which is thrown. One worker for each; who asks meanwhile
   * gets the same answer. A caller who leaves does not end it.
   */
  carryOut(username: string): Promise<Invitation> {
    const running = this.#running.get(username)
    if (running !== undefined) return running
    const work = this.#work(username).finally(() => this.#running.delete(username))
    this.#running.set(username, work)
    return work
  }

  async #work(username: string): Promise<Invitation> {
    const { store, log } = this.#parts
    for (;;) {
      const invitation = await store.of(peopleRecords).invitation(username)
      const person = await store.of(peopleRecords).person(username)
      if (invitation === null || person === null)
        throw new Failure('not_found', `Nobody has invited ${username}.`)
      if (invitation.step === 'done') return invitation
      this.#stop.signal.throwIfAborted()
      try {
        await this.#next(person, invitation)
      } catch (error) {
        await this.#note(username, error).catch((failure: unknown) =>
          log.error('an invitation could not be noted', { username, error: failure }),
        )
        throw error
      }
    }
  }

  async #next(person: Person, invitation: Invitation): Promise<void> {
    const { username } = person
    if (person.revoked_at !== null) return this.#reach(username, 'user_revoked', REVOKED, forgetHash)
    switch (invitation.step) {
      case 'planned':
        return this.#hash(username)
      case 'hashed':
        return this.#write(username)
      case 'written':
        await this.#parts.reloader.settle(this.#stop.signal)
        return this.#reach(username, 'provider_loaded')
      case 'loaded':
      case 'done':
        return this.#mail(person, invitation)
    }
  }

  async #hash(username: string): Promise<void> {
    const { hasher, changed } = this.#parts
    // 128 bits. It is forgotten here: the person sets one by the reset of the sign-in page.
    const password = new Secret(randomBytes(16).toString('base64url'))
    const password_hash = await hasher.hash(password, this.#stop.signal)
    await this.#reach(username, 'password_hashed', STILL_OPEN, (person) => ({ ...person, password_hash }))
    changed()
  }

  async #write(username: string): Promise<void> {
    const { engine, clock, changed } = this.#parts
    await this.#awaitBatch()
    await bringIntoFile(engine(), username)
    const written_at = clock.now()
    await this.#reach(username, 'user_written', STILL_OPEN, (person) => ({
      ...person,
      password_hash: null,
      written_at,
    }))
    changed()
  }

  async #awaitBatch(): Promise<void> {
    const burst = this.#running.size
    if (burst < MIN_BURST) return
    const wait_ms = Math.min(burst * BATCH_WINDOW_MS, MAX_BATCH_WINDOW_MS)
    this.#batch_window ??= this.#parts.clock
      .sleep(wait_ms, this.#stop.signal)
      .finally(() => (this.#batch_window = null))
    await this.#batch_window
  }

  async #mail(person: Person, { mail_key }: Invitation): Promise<void> {
    const { mail, portal_url, users } = this.#parts
    const { signal } = this.#stop
    const recipient = asInFile(person, await entryOf(person.username, users, signal))
    const end = await sendInvitation(mail, recipient, { portal_url, key: mail_key, signal })
    await this.#reach(person.username, 'mail_settled', end)
  }

  async #reach(
    username: string,
    event: InvitationEvent,
    { mail, detail }: Pick<Invitation, 'mail' | 'detail'> = STILL_OPEN,
    change?: (person: Person) => Person,
  ): Promise<void> {
    const { clock } = this.#parts
    await this.#group.write(async (tx) => {
      const at = clock.now()
      const invitation = await tx.of(peopleRecords).invitation(username)
      const person = await tx.of(peopleRecords).person(username)
      if (invitation === null || person === null) return
      if (change !== undefined) await tx.of(peopleRecords).savePerson({ ...change(person), updated_at: at })
      await tx.of(peopleRecords).saveInvitation({
        ...invitation,
        step: stepAfter(invitation.step, event),
        mail,
        detail,
        failures: 0,
        updated_at: at,
      })
    })
  }

  /** What stands in the way, for the list and for the next try. A daemon that ends is no trouble of the invitation's. */
  async #note(username: string, error: unknown): Promise<void> {
    if (error instanceof Failure && error.code === 'shutting_down') return
    const { store, clock, log } = this.#parts
    const detail = error instanceof Failure ? error.message : 'It failed inside; the log has the reason.'
    if (!(error instanceof Failure)) log.error('an invitation failed inside', { username, error })
    await store.write(async (tx) => {
      const invitation = await tx.of(peopleRecords).invitation(username)
      if (invitation === null) return
      const failures = invitation.failures + 1
      await tx.of(peopleRecords).saveInvitation({ ...invitation, detail, failures, updated_at: clock.now() })
    })
  }

  /** It may wait long for its turn; invitations that need no restart do not. */
  async #reload(): Promise<void> {
    const { reloader, log } = this.#parts
    const { signal } = this.#stop
    await reloader.retry(signal).catch((error: unknown) => {
      if (!signal.aborted) log.warn('the SSO provider was not reloaded', { error })
    })
  }

  /** In turn: whoever waits for a caller's own invitation comes first anyway. */
  async #resume(): Promise<void> {
    const { store, clock, log } = this.#parts
    this.#reloading ??= this.#reload().finally(() => (this.#reloading = null))
    for (const invitation of await store.of(peopleRecords).openInvitations()) {
      if (this.#stop.signal.aborted) return
      if (!isDue(invitation, clock.now())) continue
      const { username } = invitation
      await this.carryOut(username).catch((error: unknown) =>
        log.warn('an invitation is not done', { username, error }),
      )
    }
  }
}

const STILL_OPEN = { mail: null, detail: null } as const
const REVOKED = { mail: 'not_sent', detail: 'The user was revoked before.' } as const

/** Nobody will ever write it. */
const forgetHash = (person: Person): Person => ({ ...person, password_hash: null })

function isDue({ failures, updated_at }: Invitation, now: Instant): boolean {
  return failures === 0 || now >= updated_at + backoffDelay(BACKOFF, failures, 0) || now < updated_at
}
