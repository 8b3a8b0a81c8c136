/** What to change about the rules: the file is written as a whole, and what is written has to be loaded. */
import type { Difference } from '../../engine/target.ts'
import { compareSite, type SiteRules } from '../../model/access/compare.ts'
import type { AccessRules } from '../../model/access/rule.ts'
import type { FileLook } from '../../ports/files.ts'
import { fileDigest } from './codec.ts'
import type { SsoDesired } from './desire.ts'

export const SSO_KEY = 'sso'

export interface SsoObserved {
  readonly look: FileLook
  /** What the file says; null where it is none that Authelia would take. */
  readonly rules: AccessRules | null
  /** Why it is none, else null. */
  readonly fault: string | null
  /** Null: there is no telling. */
  readonly loaded: boolean | null
}

export type SsoDeed = 'write' | 'load'

export function diffSso(
  desired: SsoDesired,
  observed: SsoObserved,
  path: string,
): readonly Difference<SsoDeed>[] {
  const { look, loaded } = observed
  const common = { key: SSO_KEY, item: path, after: `${desired.sites.length} protected domains` }
  if (look.kind !== 'file' || look.digest !== fileDigest(desired))
    return [
      {
        ...common,
        verb: look.kind === 'absent' ? 'create' : 'update',
        before: look.kind === 'absent' ? null : wordsFor(observed),
        domain_ids: changedSites(desired.sites, observed.rules).map(({ domain_id }) => domain_id),
        payload: 'write',
      },
    ]
  if (loaded !== false) return []
  const domain_ids = desired.sites.map(({ domain_id }) => domain_id)
  return [{ ...common, verb: 'update', before: 'written, not loaded', domain_ids, payload: 'load' }]
}

/** Sites whose rules the file does not have as they are wanted; all of them where it holds no rules. */
const changedSites = (sites: readonly SiteRules[], rules: AccessRules | null): readonly SiteRules[] =>
  rules === null ? sites : sites.filter((site) => compareSite(site, rules) !== 'same')

function wordsFor({ look, fault }: SsoObserved): string {
  if (look.kind !== 'file') return look.kind === 'intruder' ? `a ${look.what}` : 'a file too large'
  return fault ?? `sha256 ${look.digest.slice(0, 12)}`
}
