/**
 * From what is watched for the health page to its troubles. Pure.
 *
 *   last look                trouble           told
 *   unknown                  unknown_lasting   when it lasts; until then nothing is over
 *   drifting, not_loaded     not_loaded        when it lasts; of users and edges at once
 *   drifting, rejected       failing           when it lasts
 *   drifting otherwise       drift_lasting     when it lasts; critical where the proxy refuses the folder
 *   wrong, needs_consent     consent_needed    at once: only a person ends it
 *   wrong otherwise          failing           when it lasts
 *
 * One cause is told once. What other records or a kept key tell in their own words is left out here, and so is what only
 * follows from something that is told already; nothing of that is over meanwhile.
 */
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import { DRIFT_CAUSES } from '../../../model/drift.ts'
import type { HealthComponent } from '../../../model/health.ts'
import type { Severity } from '../../../model/trouble.ts'
import { isRipe, type SightedTrouble, type Sighting } from '../sighting.ts'

export interface WatchedFacts {
  readonly now: Instant
  readonly after_ms: Milliseconds
  /** Since when this process has run without a gap. */
  readonly awake_since: Instant
  /** Whether the routes file on disk is known not to be what was released: then no proxy could have loaded it. */
  readonly routes_differ: boolean
}

export const PROXY_TROUBLE = 'watch/proxy/0'

export function watchedTroubles(parts: readonly HealthComponent[], facts: WatchedFacts): Sighting {
  const asked = parts.filter(({ configured, component }) => configured && !TOLD_ELSEWHERE.has(component))
  const follows = (part: HealthComponent): boolean =>
    (part.name === 'proxy' && part.cause === 'not_loaded' && facts.routes_differ) ||
    (part.name === 'sso_attachments' && parts.some(({ name, ok }) => name === 'proxy' && !ok)) ||
    (part.name === 'certificates_served' && isToldByProxy(part, parts)) ||
    // Of an edge that is lost, which is told by itself, nobody knows what it serves.
    (part.component === 'edges' && part.cause === 'offline')
  return {
    troubles: asked
      .filter((part) => !follows(part))
      .flatMap((part) => troubleOf(part, facts) ?? [])
      // Not to know for a moment is neither a trouble nor the return of one.
      .filter((trouble) => trouble.kind !== 'unknown_lasting' || isRipe(trouble, facts.now)),
    unsure: asked.filter((part) => part.drift === null || follows(part)).map(({ name }) => `watch/${name}/`),
  }
}

/** A proxy that is away shows nothing, and one that runs an earlier file lacks what is new. */
const isToldByProxy = ({ drift }: HealthComponent, parts: readonly HealthComponent[]): boolean =>
  parts.some(
    (part) =>
      part.name === 'proxy' &&
      part.configured &&
      (part.cause === 'not_loaded' || (part.drift === null && drift === null)),
  )

/** By what knows it best. */
const TOLD_ELSEWHERE: ReadonlySet<string> = new Set([
  // By the time of each certificate, and by the key of each that we keep.
  'certificates',
  // Key by key.
  'ddns',
  // By the proof, which is kept, and the quarantine.
  'sso_routes',
  // By its zones, which are kept.
  'dns_account',
])

function troubleOf(part: HealthComponent, facts: WatchedFacts): SightedTrouble | null {
  const kind = kindOf(part)
  if (kind === null) return null
  const { name, component, message, differences } = part
  const who = isFolderRefused(part) ? FOLDER_REFUSED : BY_COMPONENT[kind]?.[component]
  const { severity, waits, remedy } = { ...KINDS[kind], ...who }
  const since = sinceOf(part, facts)
  return {
    id: `watch/${name}/0`,
    kind,
    severity,
    component,
    key: name,
    domains: [...new Set(differences.flatMap(({ domains }) => domains))].sort(),
    since,
    message,
    remedy,
    ripe_at: since + (waits ? facts.after_ms : 0),
  }
}

/** While the host slept nobody could look, and what was never looked at has been so since the start. */
const sinceOf = ({ drift, since }: HealthComponent, { awake_since }: WatchedFacts): Instant =>
  since === null || drift === null ? Math.max(since ?? 0, awake_since) : since

type WatchedKind = 'unknown_lasting' | 'not_loaded' | 'drift_lasting' | 'consent_needed' | 'failing'

function kindOf({ component, ok, drift, cause }: HealthComponent): WatchedKind | null {
  if (ok && drift === false) return null
  // One that is lost is told by itself.
  if (component === 'edges') return cause === 'behind' ? 'not_loaded' : null
  // Each name by itself.
  if (component === 'dns_integrity' && drift !== null) return null
  // What it reads is told by the keys of the rules and of the routes; what no key keeps is told here.
  if (component === 'sso_attachments') return cause === null || isKept(cause) ? null : 'failing'
  if (drift === null) return 'unknown_lasting'
  if (drift && cause === 'not_loaded') return 'not_loaded'
  if (drift && !LASTING_FAILURES.has(cause)) return 'drift_lasting'
  return cause === 'needs_consent' ? 'consent_needed' : 'failing'
}

/** Nothing here ends them by itself. */
const LASTING_FAILURES: ReadonlySet<string | null> = new Set([
  'rejected',
  'entrypoints_missing',
  'entrypoint_role',
])

const isKept = (cause: string): boolean => (DRIFT_CAUSES as readonly string[]).includes(cause)

/** Who else than the proxy may go on with what was before. By the time that their checks say so, it has lasted. */
const NOT_LOADED_BY: Readonly<Record<string, KindFacts>> = {
  edges: {
    severity: 'warning',
    waits: false,
    remedy:
      'It serves what was closed or taken away since. See its proxy and its log; GET /api/ccm/edge/edges names it.',
  },
  sso_users: {
    severity: 'urgent',
    waits: false,
    remedy: 'Restart the SSO provider by hand, and see why PLUMBLINE_SSO_RESTART does not.',
  },
}

/** Whoever comes there is warned off by their browser. */
const DRIFTS_AT: Readonly<Record<string, KindFacts>> = {
  certificates_served: {
    severity: 'warning',
    waits: true,
    remedy:
      'The log of the proxy says which certificate file it cannot read; "plumbline certificates" names each and what helps.',
  },
}

/** By the time that its check says so, it has lasted. */
const FAILS_AT: Readonly<Record<string, KindFacts>> = {
  credentials: {
    severity: 'warning',
    waits: false,
    remedy:
      'Find who it is: a device with an old key, or a stranger to be shut out at the proxy or the firewall. Nobody gets in by it.',
  },
}

const BY_COMPONENT: Partial<Record<WatchedKind, Readonly<Record<string, KindFacts>>>> = {
  not_loaded: NOT_LOADED_BY,
  drift_lasting: DRIFTS_AT,
  failing: FAILS_AT,
}

/** At its next restart the proxy would serve no route of the folder. */
const isFolderRefused = ({ component, details }: HealthComponent): boolean =>
  component === 'routes_folder' && Array.isArray(details['refused']) && details['refused'].length > 0

/** A file that somebody is just writing is no alarm. */
const FOLDER_REFUSED: KindFacts = {
  severity: 'critical',
  waits: true,
  remedy:
    'Correct the file or move it out of the folder before the proxy restarts: it would serve no route of it.',
}

interface KindFacts {
  readonly severity: Severity
  readonly waits: boolean
  readonly remedy: string
}

const KINDS: Readonly<Record<WatchedKind, KindFacts>> = {
  unknown_lasting: {
    severity: 'notice',
    waits: true,
    remedy:
      'See whether it runs, can be reached from here and lets us in: "plumbline doctor" says what helps.',
  },
  not_loaded: {
    severity: 'warning',
    waits: true,
    remedy: 'The log of the proxy says why; GET /api/deploy/status shows what it runs and what became of it.',
  },
  drift_lasting: {
    severity: 'notice',
    waits: true,
    remedy: '"plumbline doctor" says what differs and what helps.',
  },
  consent_needed: {
    severity: 'warning',
    waits: false,
    remedy: 'Only a person can grant it; POST /api/email/refresh-token then tries it.',
  },
  failing: {
    severity: 'warning',
    waits: true,
    remedy: '"plumbline doctor" says what is wrong and what helps.',
  },
}
