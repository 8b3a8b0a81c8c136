/** The names of a record's objects, in the file and in the running proxy. */
import { domainOfName, ROLES, roleMark, OUR_NAMES } from './names.ts'

const ROUTER_ROLES = ROLES.filter((role) => role !== 'cors' && role !== 'home')

/** The names that routers of a domain may have. */
export const routerNames = (domain: string): readonly string[] =>
  ROUTER_ROLES.map((role) => roleMark(role) + domain)

/**
 * The domain of an object as the proxy shows it, with a provider or without, and also where an entry point with settings of
 * its own has made a part of a router: `websecure-plumbline-site_app.example.com@file`. Null for what is no domain's.
 */
export function domainOfShown(name: string): string | null {
  const local = name.replace(/@[^@]*$/, '')
  return domainOfName(local.slice(Math.max(0, local.indexOf(OUR_NAMES))))
}
