/** What must hold of bytes, whatever happened: each is a pure predicate that answers null, or what is wrong. */
import { parse } from 'yaml'
import type { ReleasedRow } from './model.ts'

interface Router {
  readonly middlewares?: readonly string[]
  readonly rule: string
  readonly service: string
}

const SSO = 'plumbline-sso'

/** Every router that leads to the backend of a protected domain asks SSO, and SSO is defined. */
export function openDoor(bytes: string, released: Iterable<ReleasedRow>): string | null {
  const { http } = parse(bytes) as {
    http?: { routers?: Record<string, Router>; middlewares?: Record<string, unknown> }
  }
  const routers = Object.entries(http?.routers ?? {})
  for (const { fields } of released) {
    if (fields.protocol !== 'http') continue
    const doors = routers.filter(
      ([, { rule, service }]) => service !== 'noop@internal' && rule.includes(`"${fields.domain}"`),
    )
    if (doors.length === 0) return `${fields.domain} has no router`
    for (const [name, { middlewares = [] }] of doors)
      if (middlewares.includes(SSO) !== fields.auth_required)
        return `${name} ${fields.auth_required ? 'is open' : 'asks SSO for no reason'}`
    if (fields.auth_required && http?.middlewares?.[SSO] === undefined) return `${SSO} is not defined`
  }
  return null
}
