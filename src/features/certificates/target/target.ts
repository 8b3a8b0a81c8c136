/** One certificate as something that is kept true. */
import type { Blueprint, Repair, Target } from '../../../engine/target.ts'
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import { digestOf } from '../../../kernel/digest.ts'
import { covers } from '../../../model/network/certificate.ts'
import { isToBeAsked, renewalDue } from '../issuing/renewal.ts'
import { applyCertificate } from './apply.ts'
import { type CertificatesDesired, isOurs } from './desire.ts'
import {
  certificateKey,
  certificateObstacles,
  type CertificatePayload,
  diffCertificate,
  wishFor,
} from './diff.ts'
import { certificateExcerpt, explainCertificate } from './explain.ts'
import { observeCertificate } from './observe.ts'
import type { CertificateParts } from './parts.ts'
import type { CertificateInventory } from './inventory.ts'
import type { CertificateState } from './state.ts'

export type CertificateTarget = Target<CertificatesDesired, CertificateState, CertificatePayload>

export interface CertificateTargetParts extends CertificateParts {
  readonly blueprint: Blueprint<CertificatesDesired>
  readonly inventory: CertificateInventory
  readonly watch: CertificateTarget['watch']
  /** To be called when a new certificate stands. */
  readonly installed: () => void
}

const EVERY_MS: Milliseconds = 30_000
/** Its files are nobody's to change: what happens to them is seen within five seconds. */
const GLANCED_EVERY_MS: Milliseconds = 3_000

export function certificateTarget(name: string, parts: CertificateTargetParts): CertificateTarget {
  const { blueprint, clock, inventory, issuer, responsibility, watch } = parts
  const asking = new Asking(parts, inventory)
  let seen: CertificateState | null = null
  let seen_files: string | null = null
  return {
    ...blueprint,
    key: certificateKey(name),
    /** Mostly two calls of the system tell that all is still so. */
    get every_ms() {
      return seen === null ? EVERY_MS : GLANCED_EVERY_MS
    },
    full_look_every_ms: 15 * 60_000,
    deadline_ms: 120_000,
    // What failed waits by its own row, which knows the authority's limits; this is for what failed here.
    backoff: { first_ms: 5_000, max_ms: 5 * 60_000 },
    whole: false,
    place: parts.files.directory,
    reads: ['domains'],
    glance: () => (seen === null || isOver(seen, asking) ? null : stampOf(seen)),
    async observe(signal) {
      const files = seen === null ? null : filesOf(seen)
      // What was read a moment ago, for another one, may be older than the stamp that it would be kept with.
      if (seen !== null && (files === null || files !== seen_files)) inventory.forget()
      const found = await observeCertificate(name, { inventory, parts }, signal)
      if (!found.known) return found
      const state = asking.isDue(found.state) ? await asking.ask(found.state, signal) : found.state
      seen = state
      seen_files = files
      return { ...found, state }
    },
    diff: diffCertificate,
    obstacles: certificateObstacles,
    // Which records it is for moves nothing of it.
    portion: (desired) => digestOf([wishFor(desired, name)?.names ?? null]),
    concerns: ({ fields }) => isOurs(fields, responsibility) && concernsName(name, fields.domain),
    foresee: (differences, signal) => foreseen(name, differences, { issuer, signal }),
    apply: (differences, desired, { signal }) => applyEach(name, differences, { parts, desired, signal }),
    explain: explainCertificate,
    excerpt: certificateExcerpt(name),
    watch,
  }

  /** Files are anybody's to take away or to change: a glance sees that, too. */
  function stampOf(state: CertificateState): string | null {
    const files = filesOf(state)
    return files === null || files !== seen_files ? null : `${inventory.version} ${files}`
  }

  function filesOf({ installed }: CertificateState): string | null {
    return installed === null ? NO_FILES : parts.files.glance({ name, fingerprint: installed.fingerprint })
  }

  /** The state says something else by now, though nobody has touched it. */
  function isOver(state: CertificateState, questions: Asking): boolean {
    const later = { ...state, now: clock.now() }
    return nextMoment(state) <= later.now || questions.isDue(later)
  }
}

type Differences = Parameters<CertificateTarget['apply']>[0]

/** What an order would meet, in words. */
async function foreseen(
  name: string,
  differences: Differences,
  { issuer, signal }: Pick<CertificateParts, 'issuer'> & { readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const found = differences.flatMap(({ payload }) =>
    payload.kind === 'obtain' ? [issuer.preflight(payload.wish, signal)] : [],
  )
  return (await Promise.all(found)).flat().map(({ detail }) => `${name}: ${detail}`)
}

interface ToApply {
  readonly parts: CertificateTargetParts
  readonly desired: CertificatesDesired
  readonly signal: AbortSignal
}

async function applyEach(
  name: string,
  differences: Differences,
  { parts, desired, signal }: ToApply,
): Promise<readonly Repair[]> {
  const repairs: Repair[] = []
  try {
    for (const { payload } of differences) {
      const repair = await applyCertificate({ name, payload, desired, parts, signal })
      if (repair.ok && payload.kind === 'obtain') parts.installed()
      repairs.push(repair)
    }
    return repairs
  } finally {
    parts.inventory.changed()
  }
}

const NO_FILES = 'none'

/** When time alone changes what is to be done; the past where it has. */
function nextMoment({ installed, failure, order, now }: CertificateState): Instant {
  if (order !== null) return now
  const moments = [failure?.next_try_at, installed && renewalDue(installed, now).at, installed?.not_after]
  const ahead = moments.filter((at) => typeof at === 'number' && at > now)
  return Math.min(...(ahead as Instant[]), Number.MAX_SAFE_INTEGER)
}

/**
 * A wildcard's certificate is for what lies right below it, and may be for the name above: each of them gets one of its own
 * when the wildcard leaves, and needs it no more when one comes.
 */
const concernsName = (name: string, domain: string): boolean =>
  isServedBy(domain, name) || isServedBy(name, domain)

const isServedBy = (domain: string, name: string): boolean => covers([name], domain) || name === `*.${domain}`

// Asks the authority when to renew (RFC 9773), in the course of a look that comes anyway. What was answered is in the row
// and holds for hours, so nearly every look asks nobody; a question that leads nowhere is not repeated at every look.

const MAX_ASKING_MS: Milliseconds = 3_000
const MIN_BETWEEN_MS: Milliseconds = 10 * 60_000

class Asking {
  readonly #parts: Pick<CertificateParts, 'issuer'>
  readonly #inventory: CertificateInventory
  /** By certificate id. */
  readonly #asked = new Map<string, Instant>()

  constructor(parts: Pick<CertificateParts, 'issuer'>, inventory: CertificateInventory) {
    this.#parts = parts
    this.#inventory = inventory
  }

  isDue({ installed, directory, now }: CertificateState): boolean {
    if (installed === null || installed.directory !== directory || !isToBeAsked(installed, now)) return false
    const before = this.#asked.get(installed.ari_id!)
    // A host that slept, or a clock that was set, makes it long ago.
    return before === undefined || Math.abs(now - before) >= MIN_BETWEEN_MS
  }

  /** The state as it is after the question. */
  async ask(state: CertificateState, signal: AbortSignal): Promise<CertificateState> {
    const { issuer } = this.#parts
    const { installed, now } = state
    if (installed === null) return state
    this.#asked.set(installed.ari_id!, now)
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(MAX_ASKING_MS)])
    try {
      const renewed = await issuer.askRenewal(installed, bounded)
      if (renewed.renewal !== installed.renewal) this.#inventory.changed()
      return { ...state, installed: renewed }
    } catch (error) {
      // An authority that does not answer must not keep anybody from seeing what is there.
      if (signal.aborted || !bounded.aborted) throw error
      return state
    }
  }
}
