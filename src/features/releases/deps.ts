/** What the verbs of releases are given. */
import type { DiffRenderings } from '../../ports/rendering.ts'
import type { Ddns } from '../ddns/ddns.ts'
import type { Deps as DnsDeps } from '../dns/deps.ts'
import type { PeopleService } from '../people/service.ts'
import type { Deps as RoutesDeps } from '../routes/deps.ts'
import type { Entrypoints } from '../../ports/entrypoints.ts'

export interface Deps extends DnsDeps, Entrypoints, Pick<RoutesDeps, 'proxy'> {
  readonly ddns: Ddns
  readonly diffRenderings: DiffRenderings
  readonly people: PeopleService
}
