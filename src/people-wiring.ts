/** From settings to people: the users file as a target, invitations with their mail, and the provider's reload. */
import { argon2Hasher } from './adapters/argon2/hasher.ts'
import { managedFile } from './adapters/files/managed-file.ts'
import { usersDocuments } from './adapters/yaml/users/documents.ts'
import type { Settings } from './config/sections.ts'
import type { Source } from './engine/components.ts'
import type { Engine } from './engine/engine.ts'
import type { Clock, Milliseconds } from './kernel/clock.ts'
import { Failure } from './kernel/failure.ts'
import type { Log } from './kernel/log.ts'
import { mailRoom } from './mail-wiring.ts'
import type { MailDesk } from './operations/mail/desk.ts'
import type { PeopleDesk, UsersView } from './operations/people/desk.ts'
import { Invitations } from './operations/people/invitations.ts'
import { Reloader } from './operations/people/reloader.ts'
import type { ManagedFile } from './ports/files.ts'
import type { Store } from './ports/store.ts'
import type { Room } from './room.ts'
import type { ProviderRoom } from './sso-provider-wiring.ts'
import { seePeople, type Sight } from './targets/people/seen.ts'
import { peopleTarget } from './targets/people/target.ts'

/** Larger ones are not read; a user takes some 400 bytes. */
const MOST_USERS_BYTES = 2 * 1024 * 1024
/**
 * After a load, Authelia throws events away for 500 ms instead of keeping them (its file watcher): a second write within
 * that time would stay unseen.
 */
const BETWEEN_WRITES_MS: Milliseconds = 750

export interface PeopleRoom extends Room {
  readonly desk: PeopleDesk
  readonly mail: MailDesk
  /** Empty where no users file is configured. */
  readonly sources: readonly Source[]
}

/** How long invitations under way may go on after the daemon was told to stop. */
const PATIENCE_MS: Milliseconds = 1000

export interface PeopleParts {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly engine: () => Engine
  readonly room: ProviderRoom
}

export function peopleRoom({ settings, store, clock, log, engine, room }: PeopleParts): PeopleRoom {
  const { users_file, reload, portal_url } = settings.people
  const mail = mailRoom({ settings, store, clock, log })
  const hasher = argon2Hasher()
  const reloader = new Reloader({ restarts: room.for_users ? room.restarts : null, store, clock })
  let edition = 0
  const changed = () => void edition++
  const invitations = new Invitations({
    store,
    clock,
    log,
    engine,
    hasher,
    reloader,
    mail: mail.desk,
    portal_url,
    changed,
  })
  const file = users_file === null ? null : managedFile(users_file, { most_bytes: MOST_USERS_BYTES, log })
  const sight = (of: ManagedFile): Sight => ({ file: of, documents: usersDocuments, people: store, clock })
  const pause = pauses(clock, reload.kind === 'watch' ? BETWEEN_WRITES_MS : 0)
  const writing = async (signal: AbortSignal) => {
    await pause(signal)
    return reloader.owe()
  }
  return {
    desk: {
      users: file === null ? null : usersView(sight(file)),
      reloader,
      invitations,
      portal_url,
      changed,
    },
    sources:
      file === null ? [] : [peopleTarget({ ...sight(file), file, hasher, writing, edition: () => edition })],
    mail: mail.desk,
    prepare: () => mail.prepare(),
    start: () => {
      if (file !== null) invitations.start()
    },
    async stop() {
      await invitations.stop(PATIENCE_MS)
      await hasher.close()
      await mail.stop()
    },
  }
}

const usersView = (sight: Sight): UsersView => ({
  path: sight.file.path,
  async look(signal) {
    const seen = await seePeople(sight, signal)
    if (!seen.known) throw new Failure('component_unavailable', seen.detail)
    return seen.state
  },
})

/** Waits until `between_ms` have passed since the last time. */
function pauses(clock: Clock, between_ms: Milliseconds): (signal: AbortSignal) => Promise<void> {
  let last_ms = -Infinity
  return async (signal) => {
    const left_ms = last_ms + between_ms - clock.elapsed()
    if (left_ms > 0) await clock.sleep(left_ms, signal)
    last_ms = clock.elapsed()
  }
}
