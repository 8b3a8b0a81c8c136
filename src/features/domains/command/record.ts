/** Records as commands read and save them: with the tag that refuses a save over somebody else's. */
import type { Api } from '../../../cli/api.ts'
import { goodBody } from '../../../cli/api.ts'
import { domainId } from '../../../cli/find-domain.ts'
import type { PresentedDomain } from '../present.ts'

export interface ReadRecord {
  readonly record: PresentedDomain
  /** For If-Match. */
  readonly tag: string
}

export const recordNamed = async (api: Api, word: string): Promise<ReadRecord> =>
  recordWith(api, await domainId(api, word))

export async function recordWith(api: Api, id: number): Promise<ReadRecord> {
  const answer = await api.call({ method: 'GET', path: `/api/domains/${id}` })
  const record = goodBody<PresentedDomain>(answer)
  return { record, tag: answer.headers['etag'] ?? `"${record.revision}"` }
}

/** `https://10.0.0.5:8080` */
export function backendOf({
  backend_host: host,
  backend_port: port,
  backend_scheme: scheme,
  protocol,
}: PresentedDomain): string {
  if (host === null) return '-'
  const shown = scheme === null ? (protocol === 'tcp' ? 'tcp://' : '') : `${scheme}://`
  return `${shown}${host.includes(':') ? `[${host}]` : host}${port === null ? '' : `:${port}`}`
}
