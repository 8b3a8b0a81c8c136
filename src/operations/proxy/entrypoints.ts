/**
 * Entry points that routes name and the proxy does not have. A router on none that is there is never served, and Traefik
 * says so only of routers that it has: so this is told before the first deploy.
 */
import { Failure } from '../../kernel/failure.ts'
import type { ProxyEntrypoint } from '../../ports/proxy.ts'
import type { Deps } from '../deps.ts'

type Asked = Pick<Deps, 'proxy' | 'entrypoint_ports'>
type Named = Pick<ProxyEntrypoint, 'name'>

/** In the order of PLUMBLINE_ENTRYPOINTS. */
export function missingEntrypoints({ entrypoint_ports }: Asked, there: readonly Named[]): readonly string[] {
  const names = new Set(there.map(({ name }) => name))
  return Object.keys(entrypoint_ports).filter((name) => !names.has(name))
}

export const missingWords = (missing: readonly string[], there: readonly Named[]): string =>
  `The proxy has no entry point ${missing.join(', ')} (it has ${there.map(({ name }) => name).join(', ') || 'none'}): it serves ` +
  'no route there. Name them alike in its static configuration and in PLUMBLINE_ENTRYPOINTS.'

const WITHIN_MS = 1500

/** For a plan: asks the proxy now. Nothing where it cannot be asked, which is told of the proxy itself. */
export async function entrypointRemarks(deps: Asked, signal: AbortSignal): Promise<readonly string[]> {
  const { watch } = deps.proxy
  if (watch === null) return []
  try {
    const bounded = AbortSignal.any([signal, watch.closing, AbortSignal.timeout(WITHIN_MS)])
    const there = await watch.api.entrypoints(bounded)
    const missing = missingEntrypoints(deps, there)
    return missing.length === 0 ? [] : [missingWords(missing, there)]
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof Failure || error instanceof DOMException) return []
    throw error
  }
}
