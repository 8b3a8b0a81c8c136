/**
 * A guard over records that get another name: policies go by name, so a rename can let in people whom the old name keeps out.
 * Such a change needs the plan's hash. What a record lets in is what was released of it, whatever the policies say by now of a
 * name that it leaves.
 */
import type { Examined, Examiner, RemarkedRecord } from '../../../core/commit/hooks.ts'
import { firstOf } from '../../../kernel/async/first-of.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { digestOf } from '../../../kernel/digest.ts'
import { isProtected } from '../../../model/access/applies.ts'
import { compareSite, type SiteRules } from '../../../model/access/compare.ts'
import { criterionFor } from '../../../model/access/hosts.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import type { Intent, IntentRow } from '../../../model/intent.ts'
import type { Deps } from '../deps.ts'
import { ssoCodec } from '../target/codec.ts'
import { SSO_KEY } from '../target/diff.ts'

type GuardDeps = Pick<Deps, 'store' | 'clock' | 'sso'>

const NOTHING: Examined = { guards: [], warnings: [], inputs: [] }

export const renamedExaminer = (deps: GuardDeps): Examiner<Renamed> => ({
  concerns: (released, { release }) => {
    const moved = (release ?? []).flatMap(({ domain_id, row }) =>
      row?.live === true ? [[domain_id, row.fields] as const] : [],
    )
    return moved.length === 0 ? [] : renamedAmong(released, new Map(moved))
  },
  look: async (renamed) => {
    const weaker = await weakerNames(deps, renamed)
    return weaker.length === 0 ? NOTHING : refused(weaker, deps.clock.now())
  },
  moved_on: 'It would let more people in under other names than the plan shows.',
})

const refused = (weaker: readonly string[], observed_at: Instant): Examined => ({
  warnings: [],
  guards: [{ rule: 'weaker_policy', message: firstOf(weaker).join(' '), confirmable: true }],
  // Whoever confirms has read these names, and no others.
  inputs: [{ component: SSO_KEY, key: 'renamed', digest: digestOf(weaker), detail: null, observed_at }],
})

/** What a deploy of saved records would ask for. @param moves the fields that the save moves; null where any may */
export async function renamedWarnings(
  deps: GuardDeps,
  records: readonly RemarkedRecord[],
  moves: ReadonlySet<string> | null,
): Promise<readonly string[]> {
  if (moves?.has('domain') === false) return []
  const saved = new Map(records.flatMap((record) => (record.id === undefined ? [] : [[record.id, record]])))
  if (saved.size === 0) return []
  return weakerNames(deps, renamedAmong(await deps.store.intent('released'), saved))
}

/** A protected record under two names, as if it were live under both. */
interface Renamed {
  readonly before: IntentRow
  readonly after: IntentRow
}

/** Off line or not: one that comes back under another name is renamed, too. */
const renamedAmong = (released: Intent, saved: ReadonlyMap<number, DomainFields>): readonly Renamed[] =>
  released.rows.flatMap((row) => {
    const fields = saved.get(row.domain_id)
    if (fields === undefined || fields.domain === row.fields.domain) return []
    if (!isProtected(fields) || !isProtected(row.fields)) return []
    // As if over https: one over plain http has no rule, whatever its policy says.
    const before = { ...row, live: true, fields: { ...row.fields, ssl_enabled: true } }
    return [{ before, after: { ...before, fields } }]
  })

/** A sentence for each record whose new name lets in somebody whom it keeps out as it is released. */
async function weakerNames(
  { store, sso }: GuardDeps,
  renamed: readonly Renamed[],
): Promise<readonly string[]> {
  if (renamed.length === 0) return []
  const weaker = await weakerRules({ store, sso }, renamed)
  return renamed.flatMap(({ before, after }) =>
    weaker.has(before.domain_id) || opensMore(sso, before.fields, after.fields)
      ? [sentence(after.fields, before.fields)]
      : [],
  )
}

/** Records whose rules under the new name let in more. */
async function weakerRules(
  { store, sso: { rules: service } }: Pick<GuardDeps, 'store' | 'sso'>,
  renamed: readonly Renamed[],
): Promise<ReadonlySet<number>> {
  if (service === null) return new Set()
  const frozen = await store.artifact(SSO_KEY)
  const before = sitesByRecord(
    renamed.flatMap((one) => service.sites({ rows: [one.before] })),
    frozen === null ? [] : ssoCodec.thaw(frozen.chunks).sites,
  )
  const weaker = renamed.filter(({ before: { domain_id }, after }) => {
    const [now] = service.sites({ rows: [after] })
    const was = before.get(domain_id)
    return now !== undefined && was !== undefined && letsInMore(now, was)
  })
  return new Set(weaker.map(({ before: { domain_id } }) => domain_id))
}

/** Open paths of the new name, which the old one has not: they are the routes' business, and no rule names them. */
function opensMore(sso: Deps['sso'], before: DomainFields, after: DomainFields): boolean {
  const pathsOf = (fields: DomainFields): readonly string[] => {
    const found = sso.openPaths(fields)
    return found === null || found.hindered_by !== null ? [] : found.paths
  }
  const known = new Set(pathsOf(before))
  return pathsOf(after).some((path) => !known.has(path))
}

/** @param sets of two that have a record the later one counts */
const sitesByRecord = (...sets: (readonly SiteRules[])[]): ReadonlyMap<number, SiteRules> =>
  new Map(sets.flat().map((site) => [site.domain_id, site]))

/** Both as one site: the rules of before as they would be under the name of now. */
function letsInMore({ domain, domain_id, rules }: SiteRules, before: SiteRules): boolean {
  const renamed = before.rules.map((rule) => ({ ...rule, domain: criterionFor(domain) }))
  return compareSite({ domain, domain_id, rules: renamed }, { default_policy: 'deny', rules }) === 'weaker'
}

type Name = Pick<DomainFields, 'domain'>

const sentence = ({ domain: now }: Name, { domain: before }: Name): string =>
  `${now} would let in more people than ${before} does: PLUMBLINE_SSO_POLICIES_FILE goes by name, and what it says of ${before} does not go along. Give ${now} an entry there that lets in no others, and restart the daemon.`
