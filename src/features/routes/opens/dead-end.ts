/**
 * What stands in the place of a route that is kept out. Its host stays taken, by a router that leads nowhere: were it gone,
 * the proxy would hand the host to a name with a star, and the SSO provider would let people into what stands behind that by
 * the rule of this name, which may be the laxer one. Pure.
 */
import { entry } from '../render/emit.ts'
import { roleMark, SHARED } from '../render/names.ts'
import { nameOfItem, type RouteObject } from '../render/objects.ts'
import { NOWHERE } from '../render/router.ts'
import { HTTP_ROUTERS } from './opened.ts'

const REDIRECT = HTTP_ROUTERS + roleMark('redirect')
const SITE = HTTP_ROUTERS + roleMark('site')
/** They turn people away and answer nothing else. */
const CHECKS: readonly unknown[] = [SHARED.internal_only, SHARED.sso]

/** Null for what goes: services, other middlewares, and routers of a part of the host. */
export function deadEnd(item: string, object: RouteObject): RouteObject | null {
  // It leads nowhere as it is.
  if (item.startsWith(REDIRECT)) return object
  if (!item.startsWith(SITE) || object.value === undefined) return null
  const { middlewares, ...router } = object.value
  const checks = Array.isArray(middlewares) ? middlewares.filter((name) => CHECKS.includes(name)) : []
  const value = { ...router, service: NOWHERE, ...(checks.length > 0 && { middlewares: checks }) }
  const { domain, placed, start } = object
  return { domain, placed, start, text: entry(nameOfItem(item), value), value }
}
