/** Telling the SSO from other things that stand in front of a site. A wrong yes would claim a lock that was never there. */
import { accept, type Parsed, refuse } from '../../../model/result.ts'
import type { ImportContext } from './context.ts'
import { type Effect, NO_EFFECT } from './effect.ts'
import { named } from './place.ts'
import { isMapping, textOf } from './tree.ts'

const USUAL_NAMES = ['authelia', 'authentik']
/** Authelia's two endpoints, authentik's outpost, or a host of either name. */
const USUAL_ADDRESS =
  /^https?:\/\/(?:[^/]*\b(?:authelia|authentik)\b|[^/]+\/(?:api\/(?:verify|authz\/forward-auth)|outpost\.goauthentik\.io\/auth)(?:[/?]|$))/i

export const isSsoName = (name: string, { sso_names }: ImportContext): boolean =>
  USUAL_NAMES.includes(name.toLowerCase()) || sso_names.includes(name)

export function forwardAuthEffect(name: string, config: unknown, context: ImportContext): Parsed<Effect> {
  const address = isMapping(config)
    ? textOf(Object.entries(config).find(([key]) => key.toLowerCase() === 'address')?.[1])
    : null
  if (address === null)
    return refuse('middleware', `uses the forwardAuth ${named(name)}, which has no address`)
  const known =
    USUAL_ADDRESS.test(address) || context.sso_addresses.includes(address) || isSsoName(name, context)
  return known
    ? accept({
        ...NO_EFFECT,
        auth: true,
        notes: [`the sign-in at ${named(address)} becomes this installation's SSO`],
      })
    : refuse('middleware', `asks ${named(address)} for permission, which is not known to be the SSO`)
}
