/** From settings to edges: how long one may be silent, and the form in which it is served the routes. */
import type { Settings } from '../../config/sections.ts'
import { type Edges, type EdgesOptions, edgesOf } from './edges.ts'
import { routesJson } from '../../targets/routes/as-json.ts'

export const edgesRoom = (
  { edges }: Settings,
  parts: Pick<EdgesOptions, 'store' | 'events' | 'clock' | 'log' | 'assertNewest' | 'wrong_keys'>,
): Edges => edgesOf({ ...parts, offline_after_ms: edges.offline_after_s * 1000, routesJson })
