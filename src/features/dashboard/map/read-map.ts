/** `GET /api/map`: what is deployed, or the part of it at or below a name, or behind a machine. */
import { isoTime } from '../../../kernel/clock.ts'
import type { Deps } from '../deps.ts'
import { mapOf } from './map-of.ts'

export interface MapAsked {
  readonly zone?: string | undefined
  readonly machine?: string | undefined
}

export async function readMap(deps: Deps, { zone, machine }: MapAsked) {
  const { rows } = await deps.store.intent('released')
  const live = rows.filter(
    ({ live, fields }) =>
      live &&
      fields.service_type !== 'manual' &&
      (zone === undefined || fields.domain === zone || fields.domain.endsWith(`.${zone}`)) &&
      (machine === undefined || fields.backend_host === machine),
  )
  return {
    at: isoTime(deps.clock.now()),
    release: (await deps.store.latestRelease())?.number ?? 0,
    domains: live.length,
    ...mapOf(live, deps),
  }
}
