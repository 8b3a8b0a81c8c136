/** Everybody whom the users file or the database knows. */
import type { ObservationTurn } from '../../engine/observation.ts'
import { Failure, fieldError, invalid } from '../../kernel/failure.ts'
import { type DriftCause, mostUrgent } from '../../model/drift.ts'
import type { Deps } from './deps.ts'
import type { FileUsers } from '../../ports/users-file.ts'
import { PEOPLE } from './in-force.ts'
import { ANY_USERNAME } from './username.ts'
import { type UserView, userView } from './view.ts'
import { peopleRecords } from './records.ts'

/**
 * By user name. Without a users file, those of the database. Throws `component_unavailable` where the file cannot be read
 * and the database knows nobody: an empty list would say that there is nobody.
 */
export async function readUsers(deps: Deps, signal: AbortSignal): Promise<readonly UserView[]> {
  const { store } = deps
  const seen = await lookAtFile(deps, signal)
  const { file, fault } = seen
  const causeOf = await causesIn(deps, seen)
  const persons = new Map((await store.of(peopleRecords).people()).map((person) => [person.username, person]))
  if (fault !== null && persons.size === 0) throw fault
  const names = [...new Set([...persons.keys(), ...(file?.users.keys() ?? [])])].sort()
  return Promise.all(
    names.map(async (name) => {
      const invitation =
        persons.get(name)?.origin === 'invited' ? await store.of(peopleRecords).invitation(name) : null
      const user = file === undefined ? undefined : (file.users.get(name) ?? null)
      return userView(name, persons.get(name) ?? null, {
        user,
        invitation,
        cause: causeOf(name),
        reading: deps.people.reading,
      })
    }),
  )
}

/** One of them. Throws `not_found`, and `component_unavailable` where only the file could know the user and cannot be read. */
export async function readUser(deps: Deps, username: string, signal: AbortSignal): Promise<UserView> {
  const person = await deps.store.of(peopleRecords).person(username)
  const seen = await lookAtFile(deps, signal)
  const { file, fault } = seen
  const causeOf = await causesIn(deps, seen)
  if (fault !== null && person === null) throw fault
  const user = file === undefined ? undefined : (file.users.get(username) ?? null)
  if (person === null && (user === undefined || user === null)) throw unknownUser(username)
  const invitation = await deps.store.of(peopleRecords).invitation(username)
  return userView(username, person, {
    user,
    invitation,
    cause: causeOf(username),
    reading: deps.people.reading,
  })
}

/** By user name, in the words of `GET /api/drift`. */
async function causesIn(
  { engine, people }: Deps,
  { file, fault, turn }: Seen,
): Promise<(username: string) => DriftCause | null> {
  const is_set_up = fault !== null || file !== undefined
  const observation =
    fault === null
      ? ({ known: true, state: file } as const)
      : ({ known: false, detail: fault.message } as const)
  const compared = is_set_up ? await engine.compare(PEOPLE, observation, turn) : null
  const causes = Map.groupBy(compared?.differences ?? [], ({ item }) => item)
  // What is wrong with the file itself is wrong with everybody in it.
  const of_file = people.users === null ? [] : (causes.get(people.users.path) ?? [])
  return (username) =>
    mostUrgent([...(causes.get(`user ${username}`) ?? []), ...of_file].map(({ cause }) => cause))
}

/** Whoever stands in the file alone is there, and is not ours to change. */
export const notInvited = (username: string): Failure =>
  noSuch(
    username,
    (name) =>
      `Nobody named ${name} was invited here; who stands in the users file (PLUMBLINE_SSO_USERS_FILE) alone is changed there.`,
  )

export const unknownUser = (username: string): Failure =>
  noSuch(username, (name) => `There is no user ${name}.`)

/** A text that can be nobody's name is wrong; a name that nobody has is not there. */
const noSuch = (username: string, words: (name: string) => string): Failure =>
  ANY_USERNAME.test(username)
    ? new Failure('not_found', words(JSON.stringify(username.slice(0, 100))))
    : invalid([fieldError(['path', 'username'], NO_USERNAME, 'username')])

const NO_USERNAME = 'must be a letter or a digit, and then letters, digits, ".", "_" and "-"'

interface Seen {
  readonly file: FileUsers | undefined
  readonly fault: Failure | null
  readonly turn: ObservationTurn
}

/** Who is in the database is shown all the same; what the file says of the user is not known. */
async function lookAtFile({ people, engine }: Deps, signal: AbortSignal): Promise<Seen> {
  const turn = engine.beginObservation()
  try {
    return { file: await people.users?.look(signal), fault: null, turn }
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'component_unavailable') throw error
    return { file: undefined, fault: error, turn }
  }
}
