/** Notifications: alerts, and who gets a message when one begins, goes on or ends. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../feature/feature.ts'
import { notificationEndpoints } from './endpoints.ts'

export const notificationsFeature = (deps: Deps): Feature => ({
  name: 'notifications',
  endpoints: notificationEndpoints(deps),
  lifecycles: [deps.notifications],
  reported: () => deps.notifications.watch.changed(),
})
