/** A provider each of whose restarts ends when its gate is opened, and which is as well as it is told to be. */
import type { Restarted, RestartWay, SsoProvider } from '../../../src/ports/sso-provider.ts'

export interface GatedProvider extends SsoProvider {
  /** One for each restart that has begun. */
  readonly gates: PromiseWithResolvers<Restarted>[]
  healthy: boolean
}

export const WELL: Restarted = { ok: true, proven: true }

export function gatedProvider(way: RestartWay = 'command'): GatedProvider {
  const provider: GatedProvider = {
    restarts: way,
    gates: [],
    healthy: true,
    startedAt: async () => null,
    async restart(signal) {
      const gate = Promise.withResolvers<Restarted>()
      signal.addEventListener('abort', () => gate.reject(signal.reason as Error), { once: true })
      provider.gates.push(gate)
      return gate.promise
    },
    health: async () => (provider.healthy ? { ok: true } : { ok: false, why: 'It was told to be unwell.' }),
    isHealthy: async () => provider.healthy,
    validate: async () => ({ ok: true }),
  }
  return provider
}
