/** What a record would have to say for its objects to stand as they do in a file that a hand was at. Pure. */
import { BACKEND_SCHEMES, schemeOf } from '../../../model/domain/backend-tls.ts'
import { type DomainFields, FIELDS } from '../../../model/domain/record.ts'
import { extraName, roleMark } from '../render/names.ts'

/** An object by its section and name; undefined where there is none. */
export type ObjectThere = (section: string, name: string) => unknown

/** Fields that a hand may have moved: none of them says who gets in. What is not said in a form of ours stays as it is. */
export const fieldsThere = (at: ObjectThere, released: DomainFields): DomainFields =>
  released.protocol === 'tcp' ? tcpThere(at, released) : httpThere(at, released)

function httpThere(at: ObjectThere, released: DomainFields): DomainFields {
  const name = roleMark('site') + released.domain
  const balancer = mapIn(mapIn(at('http.services', name))['loadBalancer'])
  return {
    ...released,
    ...backendIn(textIn(mapIn(onlyIn(balancer['servers']))['url']), released),
    health_check_path: healthIn(balancer['healthCheck'], released),
    middleware_config: extrasIn(mapIn(at('http.routers', name))['middlewares'], released),
  }
}

function tcpThere(at: ObjectThere, released: DomainFields): DomainFields {
  const name = roleMark('tcp') + released.domain
  const balancer = mapIn(mapIn(at('tcp.services', name))['loadBalancer'])
  const address = textIn(mapIn(onlyIn(balancer['servers']))['address'])
  const { backend_host, backend_port } = { ...released, ...backendIn(`http://${address}`, released) }
  return { ...released, backend_host, backend_port }
}

const URL_FORM = /^([a-z0-9]+):\/\/(\[[0-9a-f:.]+\]|[^\s/:?#@[\]]+):([0-9]{1,5})$/

type Backend = Pick<DomainFields, 'backend_host' | 'backend_port' | 'backend_scheme'>

/** Nothing for what is not `scheme://host:port`. */
function backendIn(url: string, released: DomainFields): Partial<Backend> {
  const [, said, host = '', port] = URL_FORM.exec(url) ?? []
  const scheme = BACKEND_SCHEMES.find((one) => one === said)
  const read = FIELDS.backend_host.parse(host.replace(/^\[(.*)\]$/, '$1'))
  const number = FIELDS.backend_port.parse(Number(port))
  if (scheme === undefined || !read.ok || !number.ok) return {}
  const place = { backend_host: read.value, backend_port: number.value }
  const present = schemeOf({ backend_scheme: released.backend_scheme, backend_port: place.backend_port })
  return present === scheme ? place : { ...place, backend_scheme: scheme }
}

function healthIn(check: unknown, { health_check_path }: DomainFields): string | null {
  if (check === undefined) return null
  const read = FIELDS.health_check_path.parse(textIn(mapIn(check)['path']))
  return read.ok ? read.value : health_check_path
}

/** In the order of the router. Those that stand there already keep the order that the record has. */
function extrasIn(listed: unknown, { middleware_config }: DomainFields): DomainFields['middleware_config'] {
  if (!Array.isArray(listed)) return middleware_config
  const prefix = extraName('')
  const extras = listed.map(textIn).flatMap((one) => (one.startsWith(prefix) ? one.slice(prefix.length) : []))
  const released = middleware_config.extra_middlewares
  const is_same = extras.length === released.length && released.every((one) => extras.includes(one))
  return is_same ? middleware_config : { extra_middlewares: extras }
}

const onlyIn = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? (value as readonly unknown[])[0] : undefined

export const mapIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
