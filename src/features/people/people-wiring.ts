/** From settings to people: the users file as a target, invitations with their mail, and the provider's reload. */
import { argon2Hasher } from './argon2/hasher.ts'
import { managedFile } from '../../io/files/managed-file.ts'
import { usersDocuments } from './users-file/documents.ts'
import type { Settings } from '../../config/sections.ts'
import type { Source } from '../../engine/components.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import { WRITTEN_BY_OWNER } from '../../model/file-access.ts'
import { mailModule } from '../mail/mail-wiring.ts'
import type { MailService } from '../mail/service.ts'
import type { PeopleService } from './service.ts'
import { Invitations } from './invitations/invitations.ts'
import { Reloader } from './reloader.ts'
import type { ManagedFile } from '../../ports/files.ts'
import type { Store } from '../../ports/store.ts'
import { refusedWords, type UsersView } from '../../ports/users-file.ts'
import type { Module } from '../../feature/feature.ts'
import type { ProviderModule } from '../sso/provider/sso-provider-wiring.ts'
import { sitePolicies } from '../sso/sso-rules-wiring.ts'
import { keepAsInFile } from './target/as-in-file.ts'
import { seePeople, type UsersSource } from './target/seen.ts'
import { peopleTarget } from './target/target.ts'
import { peopleRecords } from './records.ts'

/** Larger ones are not read; a user takes some 400 bytes. */
const MAX_USERS_BYTES = 2 * 1024 * 1024
/**
 * After a load, Authelia throws events away for 500 ms instead of keeping them (its file watcher): a second write within
 * that time would stay unseen.
 */
const BETWEEN_WRITES_MS: Milliseconds = 750

export interface PeopleModule extends Module {
  readonly service: PeopleService
  readonly mail: MailService
  /** Empty where no users file is configured. */
  readonly sources: readonly Source[]
}

/** How long invitations under way may go on after the daemon was told to stop. */
const DRAIN_MS: Milliseconds = 1000

export interface PeopleParts {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly engine: () => Engine
  readonly module: ProviderModule
}

export function peopleModule({ settings, store, clock, log, engine, module }: PeopleParts): PeopleModule {
  const { users_file, reload, portal_url } = settings.people
  const mail = mailModule({ settings, store, clock, log })
  const hasher = argon2Hasher()
  const source = users_file === null ? null : usersSource(users_file, { store, clock, log })
  const users = source === null ? null : usersView(source)
  const reloader = new Reloader({
    restarts: module.for_users ? module.restarts : null,
    ...(users !== null && { refused: (signal) => refusalOf(users, signal) }),
    store,
    clock,
  })
  let edition = 0
  const changed = () => void edition++
  const inviting = { hasher, reloader, mail: mail.service, portal_url, changed, users }
  const invitations = new Invitations({ store, clock, log, engine, ...inviting })
  const reading = module.for_users ? 'restart' : reload?.kind === 'none' ? 'none' : 'watch'
  const pause = pauses(clock, reading === 'watch' ? BETWEEN_WRITES_MS : 0)
  const writing = async (signal: AbortSignal) => {
    await pause(signal)
    return reloader.owe()
  }
  const policiesOfSites = () =>
    settings.sso.rules_file === null ? null : sitePolicies(settings.sso.policies_file)
  return {
    service: { users, reading, reloader, invitations, portal_url, changed },
    sources:
      source === null
        ? []
        : [
            peopleTarget({
              ...source,
              hasher,
              writing,
              edition: () => edition,
              policies: policiesOfSites(),
              keep: (seen) => keepAsInFile(seen, { store, log }),
            }),
          ],
    mail: mail.service,
    prepare: () => mail.prepare(),
    start: () => {
      if (source !== null) invitations.start()
    },
    async stop() {
      await invitations.stop(DRAIN_MS)
      await hasher.close()
      await mail.stop()
    },
  }
}

interface FileOfUsers extends UsersSource {
  readonly file: ManagedFile
}

const usersSource = (
  path: string,
  { store, clock, log }: Pick<PeopleParts, 'store' | 'clock' | 'log'>,
): FileOfUsers => ({
  file: managedFile(path, {
    max_bytes: MAX_USERS_BYTES,
    access: WRITTEN_BY_OWNER,
    remembers: true,
    log,
  }),
  documents: usersDocuments,
  people: store.of(peopleRecords),
  clock,
})

const usersView = (parts: UsersSource): UsersView => ({
  path: parts.file.path,
  async look(signal) {
    const seen = await seePeople(parts, signal)
    if (!seen.known) throw new Failure('component_unavailable', seen.detail)
    if (seen.state.is_closed === true)
      throw new Failure(
        'component_unavailable',
        `${parts.file.path} cannot be read by its owner: chmod u+r it.`,
      )
    return seen.state
  },
})

/** Unknown is no refusal: the file may be away for this moment. */
async function refusalOf(users: UsersView, signal: AbortSignal): Promise<string | null> {
  try {
    const fault = (await users.look(signal)).faults.find(({ username }) => username !== null)
    return fault === undefined ? null : refusedWords(users.path, fault)
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return null
  }
}

/** Waits until `between_ms` have passed since the last time. */
function pauses(clock: Clock, between_ms: Milliseconds): (signal: AbortSignal) => Promise<void> {
  let last_ms = -Infinity
  return async (signal) => {
    const left_ms = last_ms + between_ms - clock.elapsed()
    if (left_ms > 0) await clock.sleep(left_ms, signal)
    last_ms = clock.elapsed()
  }
}
