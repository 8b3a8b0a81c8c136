/** What a change would do to signing in, told before it is done and when it is. */
import type { SiteRules } from '../../../model/access/compare.ts'
import { shutOuts } from '../../../model/access/sign-in.ts'
import type { Intent } from '../../../model/intent.ts'
import type { ReleaseRow } from '../../../ports/records/trails.ts'
import type { Deps } from '../deps.ts'
import { type LaxerName, laxerNames, laxerWarning, leavingWarning } from './laxer-names.ts'

type SignInDeps = Pick<Deps, 'store' | 'sso'>

/** Where nobody could sign in with these rows released, as far as they are concerned or it was not so before. */
export async function warningsOnMoves(
  { store, sso }: SignInDeps,
  rows: readonly ReleaseRow[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (rows.length === 0) return []
  const before = await store.intent('released')
  const moved = new Map(rows.map(({ domain_id, row }) => [domain_id, row]))
  const after = {
    rows: [
      ...before.rows.filter(({ domain_id }) => !moved.has(domain_id)),
      ...[...moved.values()].filter((row) => row !== null),
    ],
  }
  const known = new Set((await found(sso, before, signal)).map(keyOf))
  const concerned = new Set([...moved.values()].map((row) => row?.fields.domain))
  const now = (await found(sso, after, signal)).filter(
    (one) => concerned.has(one.domain) || !known.has(keyOf(one)),
  )
  return [...now, ...newlyLaxer(sso, before, after).map(laxerWarning)]
    .map(words)
    .concat(leaving(sso, before, after).map(leavingWarning))
}

/** The same of what is released, as far as these records are concerned. */
export async function warningsOnReleased(
  { store, sso }: SignInDeps,
  domain_ids: readonly number[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const released = await store.intent('released')
  const ids = new Set(domain_ids)
  const names = new Set(
    released.rows.filter(({ domain_id }) => ids.has(domain_id)).map(({ fields }) => fields.domain),
  )
  return (await found(sso, released, signal)).filter(({ domain }) => names.has(domain)).map(words)
}

async function found(
  sso: Deps['sso'],
  intent: Intent,
  signal: AbortSignal,
): Promise<readonly SignInWarning[]> {
  const sites = sitesOf(sso, intent)
  const shut_out = shutOuts(intent, sites, await sso.sign_in.read(signal))
  return [...shut_out, ...closedPaths(sso, intent)]
}

const sitesOf = (sso: Deps['sso'], intent: Intent): readonly SiteRules[] => sso.rules?.sites(intent) ?? []

/** What was so before was told then: many have a strict star and laxer names below it. */
function newlyLaxer(sso: Deps['sso'], before: Intent, after: Intent): readonly LaxerName[] {
  const known = new Set(laxerNames(sitesOf(sso, before)).map(({ domain }) => domain))
  return laxerNames(sitesOf(sso, after)).filter(({ domain }) => !known.has(domain))
}

/** Names that lose their rule and leave their host to a stricter star that stays. */
function leaving(sso: Deps['sso'], before: Intent, after: Intent): readonly LaxerName[] {
  const staying = new Set(sitesOf(sso, after).map(({ domain }) => domain))
  return laxerNames(sitesOf(sso, before)).filter(
    ({ domain, star }) => !staying.has(domain) && staying.has(star),
  )
}

interface SignInWarning {
  readonly domain: string
  readonly cause: string
  readonly detail: string
  readonly cure: string
}

/** Open paths that stay closed because a middleware of the record may change the path behind the decision. */
const closedPaths = (sso: Deps['sso'], { rows }: Intent): readonly SignInWarning[] =>
  rows
    .filter(({ live }) => live)
    .flatMap(({ fields }) => {
      const name = sso.openPaths(fields)?.hindered_by ?? null
      if (name === null) return []
      const { domain } = fields
      return [
        {
          domain,
          cause: `path_changing ${name}`,
          detail: `The open paths of ${domain} (bypass in PLUMBLINE_SSO_POLICIES_FILE) stay closed, because its middleware "${name}" may change the path.`,
          cure: 'Take one of the two out.',
        },
      ]
    })

const keyOf = ({ domain, cause }: SignInWarning): string => `${cause} ${domain}`

const words = ({ detail, cure }: SignInWarning): string => `${detail} ${cure}`
