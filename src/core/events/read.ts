/** One page of the trail of events, for callers that ask instead of listening. */
import type { EventLog } from './event-log.ts'
import { eventView, type EventView } from './subscription.ts'

export interface EventPage {
  readonly events: readonly EventView[]
  /** Where the next page begins; null when this one reaches the end. */
  readonly next: number | null
}

/** Oldest first, those after the number. */
export async function readEvents(log: EventLog, after: number, limit: number): Promise<EventPage> {
  const events = (await log.after(after, limit)).map(eventView)
  return { events, next: events.length < limit ? null : events.at(-1)!.id }
}
