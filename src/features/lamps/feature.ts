/** Lamps: how each domain is at a glance, for whoever looks at many. */
import type { Feature } from '../../core/feature.ts'
import type { Deps } from './deps.ts'
import { lampEndpoints } from './endpoints.ts'
import { LampRecords } from './records.ts'

export const lampsFeature = (deps: Deps): Feature => ({
  name: 'lamps',
  endpoints: lampEndpoints({ ...deps, lamp_records: new LampRecords() }),
})
