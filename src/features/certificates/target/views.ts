/** How each certificate stands, for people: what is wanted, what is installed, what comes next. */
import type { Instant } from '../../../kernel/clock.ts'
import type { ManagedView, Retried } from '../view.ts'
import type { CertificatesDesired, Wish } from './desire.ts'
import { certificateKey, obtainOf, wishFor } from './diff.ts'
import { renewalDue } from '../issuing/renewal.ts'
import { needOf, waitOf } from './need.ts'
import { type Looking, stateIn } from './observe.ts'
import type { Reading } from './inventory.ts'
import type { CertificateState } from './state.ts'

/** Ordered by name. */
export function certificateViews(
  desired: CertificatesDesired,
  reading: Reading,
  looking: Pick<Looking['parts'], 'clock' | 'directory'>,
): readonly ManagedView[] {
  const present = [...reading.certificates.keys(), ...reading.orders.keys(), ...reading.failure.keys()]
  const names = new Set([...desired.wishes.map(({ name }) => name), ...present])
  return [...names]
    .sort()
    .map((name) => viewOf(wishFor(desired, name), stateIn(reading, name, looking), lengthIn(reading, name)))
}

/** Of the version that is installed. */
function lengthIn({ certificates, versions }: Reading, name: string): number | null {
  const fingerprint = certificates.get(name)?.fingerprint
  const version = versions.find((one) => one.name === name && one.fingerprint === fingerprint)
  return version?.chain_length ?? null
}

function viewOf(wish: Wish | null, state: CertificateState, chain_length: number | null): ManagedView {
  const { name, directory, installed, order, failure, fault, in_use } = state
  return {
    name,
    names: wish?.names ?? installed?.names ?? order?.names ?? [name],
    wanted: wish !== null,
    directory: installed?.directory ?? directory,
    installed,
    chain_length,
    in_use,
    order_step: order === null || order.step === 'failed' ? null : order.step,
    next_attempt_at: wish === null ? null : nextAttempt(wish, state),
    retried: wish === null ? null : retriedBy(wish, state),
    seen: { key: certificateKey(name), state },
    last_error: failure?.message ?? fault,
  }
}

/** A wait that an authority asked for holds, whoever retries. */
function retriedBy(wish: Wish, state: CertificateState): Retried | null {
  const wait = waitOf(state)
  if (wait === null || state.failure === null || wait.code === 'provider_busy') return null
  const would = obtainOf(wish, { ...state, failure: null })
  if (would === null) return null
  const { verb, before, after } = would
  return {
    verb,
    before,
    after: `${after}; the last try failed: ${state.failure.message}`,
    waiting: wait.message,
  }
}

function nextAttempt(wish: Wish, state: CertificateState): Instant {
  const wait = waitOf(state)
  if (wait !== null) return state.now + wait.retry_after_ms
  if (needOf(wish, state) !== null || state.installed === null) return state.now
  return renewalDue(state.installed, state.now).at
}
