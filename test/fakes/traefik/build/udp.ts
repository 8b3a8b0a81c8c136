/** The UDP part of the runtime: no rules, an entry point and a service. */
import type { StaticConfig } from '../static.ts'
import { bindEntrypoints, routersOf } from './entrypoints.ts'
import {
  addError,
  byName,
  objectsOf,
  qualified,
  type RuntimeObject,
  type Sections,
  withUsers,
} from './objects.ts'

export interface UdpPart {
  readonly routers: RuntimeObject[]
  readonly services: RuntimeObject[]
}

export function buildUdp(sections: Sections, known: StaticConfig): UdpPart {
  const services = objectsOf(sections, 'services')
  const routers = byName(
    [...sections].flatMap(([provider, { routers: all = {} }]) =>
      Object.entries(all).flatMap(([name, config]) => routersOf(name, config, { provider, known })),
    ),
  )
  for (const router of routers) {
    bindEntrypoints(router, known)
    const full = qualified(String(router['service']), router.provider)
    if (!services.some(({ name }) => name === full)) addError(router, `the service "${full}" does not exist`)
  }
  const users = ({ service, provider }: RuntimeObject) => [qualified(String(service), provider)]
  return { routers, services: withUsers(services, routers, users) }
}
