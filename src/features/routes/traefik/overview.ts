/**
 * The proxy's own count of what it runs: read before and after the lists, because there is no list of everything at one
 * moment, and held against them, because a list that is cut short looks like routes that are gone.
 */
import { type Api, ask } from './ask.ts'
import { Overview } from './wire.ts'

export interface Counts {
  /** Everything that it says, to see whether it moved. */
  readonly text: string
  /** `http routers` to their number; without those that it does not tell. */
  readonly totals: ReadonlyMap<string, number>
  /** `http routers disabled` to their number; without those that it does not tell. */
  readonly faulty: ReadonlyMap<string, number>
}

/** The overview's words for the states of objects. */
const COUNTED_AS = { disabled: 'errors', warning: 'warnings' } as const

export async function readCounts(api: Api, signal: AbortSignal): Promise<Counts> {
  const { body } = await ask(api, { path: '/api/overview', answer: Overview, signal })
  const parts = (['http', 'tcp'] as const).flatMap((kind) =>
    Object.entries(body[kind] ?? {}).map(([part, of]) => [`${kind} ${part}`, of] as const),
  )
  const totals = parts.flatMap(([name, of]) => counted(name, of, 'total'))
  const faulty = parts.flatMap(([name, of]) =>
    Object.entries(COUNTED_AS).flatMap(([status, key]) => counted(`${name} ${status}`, of, key)),
  )
  return { text: JSON.stringify(body), totals: new Map(totals), faulty: new Map(faulty) }
}

function counted(name: string, of: unknown, key: string): readonly (readonly [string, number])[] {
  const count = (of as Readonly<Record<string, unknown>> | null)?.[key]
  return typeof count === 'number' ? [[name, count]] : []
}

/** Pure: the first list that has not as many entries as it should have, in words; else null. */
export function misfit({ totals }: Counts, lengths: Readonly<Record<string, number>>): string | null {
  for (const [name, length] of Object.entries(lengths)) {
    const total = totals.get(name)
    if (total !== undefined && total !== length) return `counts ${total} ${name} and lists ${length}`
  }
  return null
}
