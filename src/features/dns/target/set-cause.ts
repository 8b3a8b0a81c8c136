/**
 * The cause of one set, decided here for every reader. Pure. It is that of the table, from what both editions ask for and
 * what stands there, but for what is a matter of our own writes. Where nobody else has touched it and it is not what was
 * released:
 *
 *   the provider did not accept what it was asked for     rejected
 *   it accepted it, and its listing does not show it      not_loaded
 *   it stands as we sent it, and neither edition asks
 *     for it any more                                     removing
 *   it stands as we sent it, and is asked for otherwise   pending_deploy, or renderer_changed when no row moved
 */
import { causeOf } from '../../../engine/cause.ts'
import type { DriftCause } from '../../../model/drift.ts'
import { type ListedRrset, type OwnedRrset, rrsetKey } from '../../../model/network/dns.ts'
import type { Decision } from './deciding/decide.ts'
import { isAskedFor } from './deciding/ownership.ts'
import { setText } from './marks/set-text.ts'
import { sameValues } from './writing/fit.ts'
import { contentOf } from './writing/plan-upsert.ts'
import type { Unaccepted } from './zones/unaccepted.ts'
import type { ZoneState } from './zones/zone-state.ts'

export interface Editions {
  readonly working: Decision | null
  readonly released: Decision | null
}

export interface Facts {
  readonly observed: ZoneState
  readonly rows_moved: boolean
  readonly was_released: boolean
}

export interface Texts {
  readonly working: string | null
  readonly released: string | null
  readonly observed: string | null
  /** It stands there as the ledger has it. */
  readonly is_as_sent: boolean
  /** The provider was asked for it, or was about to be, and no listing has shown it. */
  readonly is_asked_for: boolean
  /** It once stood there: by the ledger, or somebody had taken it away before it was asked for anew. */
  readonly has_stood: boolean
}

export function textsOf({ working, released }: Editions, { observed, was_released }: Facts): Texts {
  const { evaluated } = (working ?? released)!
  const { listed, row } = evaluated
  const was_lost = observed.unaccepted?.get(rrsetKey(evaluated))?.was_lost === true
  return {
    working: sideText(working, observed, listed),
    released: was_released ? sideText(released, observed, listed) : null,
    observed: listed === null ? null : setText(listed),
    is_as_sent: listed !== null && row !== null && isAsSent(listed, row),
    is_asked_for: row !== null && (isAskedFor(row) || row.state === 'sending'),
    has_stood: row !== null && (row.state !== 'sending' || was_lost),
  }
}

const isAsSent = (listed: ListedRrset, row: OwnedRrset): boolean =>
  sameValues(listed.values, row.values) && listed.ttl === row.ttl && listed.proxied === row.proxied

/** What an edition asks for: a set, its absence, or nothing, and then whatever is there is right. */
function sideText(decision: Decision | null, state: ZoneState, listed: ListedRrset | null): string | null {
  const there = listed === null ? null : setText(listed)
  if (decision === null) return there
  const { evaluated } = decision
  if (evaluated.ownership === 'releasing') return there
  if (evaluated.wanted !== null) return setText(contentOf(state, { ...evaluated, wanted: evaluated.wanted }))
  return evaluated.removable_because === null ? there : null
}

export interface OwnRefusal {
  /** A sentence for people. */
  readonly why: string
  /** It is what the released edition asks for, so that it goes on being asked for. */
  readonly is_deployed: boolean
}

/** Null where what is asked for now is another thing than what was not accepted. */
export function refusalOf(unaccepted: Unaccepted | undefined, texts: Texts): OwnRefusal | null {
  if (unaccepted === undefined || unaccepted.message === null) return null
  const { message, asked } = unaccepted
  if (asked === texts.released && asked !== texts.observed)
    return { why: `The provider did not accept it: ${message}`, is_deployed: true }
  if (asked !== texts.working) return null
  const why = `The provider did not accept it when it was deployed: ${message} Deploy it again when it can be accepted.`
  return { why, is_deployed: false }
}

/** Null where what both editions ask for stands there. */
export function causeOfSet(texts: Texts, facts: Facts, refusal: OwnRefusal | null): DriftCause | null {
  const { is_asked_for, working, observed } = texts
  if (refusal?.is_deployed === true && isUntouched(texts)) return 'rejected'
  const settled = settledCause(texts, facts)
  const is_unheeded = is_asked_for && observed !== working && (settled === 'edited' || settled === 'lost')
  return is_unheeded && refusal?.is_deployed !== true && isUntouched(texts) ? 'not_loaded' : settled
}

/** By nobody else: it stands as it did before we asked, or it has never stood there. */
const isUntouched = ({ observed, is_as_sent, has_stood }: Texts): boolean =>
  observed === null ? !has_stood : is_as_sent

/**
 * By the table of causes. A set that stands as we sent it was touched by nobody: when neither edition asks for that any
 * more, an address moved or a setting did, and what was sent takes the place of the released side.
 */
function settledCause(texts: Texts, { rows_moved }: Facts): DriftCause | null {
  const { working, observed, is_as_sent, is_asked_for } = texts
  const untouched = is_as_sent && !is_asked_for && working !== observed
  if (untouched && working === null && texts.released === null) return 'removing'
  const released = untouched ? observed : texts.released
  return causeOf({ working, released, observed }, rows_moved && working !== texts.released)
}
