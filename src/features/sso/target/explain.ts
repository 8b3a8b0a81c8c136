/** Why the rules differ, for people: name by name where there are rules to compare, in one sentence where not. Pure. */
import { causeOf } from '../../../engine/cause.ts'
import type { TextDiff } from '../../../kernel/text/diff.ts'
import { editionsDiff, type Side } from '../../../model/sides/editions-diff.ts'
import type { Explanation, Sides } from '../../../engine/target.ts'
import { compareSite, effectOf, extraRules, type SiteRules } from '../../../model/access/compare.ts'
import type { Sides as SideTexts } from '../../../model/sides/sides.ts'
import { rulesFor } from '../../../model/access/decide.ts'
import { nameOf, sampleHost } from '../../../model/access/hosts.ts'
import type { AccessRules } from '../../../model/access/rule.ts'
import { type ExplainedDifference, unlistedNote } from '../../../model/drift.ts'
import { lookStamp } from '../../../ports/files.ts'
import { fileDigest } from './codec.ts'
import type { SsoDesired } from './desire.ts'
import { ssoExcerpt } from './excerpt.ts'
import { diffSso, type SsoObserved } from './diff.ts'

type SsoSides = Sides<SsoDesired, SsoObserved>

const MAX_LISTED = 500

export function explainSso(sides: SsoSides, path: string): Explanation {
  const of_file = fileDifferences(sides, path)
  const found = [...of_file, ...loadDifference(sides, path)]
  const { unified, note } = of_file.length === 0 ? NO_DIFF : fileDiff(sides, path, of_file)
  const notes = [unlistedNote(found.length, MAX_LISTED), note]
  return {
    differences: found.slice(0, MAX_LISTED),
    unified_diff: unified,
    note: notes.filter((one) => one !== null).join(' ') || null,
    sidesOf: (item) => sidesOf(sides, item),
  }
}

/** By what decides for one name, whatever form somebody gave it. */
function sidesOf({ working, released, observed }: SsoSides, item: string): SideTexts | null {
  const saved = ssoExcerpt.desired(working, [item])
  const then = released && ssoExcerpt.desired(released, [item])
  const there = observed.rules === null ? null : ssoExcerpt.observed(observed, [item])
  if (saved === null && then === null && there === null) return null
  return { saved, released: then, there, line: null, noise: false }
}

const NO_DIFF: TextDiff = { unified: null, note: null }

/** Line by line; where the texts differ too much for that, name by name. */
function fileDiff(
  { working, released, observed, wanted_as }: SsoSides,
  path: string,
  found: readonly ExplainedDifference[],
): TextDiff {
  const { look } = observed
  if (look.kind !== 'file' && look.kind !== 'absent')
    return { unified: null, note: `There is no text to compare: ${observed.fault}.` }
  const there = look.kind === 'file' ? Buffer.from(look.bytes).toString('utf8') : ''
  const texts = { path, there, released: released?.text ?? null, working: working.text, wanted_as }
  const textAt = (side: Side, item: string): string | null => {
    if (side === 'there') return ssoExcerpt.observed(observed, [item])
    const desired = side === 'working' ? working : released
    return desired && ssoExcerpt.desired(desired, [item])
  }
  return editionsDiff(texts, (before, after) =>
    found
      .map(({ item }) => ({ item, before: textAt(before, item), after: textAt(after, item) }))
      .filter((piece) => piece.before !== piece.after),
  )
}

function fileDifferences(sides: SsoSides, path: string): readonly ExplainedDifference[] {
  const { working, released, observed, rows_moved } = sides
  const digests = {
    working: fileDigest(working),
    released: released === null ? null : fileDigest(released),
    observed: observed.look.kind === 'absent' ? null : digestOf(observed),
  }
  const cause = causeOf(digests, rows_moved)
  if (cause === null) return []
  const whole = (detail: string): ExplainedDifference => ({ item: path, cause, domains: [], detail })
  const { look } = observed
  if (look.kind === 'file' && look.access !== undefined && look.digest === digests.working)
    return [{ ...whole(`the file ${look.access.what}`), cause: 'access' }]
  if (observed.rules === null)
    return released === null && observed.look.kind === 'absent'
      ? [whole('the first deploy writes it')]
      : [whole(observed.fault ?? 'the file is missing')]
  const sites = siteDifferences(sides, observed.rules)
  const reported = new Set(sites.map(({ item }) => item))
  // The rule of a record that asks for none any more is told with the record.
  const named = [...sites, ...strangers(working, observed.rules).filter(({ item }) => !reported.has(item))]
  return named.length > 0 ? named : [whole('the rules are the same, but their text is not')]
}

const digestOf = ({ look }: SsoObserved): string => (look.kind === 'file' ? lookStamp(look) : look.kind)

function siteDifferences(
  { working, released, rows_moved }: SsoSides,
  actual: AccessRules,
): readonly ExplainedDifference[] {
  const wanted = byName(working.sites)
  const before = byName(released?.sites ?? [])
  return [...new Set([...wanted.keys(), ...before.keys()])].toSorted().flatMap((domain) => {
    const [site, old] = [wanted.get(domain), before.get(domain)]
    const cause = causeOf(
      { working: textOf(site), released: textOf(old), observed: observedText(domain, actual) },
      rows_moved,
    )
    return cause === null ? [] : [{ item: domain, cause, domains: [domain], detail: detailOf(site, actual) }]
  })
}

const byName = (sites: readonly SiteRules[]): ReadonlyMap<string, SiteRules> =>
  new Map(sites.map((site) => [site.domain, site]))

const textOf = (site: SiteRules | undefined): string | null =>
  site === undefined ? null : effectOf(site.rules)

/** What the file says for a name alone; the refusal at its end is nobody's own. */
function observedText(domain: string, actual: AccessRules): string | null {
  const rules = rulesFor(actual.rules, sampleHost(domain)).filter((rule) => nameOf(rule.domain) !== '^.*$')
  return rules.length === 0 ? null : effectOf(rules)
}

function detailOf(site: SiteRules | undefined, actual: AccessRules): string {
  if (site === undefined) return 'its rule stands though the record asks for none'
  const comparison = compareSite(site, actual)
  if (comparison === 'same') return 'its rule is what is saved'
  return comparison === 'weaker'
    ? 'the file lets in more than the record allows'
    : 'its rule is not in the file as it should be'
}

const strangers = (working: SsoDesired, actual: AccessRules): readonly ExplainedDifference[] =>
  extraRules(working.sites, actual).map(({ domain, policy }) => ({
    item: nameOf(domain),
    cause: 'edited',
    domains: [],
    detail: `a rule (${policy}) that no record asks for`,
  }))

function loadDifference(
  { working, released, observed }: SsoSides,
  path: string,
): readonly ExplainedDifference[] {
  const isToLoad = (desired: SsoDesired | null): boolean =>
    desired !== null && diffSso(desired, observed, path).some(({ payload }) => payload === 'load')
  return isToLoad(working) || isToLoad(released)
    ? [
        {
          item: path,
          cause: 'not_loaded',
          domains: working.sites.map(({ domain }) => domain),
          detail: 'written, not loaded: the SSO provider started before the file was changed',
        },
      ]
    : []
}
