/** Importing: an estate as one file, and what people already have. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../feature/feature.ts'
import { importEndpoints } from './endpoints.ts'

export const importFeature = (deps: Deps): Feature => ({
  name: 'import',
  endpoints: importEndpoints(deps),
})
