/** Settings of edges: how long one may be silent. */
import { textual, wrong } from '../../config/kinds/refine.ts'
import { setting } from '../../config/setting.ts'

const MIN_S = 5
const MAX_S = 86_400

export const edges = {
  offline_after_s: setting({
    name: 'PLUMBLINE_EDGE_OFFLINE_AFTER',
    example: '120',
    schema: textual((text) => {
      const seconds = Number(text)
      const fits = /^\d{1,6}$/.test(text) && seconds >= MIN_S && seconds <= MAX_S
      return fits ? seconds : wrong(`must be a whole number of seconds from ${MIN_S} to ${MAX_S}`)
    }),
    default: '60',
    help: 'Seconds of silence after which an edge counts as offline. Fetching its routes is being heard of.',
  }),
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly edges: typeof edges
  }
}
