/**
 * The access rules of the SSO provider as something that is kept true: one file, written as a whole, and loaded.
 *
 * In which order lock and door are moved. A route is protected by two things: its middleware, in the routes file, which asks
 * the provider; and its rule, here, by which the provider lets people in. Without a rule the provider refuses (the default
 * is `deny`, and the last rule says so once more), so a route with its middleware and without its rule is closed, never
 * open. Hence:
 *
 *   protection goes on    the routes first (`fitLocks`: the middleware stands before anything is restarted, which may take
 *                         half a minute), then the rule, loaded; the engine looks at the routes again after that
 *   protection goes off   the rule first, so that the route closes, then the middleware: the engine's own order
 *   a route goes away     the route first, then its rule: the engine's closing order, and `fitLocks` where one release takes
 *                         routes away and brings others. The other way round a host would for a moment fall to the rule of a
 *                         name with a star, which may let in more people: where there is one, the rules stay as they are while
 *                         the proxy has the route
 *   a route comes         as protection goes on. Where the rules that run would let in more than it allows (again a name with
 *                         a star), it is held back until its own rule is loaded: see `route-exclusions.ts`
 *
 * A deploy that does both does the closing first; what it opens is meant to be open. A pass that fails leaves the routes as
 * they are or closes them: nothing here takes a middleware away.
 */
import { fileTarget, type FileReading, observed } from '../../../engine/file-target.ts'
import type { ApplyContext, Difference, Repair, Target } from '../../../engine/target.ts'
import type { Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { RefusedRepair } from '../../../model/report.ts'
import type { SiteRules } from '../../../model/access/compare.ts'
import type { AccessRules } from '../../../model/access/rule.ts'
import type { Intent } from '../../../model/intent.ts'
import type { Whose } from '../../../model/whose.ts'
import { lookStamp } from '../../../ports/files.ts'
import { ssoCodec, fileDigest } from './codec.ts'
import { fallingOpen, leftoversIn, ssoDesired, type SsoDesired, type SsoSettings } from './desire.ts'
import { diffSso, isLaxer, SSO_KEY, type SsoChange, type SsoObserved } from './diff.ts'
import { ssoExcerpt } from './excerpt.ts'
import { explainSso } from './explain.ts'
import { endedByRestart, type SessionSettings } from '../../../model/access/sessions.ts'
import { load, type LoadParts, RULES_MODE } from './load.ts'
import { isAskedFor } from './refused.ts'
import type { RulesView } from './rules-view.ts'

export interface SsoTargetParts extends LoadParts {
  readonly settings: SsoSettings
  /** Least time between two restarts. */
  readonly restart_gap_ms: Milliseconds
  readonly view: RulesView
  /** Sees that what is released as protected has its middleware. Never throws; what it cannot do is told elsewhere. */
  readonly fitLocks: (asked_for: Whose | null) => Promise<void>
  /** What is released. */
  readonly released: () => Promise<Intent>
  /**
   * Waits a moment until the proxy answers at these names no more. Why those stay that do, as the end of a sentence that
   * begins "they wait"; those that it does not answer at are left out.
   */
  readonly stillServed: (
    names: readonly string[],
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, string>>
  /** Of the provider's own configuration. */
  readonly sessions: (signal: AbortSignal) => Promise<SessionSettings>
  /** What was seen of the provider, for whoever asks without looking. */
  readonly seen?: (observed: SsoObserved) => void
}

/** One restart, until the provider answers well. */
const RESTART_MS: Milliseconds = 60_000
/**
 * Somebody else's restart that is under way, ours, another with what is put back, and the provider's own check before, of
 * the rules and of a text that has to be taken.
 */
const REST_MS = 3 * RESTART_MS + 60_000

export function ssoTarget(parts: SsoTargetParts): Target<SsoDesired, SsoObserved, SsoChange> {
  const { file, settings, clock } = parts
  return fileTarget({
    key: SSO_KEY,
    file,
    place: file.path,
    every_ms: 2_000,
    full_look_every_ms: 30_000,
    deadline_ms: 2 * parts.restart_gap_ms + REST_MS,
    backoff: { first_ms: 5_000, max_ms: 30 * 60_000 },
    whole: true,
    may_be_ignored: true,
    reads: ['domains'],
    desire: (intent) => ssoDesired(intent, settings),
    codec: ssoCodec,
    observe: (signal) => observed({ clock }, signal, () => look(parts, signal)),
    diff: (desired, observed) => diffSso(desired, observed, file.path),
    opens: (desired, observed) => isLaxer(desired, observed),
    apply: async (differences, desired, context) => {
      const undone = await carryOut(parts, { differences, desired, ...context })
      return differences.map(({ key }): Repair =>
        undone === null ? { key, ok: true } : { key, ok: false, ...undone },
      )
    },
    async foresee(differences, signal) {
      const is_restarted =
        parts.provider.restarts !== 'none' && differences.some(({ payload }) => payload !== 'mode')
      const ended = is_restarted ? endedByRestart(await parts.sessions(signal)) : null
      return ended === null ? [] : [`The SSO provider is restarted for its rules. ${ended}`]
    },
    explain: (sides) => explainSso(sides, file.path),
    excerpt: ssoExcerpt,
  })
}

async function look({ view, seen }: SsoTargetParts, signal: AbortSignal): Promise<FileReading<SsoObserved>> {
  const state = await view.look(signal)
  seen?.(state)
  // Whether it is loaded is left out: that is no stranger's edit.
  return { state, digest: state.look.kind === 'file' ? lookStamp(state.look) : state.look.kind }
}

interface Work {
  readonly differences: readonly Difference<SsoChange>[]
  readonly desired: SsoDesired
  readonly signal: AbortSignal
  readonly evidence: boolean
  readonly kept?: ApplyContext['kept']
  readonly asked_for?: ApplyContext['asked_for']
}

type NotDone = Omit<Repair & { readonly ok: false }, 'key' | 'ok'>

const NO_RULES: AccessRules = { default_policy: 'deny', rules: [] }

const failed = (failure: RefusedRepair | null): NotDone | null => (failure === null ? null : { failure })

/** Null when it is done. */
async function carryOut(parts: SsoTargetParts, work: Work): Promise<NotDone | null> {
  const { differences, desired, signal } = work
  const [difference] = differences
  if (difference === undefined) return null
  const { payload } = difference
  if (payload !== 'write') await parts.file.restoreMode(signal)
  // What was closed against us may turn out to be something else.
  if (payload === 'write' || lookStamp(await parts.file.look(signal)) !== fileDigest(desired)) {
    return parts.view.whileWritten(() => write(parts, work))
  }
  // A restart ends sign-ins, so a mode alone asks for none.
  return payload === 'load' ? failed(await load(parts, signal)) : null
}

/** Null when it is written and loaded. */
async function write(parts: SsoTargetParts, work: Work): Promise<NotDone | null> {
  const { differences, desired, signal, evidence, kept, asked_for } = work
  const { domain_ids = [] } = differences[0]!
  const why = await parts.refused.whyNot(desired.text)
  if (why !== null && !isAskedFor(asked_for, domain_ids)) return failed(stillRefused(why))
  const { leftovers, falling } = await leftBehind(parts, work)
  const fit = () => parts.fitLocks(asked_for ?? null)
  const waits = falling.length === 0 ? null : await waitingFor(parts, falling, { fit, signal })
  if (waits !== null) return waits
  const fault = await faultOf(parts, desired.text, signal)
  if (fault !== null) return failed(fault)
  // Where rules go of what stays served, the engine's own order has them go before the middlewares.
  if (domain_ids.length > 0 || leftovers.length > 0) await fit()
  const options = { mode: RULES_MODE, evidence, kept, digest: fileDigest(desired) }
  await parts.file.replace([Buffer.from(desired.text)], options, signal)
  const failure = await load(parts, signal)
  if (failure !== null) return failed(failure)
  parts.view.cameUp(desired.text)
  await parts.refused.taken(desired.text)
  return null
}

/** Names that are served no more and have rules, and those of them that more people would get into without. */
async function leftBehind(
  { view, released }: SsoTargetParts,
  { desired, signal, evidence }: Work,
): Promise<{ readonly leftovers: readonly SiteRules[]; readonly falling: readonly string[] }> {
  const { rules, loaded } = await view.look(signal)
  // The file may have lost what the provider still runs.
  const may_differ = loaded === false || (loaded === null && (view.keeps_running || rules === null))
  const ran = may_differ ? await view.lastRan(signal) : null
  const known = [rules, ran].filter((one) => one !== null)
  const leftovers = leftoversIn(known, await released())
  return { leftovers, falling: fallingOpen(desired, rules ?? NO_RULES, { leftovers, by_hand: evidence }) }
}

const AGAIN_MS: Milliseconds = 30_000

/** Where one of these names is still served, more people would get in. Null where none is. */
async function waitingFor(
  { stillServed }: SsoTargetParts,
  names: readonly string[],
  { fit, signal }: { readonly fit: () => Promise<void>; readonly signal: AbortSignal },
): Promise<NotDone | null> {
  await fit()
  const [first] = await stillServed(names, signal)
  if (first === undefined) return null
  const [name, why] = first
  const message = `The rules are not changed: ${name} may still be served, and without its own rule that of a name with a star would let in more people. They wait ${why}`
  return { failure: { code: 'conflict', message, retry_after_ms: AGAIN_MS }, unfinished: true }
}

/** Our own reading of it first: a rendering that we would not take ourselves is a bug, and stays ours. */
async function faultOf(
  { view, provider, refused }: SsoTargetParts,
  text: string,
  signal: AbortSignal,
): Promise<RefusedRepair | null> {
  const { fault } = await view.read(text, signal)
  if (fault !== null) throw new Failure('internal', `sso: the rules that were rendered are none: ${fault}`)
  const checked = await provider.validate(text, signal)
  if (checked.ok) return null
  if (!checked.final) return notChecked(checked.why)
  const message = `The rules were not written, because the SSO provider's own check refuses them: ${checked.why}.`
  refused.byCheck(text, message)
  return { code: 'provider_refused', message, retry_after_ms: 0 }
}

/** That says nothing of the rules. */
const notChecked = (why: string): RefusedRepair => ({
  code: 'component_unavailable',
  message: `The rules were not written, because whether the SSO provider takes them is not known: ${why}. Look at the command in PLUMBLINE_AUTHELIA; it is asked again by itself.`,
  retry_after_ms: 0,
})

const stillRefused = (why: string): RefusedRepair => ({
  code: 'provider_refused',
  message: `${why} The same rules are tried again within a day, or at once when somebody asks: deploy the domain, or reconcile.`,
  retry_after_ms: 0,
})
