/**
 * What a record that is to be exposed leaves open of the way to its backend is found out there. What needs no trust in anybody new
 * is taken; whom to trust beyond that is for a person to say, and nothing is exposed before they did.
 */
import { Failure, fieldError, invalid } from '../../../kernel/failure.ts'
import type { Milliseconds } from '../../../kernel/clock.ts'
import { withTimeout } from '../../../kernel/async/with-timeout.ts'
import { hostPort } from '../../../model/network/address.ts'
import { SERVICE_TYPES, type ServiceType } from '../../../model/domain/record.ts'
import type { Caller } from '../../../core/caller.ts'
import type { Deps } from '../deps.ts'
import type { BackendService } from './service.ts'
import type { Unreached } from './reach.ts'
import { lookAtTransport } from './transport.ts'
import { type Backend, backendIn, vetted } from './vetted.ts'
import type { BackendTransport } from './views.ts'

type TransportDeps = Pick<Deps, 'backend' | 'clock'>
type Input = Readonly<Record<string, unknown>>

export interface FittingTransport {
  /** With what was found out. */
  readonly input: Input
  readonly warnings: readonly string[]
  /** Why nobody was reached there; left out where that was not found out. */
  readonly unreached?: Unreached
}

/** Whoever exposes waits no longer for it. */
const WITHIN_MS: Milliseconds = 5_000

/** Throws `validation_failed` where a person has to choose, and the caller's reason. */
export async function withFittingTransport(
  deps: TransportDeps,
  input: Input,
  { signal, dry_run, confirm }: Pick<Caller, 'signal' | 'dry_run' | 'confirm'>,
): Promise<FittingTransport> {
  const asked = questionIn(input)
  // Whoever may only look must not choose whom this host asks; and what is confirmed is the plan that was looked at.
  if (asked !== null && (dry_run || confirm !== null)) return { input, warnings: [notAsked(asked)] }
  const look = asked === null ? null : await lookInTime(deps, asked, signal)
  const found = look?.transport ?? null
  const reach = look === null ? {} : { unreached: look.unreached }
  const suggestion = found?.suggestion ?? null
  if (found === null || asked === null || suggestion === null) return { input, warnings: [], ...reach }
  const place = hostPort(asked.host, asked.port)
  if (!needsNobodyNew(suggestion)) throw toBeChosen(place, found.detail, suggestion)
  return { input: { ...input, ...suggestion }, ...reach, warnings: [chosenWords(place, suggestion)] }
}

type Suggestion = NonNullable<BackendTransport['suggestion']>

const needsNobodyNew = ({ backend_tls }: Suggestion): boolean =>
  backend_tls === null || (backend_tls.trust === 'ca' && backend_tls.server_name === undefined)

const toBeChosen = (place: string, detail: string, suggestion: Suggestion): Failure =>
  invalid([
    fieldError(
      ['body', 'backend_tls'],
      `is needed for ${place}. ${detail} Send ${JSON.stringify(suggestion).slice(1, -1)} for that, or backend_scheme to leave it as it is`,
      'missing',
    ),
  ])

function chosenWords(place: string, { backend_scheme, backend_tls }: Suggestion): string {
  const trusted = backend_tls === null ? '' : `, and backend_tls ${JSON.stringify(backend_tls)}`
  return `backend_scheme is ${backend_scheme}${trusted}: that is how ${place} is spoken to.`
}

const notAsked = ({ host, port }: Question): string =>
  `A plan does not ask ${hostPort(host, port)} whether it speaks http or https. Say backend_scheme; else port 443 means https, and any other port http.`

interface Question extends Backend {
  readonly service_type: ServiceType
}

/** Null where the caller has said it, where nobody speaks HTTP, and where the rules of the record say what is wrong. */
function questionIn(input: Input): Question | null {
  const { backend_scheme = null, backend_tls = null, protocol = 'http', service_type = 'http' } = input
  if (backend_scheme !== null || backend_tls !== null || protocol !== 'http') return null
  const kind = SERVICE_TYPES.find((one) => one === service_type)
  if (kind === undefined || kind === 'manual' || kind === 'tcp-proxy') return null
  const backend = backendIn(input)
  return backend && { ...backend, service_type: kind }
}

interface Look {
  readonly unreached: Unreached
  readonly transport: BackendTransport | null
}

/** Null where nothing was found out: the record is then exposed as it is. */
async function lookInTime(
  { backend: service, clock }: TransportDeps,
  question: Question,
  signal: AbortSignal,
): Promise<Look | null> {
  const bound = { clock, ms: WITHIN_MS, signal }
  try {
    return await withTimeout(
      bound,
      (ends) => service.gate.pass(() => look(service, question, ends)),
      () => null,
    )
  } catch (error) {
    if (error instanceof Failure && error.code === 'rate_limited') return null
    throw error
  }
}

/** Of a record that says nothing of the way to its backend. */
const UNSAID = { backend_scheme: null, backend_tls: null, protocol: 'http' } as const

async function look(
  service: BackendService,
  { host, port, service_type }: Question,
  signal: AbortSignal,
): Promise<Look | null> {
  const found = await vetted({ host, port }, service, signal)
  if (!found.ok) return null
  const { place } = found
  const seen = await service.probe.connect(place, signal)
  if (!seen.ok) return { unreached: seen.failure, transport: null }
  if (seen.greeting !== '') return { unreached: null, transport: null }
  const record = { ...UNSAID, backend_port: port, service_type }
  const asked = { record, place, authorities: service.authorities, http: null }
  return { unreached: null, transport: await lookAtTransport(service.probe, asked, signal) }
}
