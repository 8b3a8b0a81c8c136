/**
 * Active and deployed HTTP domains as Prometheus discovers them over HTTP (`http_sd_configs`), one group for each.
 *
 * The target is the URL that a probe asks for, as the blackbox exporter's usual relabelling expects it: `__address__`
 * becomes its `target` parameter. What the labels say is the record's, so that alerts can be routed by it.
 */
import type { CoreParts } from '../../../core/parts.ts'
import { hostPort } from '../../../model/network/address.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import type { Deps } from '../deps.ts'

export interface TargetGroup {
  readonly targets: readonly string[]
  readonly labels: Readonly<Record<string, string>>
}

export async function metricsTargets(deps: Deps): Promise<readonly TargetGroup[]> {
  const { rows } = await deps.store.intent('released')
  const in_error = await namesInError(deps)
  const tags = await savedTags(deps)
  return rows
    .filter(
      ({ live, fields, domain_id }) =>
        live && isProbeable(fields) && in_error.get(domain_id) !== fields.domain,
    )
    .map(({ fields, domain_id }) =>
      groupOf({ ...fields, tags: tags.get(domain_id) ?? fields.tags }, domain_id, deps),
    )
}

/** They are no part of what is deployed: saved, they hold. */
const savedTags = async ({ store }: CoreParts): Promise<ReadonlyMap<number, readonly string[]>> =>
  new Map((await store.intent('working')).rows.map(({ domain_id, fields }) => [domain_id, fields.tags]))

/**
 * The saved names of what is not active: that they do not answer is on the record already. What is served under another name
 * is asked for all the same, as after a rename that was refused.
 */
async function namesInError({ store }: CoreParts): Promise<ReadonlyMap<number, string>> {
  const query = { status: 'error', sort: 'id' } as const
  const { total } = await store.domains({ ...query, limit: 1 })
  if (total === 0) return new Map()
  const { records } = await store.domains({ ...query, limit: total })
  return new Map(records.map(({ id, domain }) => [id, domain]))
}

/** A wildcard stands for no name that could be asked for. */
const isProbeable = ({ protocol, service_type, domain }: DomainFields): boolean =>
  protocol === 'http' && service_type !== 'manual' && !domain.startsWith('*.')

function groupOf(fields: DomainFields, domain_id: number, deps: Deps): TargetGroup {
  const { domain, service_type, environment, auth_required, ssl_enabled } = fields
  return {
    targets: [urlOf(fields, deps)],
    labels: {
      domain,
      service_type,
      environment,
      auth_required: String(auth_required),
      __meta_plumbline_domain_id: String(domain_id),
      __meta_plumbline_ssl_enabled: String(ssl_enabled),
      __meta_plumbline_internal: String(service_type === 'internal'),
      __meta_plumbline_tags: fields.tags.length === 0 ? '' : `,${fields.tags.join(',')},`,
    },
  }
}

/** With the entrypoint's port where it is not the scheme's own. A health check path is the backend's own, and meant for this. */
function urlOf(
  { domain, ssl_enabled, health_check_path }: DomainFields,
  { entrypoint_ports, https_entrypoint, http_entrypoint }: Deps,
): string {
  const scheme = ssl_enabled ? 'https' : 'http'
  const usual = ssl_enabled ? 443 : 80
  const port = entrypoint_ports[ssl_enabled ? https_entrypoint : http_entrypoint] ?? usual
  return `${scheme}://${port === usual ? domain : hostPort(domain, port)}${health_check_path ?? '/'}`
}
