/** One live TCP record as text: a router on its own entrypoint and its service. */
import { Failure } from '../../../kernel/failure.ts'
import { quote } from '../../../kernel/text/quoted.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import { roleMark, SHARED } from './names.ts'
import { traitsOf, valuesOf } from './route.ts'
import { CATCH_ALL_PRIORITY, listed, priorityOf, routerText, tlsWriter } from './router.ts'
import { sniRule } from './rules.ts'
import { tcpService } from './services.ts'
import type { RoutesSettings } from './settings.ts'

export interface TcpText {
  readonly router: string
  readonly service: string
}

export function tcpWriter(settings: RoutesSettings): (fields: DomainFields) => TcpText {
  const tlsOf = tlsWriter(settings.cert_resolver)
  const internal_only = listed(SHARED.internal_only)
  return (fields) => {
    const traits = traitsOf(fields)
    const values = valuesOf(fields)
    const name = quote(roleMark('tcp') + fields.domain)
    const router = routerText({
      name,
      entrypoint: quote(entrypointOf(fields)),
      middlewares: traits.service_type === 'internal' ? internal_only : '',
      priority: traits.ssl_enabled ? priorityOf(fields.domain, 'site') : CATCH_ALL_PRIORITY,
      // Without TLS no name is spoken, and Traefik takes nothing but the star.
      rule: sniRule(traits.ssl_enabled ? fields.domain : null, settings.traefik_version),
      service: name,
      tls: tlsOf(traits, values),
    })
    return { router, service: tcpService(values) }
  }
}

/** Left out, the router would stand on every default entrypoint and a star would swallow all of them. */
function entrypointOf({ domain, tcp_entrypoint }: DomainFields): string {
  if (tcp_entrypoint === null)
    throw new Failure(
      'internal',
      `routes: ${domain} is a TCP route without an entrypoint; set tcp_entrypoint`,
    )
  return tcp_entrypoint
}
