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
}

export async function readCounts(api: Api, signal: AbortSignal): Promise<Counts> {
  const { body } = await ask(api, { path: '/api/overview', answer: Overview, signal })
  const totals = (['http', 'tcp'] as const).flatMap((kind) =>
    Object.entries(body[kind] ?? {}).flatMap(([part, of]) => {
      const total = (of as { readonly total?: unknown } | null)?.total
      return typeof total === 'number' ? [[`${kind} ${part}`, total] as const] : []
    }),
  )
  return { text: JSON.stringify(body), totals: new Map(totals) }
}

/** Pure: the first list that has not as many entries as it should have, in words; else null. */
export function misfit({ totals }: Counts, lengths: Readonly<Record<string, number>>): string | null {
  for (const [name, length] of Object.entries(lengths)) {
    const total = totals.get(name)
    if (total !== undefined && total !== length) return `counts ${total} ${name} and lists ${length}`
  }
  return null
}
