/** Bringing what the database says of one person into the users file, and finding out whether it is there. */
import type { Engine } from '../../engine/engine.ts'
import { Failure } from '../../kernel/failure.ts'
import { isGood, type RefusedRepair, type Report } from '../../model/report.ts'
import type { SsoService } from '../sso/service.ts'
import type { Reading, ReachFacts } from './reach.ts'
import type { Reloader } from './reloader.ts'

/** What the engine calls the users file. */
export const PEOPLE = 'people'

interface Parts {
  readonly engine: Engine
  readonly people: { readonly reloader: Reloader }
}

export interface Saved {
  readonly username: string
  /** What is saved, as the beginning of a sentence: `ana is revoked`. */
  readonly what: string
  /** It was not saved before this call. */
  readonly is_new: boolean
}

/**
 * The file first, then the provider: until both know, what is saved is not in force, and the caller must hear that. Null
 * where nothing can prove that the provider has read the file.
 */
export async function putInForce(
  { engine, people }: Parts,
  { username, what, is_new }: Saved,
  signal: AbortSignal,
): Promise<true | null> {
  const { reloader } = people
  try {
    await bringIntoFile(engine, username)
    // A hand may have written the same before: nobody knows whether the provider has read it.
    if (is_new && (await reloader.owed()) === null) (await reloader.owe())()
    return await reloader.settle(signal)
  } catch (error) {
    throw error instanceof Failure ? notInForce(error, { username, what }) : error
  }
}

export const notInForce = (failure: Failure, { username, what }: Pick<Saved, 'username' | 'what'>): Failure =>
  new Failure(
    failure.code,
    `${what}, but it is not in force yet: ${failure.message} It is tried again by itself.`,
    {
      ...failure.details,
      facts: { username, saved: true },
    },
  )

/** What decides how far a change of this user reaches. */
export async function reachFacts(
  {
    people,
    sso,
  }: { readonly people: { readonly reading: Reading }; readonly sso: Pick<SsoService, 'sign_in'> },
  { username, change }: Pick<ReachFacts, 'username' | 'change'>,
  signal: AbortSignal,
): Promise<ReachFacts> {
  const { sessions, place } = await sso.sign_in.written(signal)
  return { username, change, reading: people.reading, sessions, place }
}

/** Throws a Failure that says why the file does not say it. Trouble that is others' alone is none of this person's. */
export async function bringIntoFile(engine: Engine, username: string): Promise<void> {
  const [report] = await engine.converge('open', { records: 'all', component: PEOPLE })
  if (report === undefined)
    throw new Failure('component_unavailable', 'Users are not managed here: set PLUMBLINE_SSO_USERS_FILE.', {
      facts: { setting: 'PLUMBLINE_SSO_USERS_FILE' },
    })
  const refused = refusalFor(report, username)
  if (refused === null) return
  const { code, message, retry_after_ms } = refused
  throw new Failure(code, message, retry_after_ms === 0 ? {} : { retry_after_ms })
}

function refusalFor(report: Report, username: string): RefusedRepair | null {
  if (isGood(report)) return null
  if (report.refusals.length === 0)
    return (
      report.failure ?? { code: 'component_unavailable', message: 'It was left drifting.', retry_after_ms: 0 }
    )
  return report.refusals.find(({ item }) => item === `user ${username}`)?.failure ?? null
}
