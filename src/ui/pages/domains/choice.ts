/** Which rows are chosen: one signal that the ticks and the strip both read; it stays across filter and order. */
import { computed, signal } from '@preact/signals'

export const chosen = signal<ReadonlySet<number>>(new Set())
export const chosenCount = computed(() => chosen.value.size)

export function choose(ids: readonly number[], on: boolean): void {
  const next = new Set(chosen.peek())
  for (const id of ids)
    if (on) next.add(id)
    else next.delete(id)
  chosen.value = next
}

export const toggle = (id: number): void => choose([id], !chosen.peek().has(id))

export const chooseNone = (): void => {
  chosen.value = new Set()
}
