/**
 * Which routes wait for their rule: those to which the rules that the provider runs now would let in more people than the
 * record allows. Without any rule a route is closed, so only a laxer one for a name with a star can do that. Pure.
 */
import { compareSite, type SiteRules } from '../../../model/access/compare.ts'
import type { AccessRules } from '../../../model/access/rule.ts'

/** @param running null where nobody knows what runs: then the file is all there is to go by, and it has no laxer rule */
export const waitingForRule = (
  sites: readonly SiteRules[],
  running: AccessRules | null,
): readonly SiteRules[] =>
  running === null ? [] : sites.filter((site) => compareSite(site, running) === 'weaker')
