/** Parts of a process that dies at one of its calls to the world: before the call had an effect, or right after. */
import type { IssuerParts } from '../../../../src/features/certificates/issuing/parts.ts'

export class Killed extends Error {}

export interface CallOutcomes {
  /** Decides about the next call, by its name. */
  next(call: string): 'live' | 'before' | 'after' | Error
}

/** Every call that leaves the process goes past `outcomes`. */
export function mortal(parts: IssuerParts, outcomes: CallOutcomes): IssuerParts {
  const { store, files, acme, staging, challenges, makeRequest } = parts
  return {
    ...parts,
    store: Object.assign(Object.create(store) as typeof store, over('store', store, ['write'], outcomes)),
    files: over('files', files, ['store', 'keepRequest', 'dropRequest', 'request'], outcomes),
    acme: over('acme', acme, ACME_CALLS, outcomes),
    staging: staging && over('staging', staging, ACME_CALLS, outcomes),
    challenges: over('challenges', challenges, ['present', 'remove', 'visible'], outcomes),
    makeRequest: (names) => past(outcomes, 'makeRequest', () => makeRequest(names)),
  }
}

const ACME_CALLS = ['newOrder', 'order', 'authorization', 'answer', 'finalize', 'certificate'] as const

type AnyCall = (...args: never[]) => Promise<unknown>

/** The same thing with these of its methods going past `outcomes`. */
function over<T extends object>(
  name: string,
  thing: T,
  methods: readonly (keyof T)[],
  outcomes: CallOutcomes,
): T {
  return new Proxy(thing, {
    get(target, key) {
      const value = Reflect.get(target, key) as unknown
      if (typeof value !== 'function') return value
      const bound = (value as AnyCall).bind(target)
      if (!methods.includes(key as keyof T)) return bound
      return (...args: never[]) => past(outcomes, `${name}.${String(key)}`, () => bound(...args))
    },
  })
}

async function past<T>(outcomes: CallOutcomes, call: string, act: () => Promise<T>): Promise<T> {
  const verdict = outcomes.next(call)
  if (verdict instanceof Error) throw verdict
  if (verdict === 'before') throw new Killed(`before ${call}`)
  const result = await act()
  if (verdict === 'after') throw new Killed(`after ${call}`)
  return result
}

/** Dies at that call; from then on nothing goes out any more. */
export function dyingAt(
  at: number,
  when: 'before' | 'after',
): CallOutcomes & { readonly calls: readonly string[] } {
  const calls: string[] = []
  let dead = false
  return {
    calls,
    next(call) {
      if (dead) return 'before'
      calls.push(call)
      dead = calls.length === at
      return dead ? when : 'live'
    },
  }
}
