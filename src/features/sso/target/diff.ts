/** What to change about the rules: the file is written as a whole, and what is written has to be loaded. */
import type { Difference } from '../../../engine/target.ts'
import { compareSite, extraRules, type SiteRules } from '../../../model/access/compare.ts'
import type { AccessRules } from '../../../model/access/rule.ts'
import { type FileLook, lookStamp } from '../../../ports/files.ts'
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

/** `mode`: the bytes are right, as far as they can be read. */
export type SsoChange = 'write' | 'mode' | 'load'

export function diffSso(
  desired: SsoDesired,
  observed: SsoObserved,
  path: string,
): readonly Difference<SsoChange>[] {
  const { look, loaded } = observed
  const common = { key: SSO_KEY, item: path, after: `${desired.sites.length} protected domains` }
  if (isOnlyMisModed(desired, look)) {
    const domain_ids = look.kind === 'file' ? [] : desired.sites.map(({ domain_id }) => domain_id)
    const payload = loaded === false ? 'load' : 'mode'
    return [{ ...common, verb: 'update', before: wordsFor(observed), domain_ids, payload }]
  }
  if (lookStamp(look) !== fileDigest(desired))
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

/** A file that is closed against ourselves has to be opened before anybody can say what stands in it. */
const isOnlyMisModed = (desired: SsoDesired, look: FileLook): boolean =>
  look.kind === 'file'
    ? look.access !== undefined && look.digest === fileDigest(desired)
    : look.kind === 'intruder' && look.what === 'closed file'

/** Sites whose rules the file does not have as they are wanted; all of them where it holds no rules. */
const changedSites = (sites: readonly SiteRules[], rules: AccessRules | null): readonly SiteRules[] =>
  rules === null ? sites : sites.filter((site) => compareSite(site, rules) !== 'same')

function wordsFor({ look, fault }: SsoObserved): string {
  if (look.kind !== 'file') return look.kind === 'intruder' ? `a ${look.what}` : 'a file too large'
  return fault ?? look.access?.what ?? `sha256 ${look.digest.slice(0, 12)}`
}

/** Rules that cannot be read here may mean anything to whoever reads them. */
export function isLaxer({ sites }: SsoDesired, { look, rules }: SsoObserved): boolean {
  if (look.kind === 'absent') return false
  // A link or a pipe is read by the provider all the same, and so is a file that is too large for us.
  if (look.kind !== 'file') return true
  if (rules === null || look.access?.opens === true) return true
  return sites.some((site) => compareSite(site, rules) === 'weaker') || extraRules(sites, rules).length > 0
}
