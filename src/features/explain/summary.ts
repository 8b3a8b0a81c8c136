/** The one sentence for somebody in a hurry: the worst that is known of a domain, and what happens next. */
import type { ConditionStatus } from '../../model/condition.ts'
import { type DomainRecord, isLive } from '../../model/domain/record.ts'
import { AWAITS_DEPLOY, type DriftCause } from '../../model/drift.ts'
import type { ReactionKind } from '../../model/reaction.ts'
import { ROUTES_KEY } from '../routes/target/diff.ts'
import type { ExplainedComponent, ServedState, SignInFault } from './explained.ts'
import { isOpen } from './sign-in-faults.ts'

interface SummaryFacts {
  readonly pending: boolean
  readonly components: readonly ExplainedComponent[]
  readonly served: ServedState | null
  readonly sign_in: readonly SignInFault[]
  /** Why nobody knows that it is closed to whoever has not signed in; null where it was not asked, or is known. */
  readonly not_proven: string | null
  /** Why no DNS record is made of it; null where that is not so. */
  readonly not_published: string | null
  /** The name that is deployed; the saved one where none is. */
  readonly released_as: string
}

export function summaryOf(record: DomainRecord, found: SummaryFacts): string {
  const { domain } = record
  const { pending, components, served, sign_in, released_as, not_published, not_proven } = found
  const fault = sign_in.find(({ cause }) => !AWAITS_DEPLOY.has(cause))
  if (fault !== undefined && isOpen(fault)) return `${fault.domain}: ${fault.detail} ${fault.cure}`
  const unread = components.find(({ agrees }) => agrees === null)
  if (unread !== undefined)
    return `${domain}: ${unread.component} could not be read. ${unread.unknown_because}`
  const drifting = components.find(({ cause }) => cause !== null && !AWAITS_DEPLOY.has(cause))
  const others = drifting?.differences.find(
    ({ cause, domains }) => LEFT_ALONE.has(cause) && cause === drifting.cause && domains.length > 0,
  )
  // What else is under way at the same place does not help this domain.
  if (drifting !== undefined && others !== undefined)
    return `${domain}: ${drifting.component} ${SAID[others.cause]}. ${others.detail}`
  if (drifting !== undefined)
    return `${domain}: ${drifting.component} ${said(drifting)}; Plumbline ${willDo(drifting)}.`
  const [unserved] = served?.differences ?? []
  if (unserved !== undefined) {
    const not_so = unserved.item === ROUTES_KEY ? 'run the newest routes file' : 'serve it so'
    return `${released_as} is what was released, and the proxy does not ${not_so}. ${unserved.detail}`
  }
  if (pending) return `${domain} is what was released. Newer changes are saved and wait for a deploy.`
  if (components.some(({ cause }) => cause === 'renderer_changed'))
    return `${domain}: no record changed, but it would be rendered differently now; a deploy applies that.`
  const elsewhere = components.find(({ differences, condition }) => differs(differences, condition.status))
  if (elsewhere !== undefined)
    return `${domain} is what was released, but ${elsewhere.component} differs in what belongs to no domain.`
  if (record.service_type === 'manual')
    return `${domain} is managed elsewhere: never rendered and never touched.`
  if (!isLive(record)) {
    const kept = components.flatMap((component) => component.kept)
    const rest = kept.length === 0 ? ', and nothing of it is there.' : `; kept for it: ${kept.join(', ')}.`
    return `${domain} is ${record.status}${rest}`
  }
  if (served?.agrees === null)
    return `${domain} is what was released; whether the proxy serves it is not known. ${served.unknown_because}`
  if (fault === undefined && not_proven !== null)
    return `${domain} is what was released; whether it is closed to whoever has not signed in is not known. ${not_proven}`
  if (fault === undefined && not_published !== null)
    return `${domain} is what was released, and no DNS record is made of it.`
  const left = components.find(({ engine }) => engine.mode === 'suspend')
  if (fault === undefined && left !== undefined)
    return `${domain} is what was released just now, and nobody keeps it so: ${left.component} is suspended.`
  return fault === undefined
    ? `${domain} is what was released, everywhere.`
    : `${domain} is what was released, and signing in is not as it should be. ${fault.detail}`
}

/** Nobody but a person moves it. */
const LEFT_ALONE: ReadonlySet<DriftCause> = new Set(['foreign_owner', 'orphan'])

const differs = (differences: readonly unknown[], status: ConditionStatus): boolean =>
  differences.length > 0 && status === 'false'

const said = ({ applied, cause }: ExplainedComponent): string =>
  applied ? SAID[cause!] : 'has not taken the release yet'

/** After the component's name. */
const SAID: Readonly<Record<DriftCause, string>> = {
  pending_deploy: 'waits for a deploy',
  renderer_changed: 'would be rendered differently now',
  edited: 'was changed by hand',
  lost: 'has lost it',
  applied_unrecorded: 'already shows what was saved, though no release says so',
  edited_and_pending: 'was changed by hand, and what was saved waits for a deploy',
  foreign_owner: 'is held by somebody else, and is left alone',
  orphan: 'bears our mark and is not in the database, so that a person must adopt it or take it away',
  not_loaded: 'has it, and whoever reads it has not loaded it',
  rejected: 'was asked for it, and whoever keeps it did not accept it',
  access: 'has it, but its owner or mode is wrong',
  neighbour: 'has it, and another file stands in its way',
  shadowed: 'has it, and something else is asked before it',
  not_served: 'says that it is not served its certificate',
  removing: 'still has what is to go',
}

/** A try whose time has come waits for its turn alone. */
const willDo = ({ engine: { will, next_attempt_at } }: ExplainedComponent): string =>
  will === 'try_again' && next_attempt_at === null ? 'is about to try again' : WILL[will]

const WILL: Readonly<Record<ReactionKind, string>> = {
  leave_alone: 'has nothing to do',
  repair: 'repairs it at its next look',
  try_again: 'tries again when its backoff ends',
  only_report: 'only reports it, because the mode is observe',
  refuse: 'refuses to repair it',
  stay_suspended: 'is suspended and leaves it alone',
  look_again: 'looks again',
}
