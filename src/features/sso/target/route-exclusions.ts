/**
 * Knows what the provider runs as of the last look, and so which routes are to be kept out: those in quarantine, and those
 * that wait for their rule.
 */
import { Failure } from '../../../kernel/failure.ts'
import { isProtected } from '../../../model/access/applies.ts'
import { compareSite, type SiteRules } from '../../../model/access/compare.ts'
import type { AccessRules } from '../../../model/access/rule.ts'
import type { Intent } from '../../../model/intent.ts'
import type { Store } from '../../../ports/store.ts'
import type { ExcludedRoute } from '../../routes/opens/exclude-routes.ts'
import { type Quarantined, ssoRecords } from '../records.ts'
import { type SsoDesired, ssoDesired, type SsoSettings, withEarlierBypass } from './desire.ts'
import { ssoCodec } from './codec.ts'
import { SSO_KEY, type SsoObserved } from './diff.ts'
import type { RulesView } from './rules-view.ts'

export interface RouteExclusionsParts {
  readonly settings: SsoSettings
  readonly store: Pick<Store, 'intent' | 'of' | 'latestRelease' | 'artifact'>
  /** Null where rules are not managed: nothing waits for them then. */
  readonly view: Pick<RulesView, 'look' | 'lastRan' | 'keeps_running'> | null
}

export class RouteExclusions {
  readonly settings: SsoSettings
  readonly #parts: RouteExclusionsParts
  readonly #hints = new Set<() => void>()
  #waited: {
    readonly sites: readonly SiteRules[]
    readonly running: AccessRules | null
    readonly routes: readonly ExcludedRoute[]
  } | null = null
  #changes = 0
  /** As of so many changes nothing is kept out, and without rules nothing can come to be. */
  #none_since: number | null = null
  #seen: SsoObserved | null = null
  #derived: { readonly intent: Intent; readonly desired: SsoDesired } | null = null
  #released: { readonly digest: string; readonly sites: readonly SiteRules[] } | null = null

  constructor(parts: RouteExclusionsParts) {
    this.#parts = parts
    this.settings = parts.settings
  }

  /** The sso target looked. */
  saw(observed: SsoObserved): void {
    const before = this.#seen
    this.#seen = observed
    if (before?.rules !== observed.rules || before.loaded !== observed.loaded) this.changed()
  }

  /** What is kept out may be other names than before. */
  changed(): void {
    this.#changes++
    for (const hint of this.#hints) hint()
  }

  async excluded(signal: AbortSignal): Promise<readonly ExcludedRoute[]> {
    if (this.#none_since === this.#changes) return []
    const changes = this.#changes
    const rows = await this.#parts.store.of(ssoRecords).quarantine()
    if (rows.length === 0 && this.#parts.view === null) {
      this.#none_since = changes
      return []
    }
    const sites = await this.sites()
    const running = await this.running(signal)
    const quarantined =
      rows.length === 0 ? [] : quarantinedOf(rows, await this.#parts.store.intent('released'))
    const both = [...quarantined, ...this.#waiting(sites, running)]
    return [...new Map(both.toReversed().map((one) => [one.domain, one])).values()].toReversed()
  }

  /** All sites are compared with all rules, and edges ask every few seconds. */
  #waiting(sites: readonly SiteRules[], running: AccessRules | null): readonly ExcludedRoute[] {
    if (this.#waited?.sites !== sites || this.#waited.running !== running) {
      const waiting = waitingForRule(withEarlierBypass(sites, this.settings), running)
      this.#waited = { sites, running, routes: waiting.map(waits) }
    }
    return this.#waited.routes
  }

  /**
   * What is protected by the newest release, by the rules that it wrote: a policy that was changed since counts from a deploy
   * on, for routes as for rules.
   */
  async sites(): Promise<readonly SiteRules[]> {
    const { store, view } = this.#parts
    const digest = view === null ? undefined : (await store.latestRelease())?.digests[SSO_KEY]
    if (digest === undefined) return this.#derivedSites()
    if (this.#released?.digest !== digest) {
      const artifact = await store.artifact(SSO_KEY)
      if (artifact === null) return this.#derivedSites()
      this.#released = { digest: artifact.digest, sites: ssoCodec.thaw(artifact.chunks).sites }
    }
    return this.#released.sites
  }

  async #derivedSites(): Promise<readonly SiteRules[]> {
    const intent = await this.#parts.store.intent('released')
    if (this.#derived?.intent !== intent)
      this.#derived = { intent, desired: ssoDesired(intent, this.settings) }
    return this.#derived.desired.sites
  }

  /** The rules that the provider runs as far as is known; null where nobody knows. */
  async running(signal: AbortSignal): Promise<AccessRules | null> {
    const { view } = this.#parts
    if (view === null) return null
    const seen = (this.#seen ??= await unlessUnreadable(view.look(signal), signal))
    if (seen === null) return null
    if (seen.loaded === true) return seen.rules
    if (seen.loaded === null && !view.keeps_running) return null
    return unlessUnreadable(view.lastRan(signal), signal)
  }

  watch(hint: () => void): { close(): void } {
    this.#hints.add(hint)
    return { close: () => void this.#hints.delete(hint) }
  }
}

/** A row whose record is protected no more, or is gone, keeps nothing out. One over plain http has no rule, and a route. */
function quarantinedOf(rows: readonly Quarantined[], released: Intent): readonly ExcludedRoute[] {
  const names = new Map(
    released.rows
      .filter(({ live, fields }) => live && isProtected(fields))
      .map(({ domain_id, fields: { domain } }) => [domain_id, domain]),
  )
  return rows.flatMap(({ domain_id, evidence }) => {
    const domain = names.get(domain_id)
    return domain === undefined ? [] : [{ domain, domain_id, why: quarantineWords(domain, evidence) }]
  })
}

/** Routes do not wait for rules that nobody can read. */
async function unlessUnreadable<T>(reading: Promise<T>, signal: AbortSignal): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return null
  }
}

const quarantineWords = (domain: string, evidence: string): string =>
  `${domain} is in quarantine: ${evidence}. Its route is taken out until a person lifts it: POST /api/sso/quarantine/${domain}/lift.`

const waits = ({ domain, domain_id }: SiteRules): ExcludedRoute => ({
  domain,
  domain_id,
  why: `${domain} is held back until its access rule is loaded: the rules that the SSO provider runs now would let in more people than it allows.`,
})

// Which routes wait for their rule: those to which the rules that the provider runs now would let in more people than the
// record allows. Without any rule a route is closed, so only a laxer one for a name with a star can do that. Pure.

/** @param running null where nobody knows what runs: then the file is all there is to go by, and it has no laxer rule */
export const waitingForRule = (
  sites: readonly SiteRules[],
  running: AccessRules | null,
): readonly SiteRules[] =>
  running === null ? [] : sites.filter((site) => compareSite(site, running) === 'weaker')
