/** Why a certificate has to be obtained, and until when that has to wait. Pure. */
import { isoTime } from '../../../kernel/clock.ts'
import { covers } from '../../../model/network/certificate.ts'
import type { RefusedRepair } from '../../../model/report.ts'
import type { Wish } from './desire.ts'
import { renewalDue } from '../issuing/renewal.ts'
import { waitsUntil } from '../issuing/backoff.ts'
import type { CertificateState } from './state.ts'

/** Null where what is installed is what is wanted. The end of the sentence "it is obtained because …". */
export function needOf(wish: Wish, state: CertificateState): string | null {
  const { installed, fault, mends = [], directory, now } = state
  if (installed === null) return 'there is none yet'
  if (!isSame(installed.names, wish.names)) return `it is to be for ${wish.names.join(', ')}`
  if (fault !== null && mends.length === 0) return `its files are not what they should be: ${fault}`
  if (installed.directory !== directory) return `it is to come from ${directory}`
  const due = renewalDue(installed, now)
  if (!due.now) return null
  const ends = `it ends at ${isoTime(installed.not_after)}`
  return due.by === 'hint' ? `the authority asks for it to be renewed (${ends})` : ends
}

/** Why nothing is tried just now, although there is need; null where nothing keeps us. */
export function waitOf({ name, failure, installed, now }: CertificateState): RefusedRepair | null {
  const until = waitsUntil(failure, installed, now)
  if (failure === null || until === null) return null
  const { code, message } = failure
  return {
    code,
    message: `${name}: ${message} It is tried again at ${isoTime(until)}.`,
    retry_after_ms: until - now,
  }
}

/** What is installed does for now, whatever else is wanted of it. */
export const standsIn = (wish: Wish, { installed, fault, now }: CertificateState): boolean =>
  installed !== null &&
  fault === null &&
  installed.not_after > now &&
  wish.names.every((name) => covers(installed.names, name))

/** Nobody wants it, nobody may want it back, and the proxy does not read it: it may go. */
export const isSurplus = (
  { installed, order, failure, in_use }: CertificateState,
  kept: readonly string[],
): boolean =>
  !in_use &&
  (installed !== null || order !== null || failure !== null) &&
  !kept.some((name) => covers(installed?.names ?? [], name))

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i])
