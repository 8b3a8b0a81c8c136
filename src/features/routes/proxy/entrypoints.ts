/**
 * Entry points as PLUMBLINE_ENTRYPOINTS names them beside those that the proxy has. A router on none that is there is never
 * served, and Traefik says so only of routers that it has; one on an entry point of another role answers otherwise than its
 * record says. So both are told before the first deploy.
 */
import { Failure } from '../../../kernel/failure.ts'
import { guessedRole } from '../../../model/domain/entrypoint-role.ts'
import type { ProxyEntrypoint } from '../traefik/port.ts'
import type { Deps } from '../deps.ts'

type EntrypointDeps = Pick<Deps, 'proxy' | 'entrypoint_ports' | 'http_entrypoint' | 'https_entrypoint'>
type Shown = Pick<ProxyEntrypoint, 'name' | 'address' | 'tls' | 'redirects'>

export interface EntrypointFaults {
  /** In the order of PLUMBLINE_ENTRYPOINTS. */
  readonly missing: readonly string[]
  /** For people; null for nothing. */
  readonly detail: string | null
}

/** @param there those of the proxy */
export function entrypointFaults(asked: EntrypointDeps, there: readonly Shown[]): EntrypointFaults {
  const names = new Set(there.map(({ name }) => name))
  const missing = Object.keys(asked.entrypoint_ports).filter((name) => !names.has(name))
  const lines = [
    ...(missing.length === 0 ? [] : [missingWords(asked, missing, there)]),
    ...roleLines(asked, there),
  ]
  return { missing, detail: lines.length === 0 ? null : lines.join(' ') }
}

function missingWords(asked: EntrypointDeps, missing: readonly string[], there: readonly Shown[]): string {
  const setting = settingFor(asked, missing, there)
  return (
    `The proxy has no entry point ${missing.join(', ')} (it has ${there.map(({ name }) => name).join(', ') || 'none'}): it serves ` +
    'no route there. Name them alike in its static configuration and in PLUMBLINE_ENTRYPOINTS' +
    (setting === null ? '.' : `, perhaps ${setting}.`)
  )
}

/** With the names of the proxy where exactly one of them looks like what is missing, and without what it has not. */
function settingFor(
  { entrypoint_ports, http_entrypoint, https_entrypoint }: EntrypointDeps,
  missing: readonly string[],
  there: readonly Shown[],
): string | null {
  const entries = Object.entries(entrypoint_ports).flatMap(([name, port]) => {
    if (!missing.includes(name)) return [`${name}=${port}`]
    const role = { [http_entrypoint]: 'http', [https_entrypoint]: 'https' }[name]
    if (role === undefined) return []
    const alike = there.filter(
      (one) => !(one.name in entrypoint_ports) && guessedRole(one.name, portOf(one)) === role,
    )
    return alike.length === 1 ? [`${alike[0]!.name}=${port}/${role}`] : [null]
  })
  const is_whole = entries.every((entry) => entry !== null)
  const names_new = missing.includes(http_entrypoint) || missing.includes(https_entrypoint)
  return is_whole && names_new ? entries.join(',') : null
}

const portOf = ({ address }: Shown): number | null => {
  const port = /:(\d{1,5})(?:\/tcp)?$/i.exec(address)?.[1]
  return port === undefined ? null : Number(port)
}

function roleLines({ http_entrypoint, https_entrypoint }: EntrypointDeps, there: readonly Shown[]): string[] {
  const plain = there.find(({ name }) => name === http_entrypoint)
  const secure = there.find(({ name }) => name === https_entrypoint)
  return [
    ...(plain?.tls !== undefined
      ? [
          `The proxy gives TLS to every router on ${plain.name}, which PLUMBLINE_ENTRYPOINTS has for plain http: nothing is ` +
            'redirected from there. Name the entry point of plain http as name=port/http.',
        ]
      : []),
    ...(secure?.redirects === true
      ? [
          `The proxy redirects every request on ${secure.name}, which PLUMBLINE_ENTRYPOINTS has for https: it serves no route ` +
            'there. Name the entry point of https as name=port/https.',
        ]
      : []),
  ]
}

const WITHIN_MS = 1500

export interface EntrypointLook {
  readonly warnings: readonly string[]
  /** The entry point of plain http, where it sends every request elsewhere; else null. */
  readonly sent_away_from: string | null
}

const NOTHING_SEEN: EntrypointLook = { warnings: [], sent_away_from: null }

/** For a plan: asks the proxy now. Nothing where it cannot be asked, which is told of the proxy itself. */
export async function lookAtEntrypoints(deps: EntrypointDeps, signal: AbortSignal): Promise<EntrypointLook> {
  const there = await entrypointsNow(deps, signal)
  if (there === null) return NOTHING_SEEN
  const { detail } = entrypointFaults(deps, there)
  const door = there.find(({ name }) => name === deps.http_entrypoint)
  return {
    warnings: detail === null ? [] : [detail],
    sent_away_from: door?.redirects === true ? door.name : null,
  }
}

async function entrypointsNow(
  { proxy: { watch, static_entrypoints } }: EntrypointDeps,
  signal: AbortSignal,
): Promise<readonly Shown[] | null> {
  if (watch === null) return static_entrypoints
  try {
    const bounded = AbortSignal.any([signal, watch.closing, AbortSignal.timeout(WITHIN_MS)])
    return await watch.api.entrypoints(bounded)
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof Failure || error instanceof DOMException) return null
    throw error
  }
}
