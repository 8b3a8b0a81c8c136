/** The fields of a record as a person types them: what each is for, and from text to the value that the API takes. */
import { Misuse } from '../../../cli/misuse.ts'
import type { Given, Option, Options } from '../../../cli/verb.ts'
import { BACKEND_SCHEMES } from '../../../model/domain/backend-tls.ts'
import {
  type DomainFields,
  ENVIRONMENTS,
  FIELD_NAMES,
  PROTOCOLS,
  SERVICE_TYPES,
} from '../../../model/domain/record.ts'
import { didYouMean } from '../../../kernel/text/nearest.ts'
import { isPolicyWord, POLICY_WORDS } from '../../../model/access/policy-words.ts'

type FieldName = keyof DomainFields

export interface FieldArgument {
  /** What it is for, one sentence. */
  readonly help: string
  readonly kind: 'text' | 'number' | 'flag' | 'list' | 'middlewares' | 'trust'
  /** What stands for a value in help. */
  readonly value: string
  readonly one_of?: readonly string[]
}

/** A missing one does not compile. */
export const FIELD_ARGUMENTS: Readonly<Record<FieldName, FieldArgument>> = {
  domain: { kind: 'text', value: 'NAME', help: 'The public name; one leading "*." is allowed.' },
  service_type: {
    kind: 'text',
    value: 'TYPE',
    one_of: SERVICE_TYPES,
    help: 'What kind of service it is; "plumbline detect" suggests one.',
  },
  environment: { kind: 'text', value: 'ENV', one_of: ENVIRONMENTS, help: 'Whether it is for real.' },
  backend_host: { kind: 'text', value: 'HOST', help: 'Address or name of the backend.' },
  backend_port: { kind: 'number', value: 'PORT', help: 'Port of the backend.' },
  backend_scheme: {
    kind: 'text',
    value: 'SCHEME',
    one_of: BACKEND_SCHEMES,
    help: 'How the proxy speaks to it. Left out, add asks the backend; unasked, or without an answer: https on port 443, else http.',
  },
  backend_tls: {
    kind: 'trust',
    value: 'TRUST',
    help: 'What proves an https backend: system, ca:NAME, certificate:FINGERPRINT, insecure, or JSON.',
  },
  protocol: { kind: 'text', value: 'PROTOCOL', one_of: PROTOCOLS, help: 'tcp for tcp-proxy, else http.' },
  tcp_entrypoint: { kind: 'text', value: 'NAME', help: 'The entrypoint of a TCP record.' },
  cors_enabled: { kind: 'flag', value: 'true', help: 'Answers other origins.' },
  cors_origin: { kind: 'text', value: 'ORIGIN', help: 'The one origin that is answered.' },
  default_path: { kind: 'text', value: 'PATH', help: 'Where the bare root redirects to.' },
  auth_required: { kind: 'flag', value: 'true', help: 'Single sign-on stands before it; usual.' },
  ddns_enabled: { kind: 'flag', value: 'true', help: 'A gateway reports its address.' },
  ssl_enabled: { kind: 'flag', value: 'true', help: 'It is served over TLS; usual.' },
  health_check_path: { kind: 'text', value: 'PATH', help: 'Where the proxy asks whether it lives.' },
  middleware_config: {
    kind: 'middlewares',
    value: 'NAME',
    help: 'Further middlewares of the catalogue, in their order.',
  },
  static_ip: { kind: 'text', value: 'IP', help: 'The address that DNS serves.' },
  dns_ttl: { kind: 'number', value: 'SECONDS', help: 'How long DNS answers are kept, 30 to 86400.' },
  dns_proxied: {
    kind: 'flag',
    value: 'true',
    help: 'Goes through the proxy of the DNS provider, where it has one.',
  },
  tags: { kind: 'list', value: 'TAG', help: 'Words to find it by.' },
  note: { kind: 'text', value: 'TEXT', help: 'What people should know of it.' },
}

/** Of these a new record says each by words of its own. */
const BY_WORDS: readonly FieldName[] = ['domain', 'backend_host', 'backend_port']

const optionName = (field: FieldName): string => field.replaceAll('_', '-')

/** A flag or a value for every field. */
export const FIELD_OPTIONS: Options = Object.fromEntries(
  FIELD_NAMES.filter((name) => !BY_WORDS.includes(name)).map((name) => [
    optionName(name),
    optionOf(FIELD_ARGUMENTS[name]),
  ]),
)

function optionOf({ kind, value, help, one_of }: FieldArgument): Option {
  if (kind === 'flag') return { help, negatable: true }
  const many = kind === 'list' || kind === 'middlewares'
  return { value, help, ...(one_of && { one_of }), ...(many && { many }) }
}

/** What the options say, as members of a body. */
export function fieldsIn(options: Given): Readonly<Record<string, unknown>> {
  const given = FIELD_NAMES.flatMap((name) => {
    const value = options[optionName(name)]
    if (value === undefined || BY_WORDS.includes(name)) return []
    return [[name, typeof value === 'boolean' ? value : valueOf(name, value)] as const]
  })
  return Object.fromEntries(given)
}

/** `field=value` and `field=` for nothing. Throws Misuse with the nearest field. */
export function assignment(word: string): readonly [FieldName, unknown] {
  const at = word.indexOf('=')
  const name = (at === -1 ? word : word.slice(0, at)).trim().replaceAll('-', '_')
  if (at === -1)
    throw new Misuse(
      `"${word.slice(0, 60)}" is no field=value.${isField(name) ? ` Say ${name}=…` : nearestField(name)}`,
    )
  if (!isField(name)) throw new Misuse(`"${name.slice(0, 60)}" is no field of a domain.${nearestField(name)}`)
  return [name, valueOf(name, word.slice(at + 1))]
}

/** Who types a field as an option, as `add` has them. */
export function fieldMeant(option: string): string | null {
  if (isPolicyWord(option)) return POLICY_WORDS
  const name = option.replaceAll('-', '_')
  const field = isField(name) ? name : OTHER_NAMES[name]
  return field === undefined ? null : `Say it without dashes: ${field}=${FIELD_ARGUMENTS[field].value}.`
}

/** The same for `add`, whose fields are options. */
export function optionMeant(option: string): string | null {
  if (isPolicyWord(option)) return POLICY_WORDS
  const field = OTHER_NAMES[option.replace(/^no-/, '').replaceAll('-', '_')]
  if (field === undefined) return null
  if (BY_WORDS.includes(field))
    return field === 'domain' ? 'It is NAME, without dashes.' : 'It is a part of BACKEND: 10.0.0.5:8080.'
  const { kind } = FIELD_ARGUMENTS[field]
  const name = optionName(field)
  return kind === 'flag' ? `Did you mean "--${name}" or "--no-${name}"?` : `Did you mean "--${name}"?`
}

const isField = (name: string): name is FieldName => FIELD_NAMES.some((field) => field === name)

/** What people say for a field whose name they do not remember. */
const OTHER_NAMES: Readonly<Record<string, FieldName>> = {
  auth: 'auth_required',
  sso: 'auth_required',
  host: 'backend_host',
  port: 'backend_port',
  scheme: 'backend_scheme',
  tls: 'backend_tls',
  ip: 'static_ip',
  backend: 'backend_host',
  domain: 'domain',
  address: 'static_ip',
  public_ip: 'static_ip',
  external_ip: 'static_ip',
  name: 'domain',
  type: 'service_type',
  ttl: 'dns_ttl',
  tag: 'tags',
  ssl: 'ssl_enabled',
  ddns: 'ddns_enabled',
  cors: 'cors_enabled',
  middlewares: 'middleware_config',
  extra_middlewares: 'middleware_config',
}

function nearestField(name: string): string {
  if (isPolicyWord(name)) return ` ${POLICY_WORDS}`
  const meant = OTHER_NAMES[name]
  if (meant !== undefined) return ` Did you mean "${meant}"?`
  const near = didYouMean(name, FIELD_NAMES)
  return near === '' ? ` Fields: ${FIELD_NAMES.join(', ')}.` : near
}

const NOTHING = new Set(['', 'null', 'none'])
const FLAGS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  false: false,
  no: false,
  off: false,
}

/** What cannot be read as its kind is sent as it is: the API says what it should have been. */
function valueOf(name: FieldName, given: string | readonly string[]): unknown {
  const { kind } = FIELD_ARGUMENTS[name]
  if (kind === 'list' || kind === 'middlewares') {
    const words = (typeof given === 'string' ? [given] : given).flatMap((one) => one.split(','))
    const list = words.map((word) => word.trim()).filter((word) => word !== '')
    return kind === 'list' ? list : { extra_middlewares: list }
  }
  const text = typeof given === 'string' ? given : given.join(',')
  if (NOTHING.has(text.toLowerCase()) && name !== 'note') return null
  if (text === '') return null
  if (kind === 'flag') return FLAGS[text.toLowerCase()] ?? text
  if (kind === 'number') return /^[0-9]{1,9}$/.test(text) ? Number(text) : text
  return kind === 'trust' ? trustOf(text) : text
}

function trustOf(text: string): unknown {
  if (text.startsWith('{')) {
    try {
      return JSON.parse(text) as unknown
    } catch {
      throw new Misuse(`${text.slice(0, 60)} is no JSON: quote it for the shell, as '{"trust":"insecure"}'.`)
    }
  }
  const [trust, ...rest] = text.split(':')
  const value = rest.join(':')
  if (trust === 'ca') return value === '' ? { trust } : { trust, ca_name: value }
  if (trust === 'certificate') return value === '' ? { trust } : { trust, fingerprint: value }
  return { trust: text }
}

const BACKEND = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\[[0-9a-f:.%a-z]+\]|[^/:\s[\]]+)(?::([0-9]{1,5}))?(\/.*)?$/i
const MAX_PORT = 65_535
const USUAL_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 }

/** `10.0.0.5:8080`, `https://nas.lan:5001`, `h2c://[fd00::5]:9000`, `tcp://10.0.0.9:5432` as members of a body. */
export function backendIn(word: string): Readonly<Record<string, unknown>> {
  const [whole, scheme, host = '', port, path] = BACKEND.exec(word) ?? []
  if (whole === undefined) throw new Misuse(`"${word.slice(0, 80)}" is no backend. ${BACKEND_FORM}`)
  const kind = scheme?.toLowerCase()
  if (path !== undefined && path !== '/')
    throw new Misuse(`A backend has no path: leave out "${path.slice(0, 60)}". ${BACKEND_FORM}`)
  const known: readonly string[] = [...BACKEND_SCHEMES, 'tcp']
  if (kind !== undefined && !known.includes(kind))
    throw new Misuse(`"${kind}" is no scheme of a backend: ${known.join(', ')}.${didYouMean(kind, known)}`)
  const number = port === undefined ? USUAL_PORTS[kind ?? ''] : Number(port)
  if (number === undefined) throw new Misuse(`The port of "${word.slice(0, 80)}" is missing. ${BACKEND_FORM}`)
  if (number < 1 || number > MAX_PORT)
    throw new Misuse(`The port of "${word.slice(0, 80)}" is none: ports go from 1 to ${MAX_PORT}.`)
  return {
    backend_host: host.replace(/^\[|\]$/g, ''),
    backend_port: number,
    ...(kind === 'tcp' ? { service_type: 'tcp-proxy' } : kind === undefined ? {} : { backend_scheme: kind }),
  }
}

const BACKEND_FORM = 'Say it as 10.0.0.5:8080, https://nas.lan:5001 or tcp://10.0.0.9:5432.'
