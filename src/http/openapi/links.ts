/** Where a call leads to the next: what makes a thing links to every call that takes its id. */
import type { Endpoint } from '../contract.ts'

interface Source {
  readonly operation: string
  readonly status: string
  /** The parameter that others take, and where its value stands. */
  readonly parameter: string
  readonly value: string
}

const SOURCES: readonly Source[] = [
  { operation: 'createDomain', status: '201', parameter: 'domain_id', value: '$response.body#/domain_id' },
  { operation: 'exposeDomain', status: '200', parameter: 'domain_id', value: '$response.body#/domain_id' },
  { operation: 'createDomain', status: '201', parameter: 'domain_name', value: '$request.body#/domain' },
  { operation: 'createEdge', status: '201', parameter: 'edge_id', value: '$response.body#/edge/id' },
  { operation: 'issueApiKey', status: '201', parameter: 'key_id', value: '$response.body#/key_info/id' },
  { operation: 'issueSiteToken', status: '201', parameter: 'token_id', value: '$response.body#/token/id' },
  { operation: 'createPlan', status: '201', parameter: 'plan_id', value: '$response.body#/id' },
  { operation: 'inviteUser', status: '201', parameter: 'username', value: '$response.body#/username' },
  { operation: 'deployAll', status: '200', parameter: 'number', value: '$response.body#/release' },
  { operation: 'activateDomain', status: '200', parameter: 'number', value: '$response.body#/release' },
]

const STARTED = { status: '202', parameter: 'operation_id', value: '$response.body#/id' }

interface Response {
  links?: Record<string, unknown>
}
interface Operation {
  readonly operationId?: string
  readonly responses?: Record<string, Response>
}

export function withLinks<Document extends { readonly paths?: object }>(
  document: Document,
  endpoints: readonly Endpoint[],
): Document {
  const paths = (document.paths ?? {}) as Record<string, Record<string, Operation>>
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const sources = [...SOURCES.filter((source) => source.operation === operation.operationId), STARTED]
    for (const { status, parameter, value } of sources) {
      const response = operation.responses?.[status]
      const takers = endpoints.filter(({ names }) => names.includes(parameter))
      if (response === undefined || takers.length === 0) continue
      response.links = { ...response.links, ...linksTo(takers, { parameter, value }) }
    }
  }
  return document
}

const linksTo = (takers: readonly Endpoint[], { parameter, value }: Pick<Source, 'parameter' | 'value'>) =>
  Object.fromEntries(
    takers.map(({ id, summary }) => [
      id,
      { operationId: id, parameters: { [parameter]: value }, description: summary },
    ]),
  )
