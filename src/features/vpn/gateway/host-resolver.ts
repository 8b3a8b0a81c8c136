/** The resolver of this host, as its programs use it (getaddrinfo). One that hangs is asked once at a time. */
import { lookup } from 'node:dns/promises'
import { systemErrorCode } from '../../../kernel/failure.ts'
import type { ResolvedName, ResolveName } from '../resolver-port.ts'

const WITHIN_MS = 5_000

export function hostResolver(): ResolveName {
  const asked = new Map<string, Promise<ResolvedName>>()
  return async (name) => {
    const answer =
      asked.get(name) ??
      resolved(name).finally(() => {
        asked.delete(name)
      })
    asked.set(name, answer)
    return Promise.race([answer, late()])
  }
}

async function resolved(name: string): Promise<ResolvedName> {
  try {
    const found = await lookup(name, { all: true })
    return { ok: true, addresses: found.map(({ address }) => address) }
  } catch (error) {
    const code = systemErrorCode(error) ?? 'unknown'
    return { ok: false, detail: `The resolver of this host does not know it (${code}).` }
  }
}

const late = (): Promise<ResolvedName> =>
  new Promise((resolve) => {
    const words = `The resolver of this host did not answer within ${WITHIN_MS / 1000} s.`
    setTimeout(() => resolve({ ok: false, detail: words }), WITHIN_MS).unref()
  })
