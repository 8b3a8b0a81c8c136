/** The console: who may sign in to it. */
import type { Feature } from '../../core/feature.ts'
import { type SessionDoor, sessionEndpoints } from './session-endpoints.ts'

export const consoleFeature = (door: SessionDoor): Feature => ({
  name: 'console',
  endpoints: sessionEndpoints(door),
  lifecycles: [door.registry],
})
