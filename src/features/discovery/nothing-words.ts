/** In words: where a domain leads that leads to nothing, and why that is nothing. Pure. */
import type { PointsAtNothing } from './views.ts'

export const placeOf = ({ backend_host, backend_port }: PointsAtNothing): string =>
  backend_port === null ? backend_host : `${backend_host} port ${backend_port}`

/** Whoever has the place and does not answer is named. */
export const whyNothing = ({ reason, held_by }: PointsAtNothing): string =>
  REASONS[reason] + (held_by === null ? '' : `: ${held_by.name} (${held_by.source} ${held_by.at})`)

const REASONS: Readonly<Record<PointsAtNothing['reason'], string>> = {
  no_such_address: 'nobody in the network has this address',
  offline: 'not connected',
  port_not_published: 'the container there does not publish this port',
  not_running: 'does not run',
  no_such_container: 'nobody has this name',
}
