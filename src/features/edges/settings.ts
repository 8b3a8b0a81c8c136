/** Settings of edges: how long one may be silent. */
import { textual, wrong } from '../../config/kinds/refine.ts'
import { setting } from '../../config/setting.ts'

const LEAST_S = 5
const MOST_S = 86_400

export const edges = {
  offline_after_s: setting({
    name: 'PLUMBLINE_EDGE_OFFLINE_AFTER',
    schema: textual((text) => {
      const seconds = Number(text)
      const fits = /^\d{1,6}$/.test(text) && seconds >= LEAST_S && seconds <= MOST_S
      return fits ? seconds : wrong(`must be a whole number of seconds from ${LEAST_S} to ${MOST_S}`)
    }),
    default: '60',
    help: 'Seconds of silence after which an edge counts as offline. Fetching its routes is being heard of.',
  }),
}
