/** The trail of events: as a stream for whoever listens, as a page for whoever asks. */
import { z } from 'zod'
import { Failure, fieldError, invalid } from '../../kernel/failure.ts'
import { EVENT_KINDS, HINT_KINDS } from '../../model/event.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import { eventView, type EventView, Subscription } from '../../core/events/subscription.ts'
import { type Reader, readerAmong, type Shares, usedUp } from '../../core/shares.ts'
import { type Call, endpoint, type Endpoint } from '../../http/contract.ts'
import { eventStream, STREAM_LIMITS, type StreamLimits } from '../../http/stream/event-stream.ts'
import type { Hello } from '../../http/stream/server-sent-events.ts'
import { wholeNumber } from '../../http/body/scalars.ts'
import { ok } from '../../http/ok.ts'

const KINDS: ReadonlySet<string> = new Set([...EVENT_KINDS, ...HINT_KINDS])

const Event = z
  .object({
    id: z.int().describe('Grows by time; never given twice'),
    at: z.string().describe('RFC 3339, UTC'),
    kind: z.enum(EVENT_KINDS),
    message: z.string(),
    facts: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Event' }) satisfies z.ZodType<EventView>

const Query = z.object({
  after: wholeNumber({ min: 0 })
    .optional()
    .describe('Only events after that number. Default: all that are kept for a page, none for a stream'),
  limit: wholeNumber({ min: 1, max: 1000 }).optional().describe('Length of a page; default 100'),
  kinds: kindsQuery().optional().describe('Only these, with commas between them: `saved,release,lamps`'),
})

function kindsQuery() {
  return z
    .string()
    .transform((text): ReadonlySet<string> => new Set(text.split(',')))
    .refine(
      (kinds) => [...kinds].every((kind) => KINDS.has(kind)),
      `must be kinds of events: ${[...KINDS].join(', ')}`,
    )
    .meta({ override: { type: 'string' } })
}

const DESCRIPTION = `As server-sent events (\`text/event-stream\`): first what came after \`Last-Event-ID\` (or \`after\`), then
everything as it happens, each once; a comment every 15 seconds keeps the line open. The stream begins with an event
\`hello\` (\`version\`, \`release\`: the newest one, \`event\`: the number after which it goes on). An event \`missed\` tells that
some are no longer kept. Hints have no number and are never kept: \`lamps\`, \`dns\` and \`certificate\` (\`ids\`; null for too many to name), \`health\` (\`name\`, \`from\`,
\`to\`), \`step\` (\`operation_id\`), \`session\` and \`edge\` say what reads otherwise now. With \`Accept: application/json\`: one page, oldest first, of
what is kept. The newest 5,000 are kept.`

export interface EventParts {
  readonly events: EventLog
  readonly hello: () => Promise<Hello>
}

export const eventEndpoints = (
  { events, hello }: EventParts,
  limits: StreamLimits = STREAM_LIMITS,
): readonly Endpoint[] => {
  const stream = streamsOf({ events, hello }, limits)
  return [
    endpoint({
      method: 'GET',
      path: '/api/events',
      id: 'events',
      summary: 'What happened, as a stream or as a page',
      description: DESCRIPTION,
      level: 'keyed',
      tags: [{ name: 'Events', description: 'What happens, as a stream or in pages' }],
      query: Query,
      headers: {
        Accept: 'application/json for a page; anything else gets the stream',
        'Last-Event-ID': 'Number of the last event that the reader has seen; goes before `after`',
      },
      replies: { 200: z.array(Event) },
      reply_headers: { Link: 'rel="next", where a page is full' },
      problems: ['component_unavailable', 'shutting_down'],
      handler: async (call) => {
        const { after = 0, limit = 100, kinds = null } = call.query
        if (!wantsPage(call.header('accept'))) return stream(call, call.query.after ?? null, kinds)
        const page = await readEvents(events, { after, limit, kinds })
        const only = kinds === null ? '' : `&kinds=${[...kinds].join(',')}`
        const next = `</api/events?after=${page.next}&limit=${limit}${only}>; rel="next"`
        return ok(page.events, page.next === null ? {} : { Link: next })
      },
    }),
  ]
}

const wantsPage = (accept: string | null): boolean =>
  accept !== null && /\bapplication\/json\b/i.test(accept) && !/\btext\/event-stream\b/i.test(accept)

const EVENT_STREAM = {
  'content-type': 'text/event-stream; charset=utf-8',
  // For nginx, which otherwise collects an answer before it passes it on.
  'x-accel-buffering': 'no',
}

/** Opens streams, up to the limit. A browser keeps asking for the address it was given, so its header goes first. */
function streamsOf({ events: log, hello }: EventParts, limits: StreamLimits) {
  const open = new Set<{ readonly reader: Reader }>()
  return async (
    call: Pick<Call, 'actor' | 'header' | 'holder' | 'may' | 'signal'>,
    after: number | null,
    kinds: ReadonlySet<string> | null,
  ): Promise<Response> => {
    const seen = lastEventId(call.header('last-event-id')) ?? after
    if (log.ended) throw new Failure('shutting_down', 'The daemon is shutting down; connect again.')
    const one = { reader: readerAmong(call) }
    const used_up = usedUp(open, one.reader, limits.streams)
    if (used_up !== null)
      throw new Failure('component_unavailable', allTaken(limits.streams, used_up), {
        retry_after_ms: limits.heartbeat_ms,
      })
    open.add(one)
    const closed = () => void open.delete(one)
    try {
      const subscription = await Subscription.begin(log, seen, kinds)
      const parts = { log, subscription, hello: await hello(), signal: call.signal, limits, closed }
      return new Response(eventStream(parts), { headers: EVENT_STREAM })
    } catch (error) {
      closed()
      throw error
    }
  }
}

function allTaken(streams: Shares, share: keyof Shares): string {
  if (share === 'all') return `All ${streams.all} event streams are taken.`
  const whose = share === 'readers' ? 'of those who may only look' : 'that are yours, who may only look,'
  return `All ${streams[share]} event streams ${whose} are taken.`
}

function lastEventId(header: string | null): number | null {
  if (header === null || header === '') return null
  if (/^(?:0|[1-9]\d{0,15})$/.test(header)) return Number(header)
  throw invalid([fieldError(['header', 'last-event-id'], 'must be the number of an event', 'event_id')])
}

const WALKED = 1000

/** One page of the trail of events, for callers that ask instead of listening. */
interface EventPage {
  readonly events: readonly EventView[]
  /** Where the next page begins; null when this one reaches the end. */
  readonly next: number | null
}

interface PageRequest {
  readonly after: number
  readonly limit: number
  readonly kinds: ReadonlySet<string> | null
}

/** Oldest first, those after the number. Of some kinds alone, it walks over the others. */
async function readEvents(log: EventLog, { after, limit, kinds }: PageRequest): Promise<EventPage> {
  const events: EventView[] = []
  for (let from = after; events.length < limit;) {
    const page = await log.after(from, kinds === null ? limit : WALKED)
    events.push(...page.filter(({ kind }) => kinds?.has(kind) ?? true).map(eventView))
    if (kinds === null || page.length < WALKED) break
    from = page.at(-1)!.id
  }
  events.splice(limit)
  return { events, next: events.length < limit ? null : events.at(-1)!.id }
}
