/** Notifications as one thing with parts: what is looked at, who is told, and by whom. */
import type { NotificationParts } from './parts.ts'
import type { NotificationWatch } from './watch.ts'

export interface Notifications {
  readonly parts: NotificationParts
  readonly watch: NotificationWatch
  prepare(): Promise<void>
  start(): void
  stop(): Promise<void>
}
